//! Unique identifiers (sheet D1.2 to D1.5).

use crate::keywords;
use aquatint_base::Names;
use std::fmt::Write as _;

/// The name of the Metal function for an entry point: the source's name, with `0` behind a reserved word (D1.2).
///
/// ```
/// assert_eq!(aquatint_msl::entry_function_name("main"), "main0");
/// assert_eq!(aquatint_msl::entry_function_name("shade"), "shade");
/// assert_eq!(aquatint_msl::entry_function_name("lib::shade"), "lib_shade");
/// ```
pub fn entry_function_name(name: &str) -> String {
    let mut text = identifier(name);
    if keywords::is_reserved(&text) {
        text.push('0');
    }
    text
}

/// A legal identifier out of any text: `::`, `$`, `.` and whatever else no identifier holds become `_`, a leading `$` goes,
/// no two underscores meet, and a leading `_` before a capital gets a `u` (D1.4).
pub(crate) fn identifier(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len() + 2);
    push_identifier(&mut text, &[raw]);
    text
}

/// [`identifier`] of pieces put together, into an empty string.
fn push_identifier(text: &mut String, pieces: &[&str]) {
    // With room for what may be put before and behind it.
    text.reserve(pieces.iter().map(|piece| piece.len()).sum::<usize>().max(24) + 8);
    pieces.iter().for_each(|piece| text.push_str(piece));
    let plain = |bytes: &[u8]| {
        bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
            && !bytes.windows(2).any(|two| two == b"__")
    };
    // Most names are identifiers.
    if !plain(text.as_bytes()) {
        let raw = std::mem::take(text);
        let mut underscore = false;
        // Whatever is no ASCII becomes underscores, and those become one: bytes do as well as characters.
        for byte in raw.strip_prefix('$').unwrap_or(&raw).bytes() {
            let other = !byte.is_ascii_alphanumeric();
            if !(other && underscore) {
                text.push(if other { '_' } else { char::from(byte) });
            }
            underscore = other;
        }
    }
    match text.as_bytes() {
        [] => text.push_str("unnamed"),
        [b'_', b'A'..=b'Z', ..] | [b'_'] => text.insert(0, 'u'),
        [b'0'..=b'9', ..] => text.insert(0, 'n'),
        _ => {}
    }
}

/// Hands out names that differ from each other and from reserved ones.
#[derive(Debug, Default)]
pub(crate) struct Namer {
    outer: Scope,
    /// The names of the open inner scope, beside `outer`.
    inner: Option<Scope>,
    /// The letter of the numbered values (`v` of `v12`): names of that form count as taken.
    numbered: Option<char>,
    /// The last name that was given.
    text: String,
}

/// Names in use.
#[derive(Debug, Default)]
struct Scope {
    names: Names,
    /// By position in `names`, as far as any was asked for twice: the next number to try behind the name.
    next: Vec<u32>,
}

impl Scope {
    /// Enters a name. Whether it is new.
    fn enter(&mut self, name: &str) -> bool {
        let before = self.names.len();
        self.names.intern(name);
        self.names.len() > before
    }

    fn holds(&self, name: &str) -> bool {
        self.names.find(name).is_some()
    }

    /// The next number to try behind a name.
    fn next_of(&self, name: &str) -> Option<u32> {
        let index = self.names.find(name)?.index();
        self.next.get(index).copied().filter(|&next| next > 0)
    }

    fn set_next(&mut self, name: &str, number: u32) {
        let index = self.names.intern(name).index();
        if self.next.len() <= index {
            self.next.resize(index + 1, 0);
        }
        self.next[index] = number;
    }
}

impl Namer {
    /// A namer beside which values are numbered behind that letter.
    pub fn beside(letter: char) -> Namer {
        Namer { numbered: Some(letter), ..Namer::default() }
    }

    /// A name as close to `raw` as can be.
    pub fn unique(&mut self, raw: &str) -> &str {
        self.unique_joined(&[raw])
    }

    /// A name as close to the pieces put together as can be.
    pub fn unique_joined(&mut self, pieces: &[&str]) -> &str {
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        push_identifier(&mut text, pieces);
        if keywords::is_reserved(&text) {
            text.push('0');
        }
        if self.is_numbered(&text) || !self.enter(&text) {
            let stem = text.len();
            let inner = self.inner.as_ref().and_then(|inner| inner.next_of(&text));
            let mut number = inner.or_else(|| self.outer.next_of(&text)).unwrap_or(1);
            loop {
                let _ = write!(text, "_{number}");
                number += 1;
                if self.enter(&text) {
                    break;
                }
                text.truncate(stem);
            }
            self.inner.as_mut().unwrap_or(&mut self.outer).set_next(&text[..stem], number);
        }
        self.text = text;
        &self.text
    }

    /// Forgets all names.
    pub fn clear(&mut self) {
        self.inner = None;
        self.outer.names.clear();
        self.outer.next.clear();
    }

    /// Opens a scope: names given from now on are free again when it is closed.
    pub fn open(&mut self) {
        self.inner = Some(Scope::default());
    }

    /// Closes the scope.
    pub fn close(&mut self) {
        self.inner = None;
    }

    /// Takes a name as it is (the entry function's, which goes first: D1.3).
    pub fn take(&mut self, name: &str) {
        self.enter(name);
    }

    /// Enters a name in the scope that is open. Whether it is new there and outside of it.
    fn enter(&mut self, name: &str) -> bool {
        match &mut self.inner {
            Some(inner) => !self.outer.holds(name) && inner.enter(name),
            None => self.outer.enter(name),
        }
    }

    fn is_numbered(&self, name: &str) -> bool {
        self.numbered.is_some_and(|letter| {
            name.strip_prefix(letter).is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_follow_the_sheet() {
        assert_eq!(identifier("$Globals"), "Globals");
        assert_eq!(identifier("a::b"), "a_b");
        assert_eq!(identifier("s0.smp"), "s0_smp");
        assert_eq!(identifier("a__b"), "a_b");
        assert_eq!(identifier("_Big"), "u_Big");
        assert_eq!(identifier(""), "unnamed");
        assert_eq!(identifier("3d"), "n3d");
    }

    #[test]
    fn entry_names_are_a_pure_function() {
        for (name, expected) in
            [("main", "main0"), ("fragment", "fragment0"), ("vertex", "vertex0"), ("kernel", "kernel0"), ("ps", "ps")]
        {
            assert_eq!(entry_function_name(name), expected);
        }
    }

    #[test]
    fn collisions_get_numbers() {
        let mut namer = Namer::beside('v');
        namer.take("normalize0");
        assert_eq!(namer.unique("color"), "color");
        assert_eq!(namer.unique("color"), "color_1");
        assert_eq!(namer.unique("color"), "color_2");
        assert_eq!(namer.unique("color_1"), "color_1_1");
        assert_eq!(namer.unique("normalize"), "normalize0_1");
        assert_eq!(namer.unique("v12"), "v12_1");
        assert_eq!(namer.unique("vx"), "vx");
    }
}
