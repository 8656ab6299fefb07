//! Unique identifiers (sheet D1.2 to D1.5).

use crate::keywords;
use aquatint_base::HashMap;

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
    /// Each name in use, with the next number to try behind it.
    taken: HashMap<Box<str>, u32>,
    /// The letter of the numbered values (`v` of `v12`): names of that form count as taken.
    numbered: Option<char>,
    /// Names of the open inner scope.
    inner: Option<Vec<Box<str>>>,
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
        if self.is_numbered(&text) {
            self.taken.entry(text.as_str().into()).or_insert(1);
        }
        if let Some(next) = self.taken.get_mut(text.as_str()) {
            let mut number = *next;
            let stem = text.len();
            loop {
                text.truncate(stem);
                text.push('_');
                text.push_str(&number.to_string());
                number += 1;
                if !self.taken.contains_key(text.as_str()) {
                    break;
                }
            }
            let stem = text[..stem].to_owned();
            self.taken.insert(stem.into(), number);
        }
        self.taken.insert(text.as_str().into(), 1);
        if let Some(inner) = &mut self.inner {
            inner.push(text.as_str().into());
        }
        text
    }

    /// Opens a scope: names given from now on are free again when it is closed.
    pub fn open(&mut self) {
        self.inner = Some(Vec::new());
    }

    /// Closes the scope.
    pub fn close(&mut self) {
        for name in self.inner.take().into_iter().flatten() {
            self.taken.remove(&name);
        }
    }

    /// Takes a name as it is (the entry function's, which goes first: D1.3).
    pub fn take(&mut self, name: &str) {
        self.taken.insert(name.into(), 1);
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
