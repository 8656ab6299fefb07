//! What values, globals, functions and structs are called in the text: unique within their table.

use aquatint_base::{HashMap, Name, Names};
use std::fmt::Write;

/// How an entity is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Label {
    /// By a number; used for entities without a name.
    Number(u32),
    /// By its name and, if not 0, a number that tells it from others of that name.
    Named(Name, u32),
}

/// Gives out labels.
pub(super) struct Labeller<'m> {
    names: &'m Names,
    taken: HashMap<Name, u32>,
    numbers: u32,
    scratch: String,
}

impl<'m> Labeller<'m> {
    pub fn new(names: &'m Names) -> Self {
        Self { names, taken: HashMap::default(), numbers: 0, scratch: String::new() }
    }

    /// The label of the next entity.
    pub fn next(&mut self, name: Option<Name>) -> Label {
        let Some(name) = name.filter(|n| n.index() < self.names.len()) else {
            self.numbers += 1;
            return Label::Number(self.numbers - 1);
        };
        let Some(&last) = self.taken.get(&name) else {
            self.taken.insert(name, 0);
            return Label::Named(name, 0);
        };
        let mut suffix = last;
        loop {
            suffix += 1;
            self.scratch.clear();
            let _ = write!(self.scratch, "{}.{suffix}", self.names.get(name));
            // Another entity may really be called that.
            let free = match self.names.find(&self.scratch) {
                Some(other) if self.taken.contains_key(&other) => false,
                Some(other) => {
                    self.taken.insert(other, 0);
                    true
                }
                None => true,
            };
            if free {
                self.taken.insert(name, suffix);
                return Label::Named(name, suffix);
            }
        }
    }
}

/// Whether a name can stand without quotes.
pub(super) fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(is_name_byte) && !name.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a byte can be part of a name without quotes.
pub(super) const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$')
}

/// Writes a label behind its sigil.
pub(super) fn write_label(out: &mut String, names: &Names, sigil: char, label: Label) {
    out.push(sigil);
    match label {
        Label::Number(n) => write_number(out, n),
        Label::Named(name, suffix) => {
            let text = names.get(name);
            let plain = is_plain(text);
            if plain {
                out.push_str(text);
            } else {
                out.push('"');
                write_escaped(out, text);
            }
            if suffix != 0 {
                out.push('.');
                write_number(out, suffix);
            }
            if !plain {
                out.push('"');
            }
        }
    }
}

fn write_number(out: &mut String, number: u32) {
    let _ = write!(out, "{number}");
}

/// Writes a name, in quotes if it needs them. A bare name (of a member, say) must not look like a number.
pub(super) fn write_name(out: &mut String, name: &str) {
    if is_plain(name) && !name.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        out.push_str(name);
    } else {
        write_string(out, name);
    }
}

/// Writes a string literal.
pub(super) fn write_string(out: &mut String, text: &str) {
    out.push('"');
    write_escaped(out, text);
    out.push('"');
}

fn write_escaped(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => {
                let _ = write!(out, "\\u{{{:x}}}", c as u32);
            }
            c => out.push(c),
        }
    }
}
