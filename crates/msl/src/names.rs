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
    for c in raw.strip_prefix('$').unwrap_or(raw).chars() {
        let c = if c.is_ascii_alphanumeric() { c } else { '_' };
        if c == '_' && text.ends_with('_') {
            continue;
        }
        text.push(c);
    }
    match text.as_bytes() {
        [] => text.push_str("unnamed"),
        [b'_', b'A'..=b'Z', ..] | [b'_'] => text.insert(0, 'u'),
        [b'0'..=b'9', ..] => text.insert(0, 'n'),
        _ => {}
    }
    text
}

/// Hands out names that differ from each other and from reserved ones.
#[derive(Debug, Default)]
pub(crate) struct Namer {
    /// The names in use.
    taken: Names,
    /// By position in `taken`: the next number to try behind the name.
    next: Vec<u32>,
    /// The letter of the numbered values (`v` of `v12`): names of that form count as taken.
    numbered: Option<char>,
    /// The names of the open inner scope, beside `taken`.
    inner: Option<(Names, Vec<u32>)>,
}

impl Namer {
    /// A namer beside which values are numbered behind that letter.
    pub fn beside(letter: char) -> Namer {
        Namer { numbered: Some(letter), ..Namer::default() }
    }

    /// A name as close to `raw` as can be.
    pub fn unique(&mut self, raw: &str) -> String {
        let mut text = identifier(raw);
        if keywords::is_reserved(&text) {
            text.push('0');
        }
        if self.is_numbered(&text) || self.holds(&text) {
            let stem = text.len();
            let mut number = self.number_of(&text);
            loop {
                text.truncate(stem);
                let _ = write!(text, "_{number}");
                number += 1;
                if !self.holds(&text) {
                    break;
                }
            }
            self.enter(&text[..stem], number);
        }
        self.enter(&text, 1);
        text
    }

    /// Opens a scope: names given from now on are free again when it is closed.
    pub fn open(&mut self) {
        self.inner = Some((Names::new(), Vec::new()));
    }

    /// Closes the scope.
    pub fn close(&mut self) {
        self.inner = None;
    }

    /// Takes a name as it is (the entry function's, which goes first: D1.3).
    pub fn take(&mut self, name: &str) {
        self.enter(name, 1);
    }

    fn holds(&self, name: &str) -> bool {
        self.taken.find(name).is_some() || self.inner.as_ref().is_some_and(|(names, _)| names.find(name).is_some())
    }

    /// The next number to try behind a name.
    fn number_of(&self, name: &str) -> u32 {
        let of = |names: &Names, next: &[u32]| names.find(name).and_then(|n| next.get(n.index()).copied());
        let inner = self.inner.as_ref().and_then(|(names, next)| of(names, next));
        inner.or_else(|| of(&self.taken, &self.next)).unwrap_or(1).max(1)
    }

    fn enter(&mut self, name: &str, number: u32) {
        let (names, next) = match &mut self.inner {
            Some((names, next)) => (names, next),
            None => (&mut self.taken, &mut self.next),
        };
        let index = names.intern(name).index();
        if next.len() <= index {
            next.resize(index + 1, 0);
        }
        next[index] = number;
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
