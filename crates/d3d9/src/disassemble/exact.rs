//! What the exact form adds to the fxc style.

use crate::tokens::Version;
use std::fmt::Write;

/// Compares what a line assembles to with the words that it stands for.
pub(super) struct Check {
    version: Version,
}

impl Check {
    pub fn new(version: Version) -> Self {
        Self { version }
    }

    /// Appends ` {XXXXXXXX …}` where the text alone would give other words.
    pub fn append(&mut self, line: &str, raw: &[u32], out: &mut String) {
        let words = crate::assemble::statement(self.version, line);
        if words.as_deref() == Some(raw) {
            return;
        }
        out.push_str(" {");
        for (i, word) in raw.iter().enumerate() {
            let _ = write!(out, "{}{word:08X}", if i > 0 { " " } else { "" });
        }
        out.push('}');
    }
}

/// Words on a line of hex.
const PER_LINE: usize = 8;

/// Appends `.comment FOURCC length` and the payload behind the FourCC; `-` where the payload has no readable one, with
/// all of its words.
pub(super) fn comment(words: &[u32], out: &mut String) {
    let fourcc = words.first().map(|w| w.to_le_bytes()).filter(|c| c.iter().all(u8::is_ascii_alphanumeric));
    let (name, data) = match (fourcc, words.split_first()) {
        (Some(name), Some((_, data))) => (name.iter().map(|&b| char::from(b)).collect(), data),
        _ => (String::from("-"), words),
    };
    let _ = write!(out, "    .comment {name} {}", data.len());
    hex(data, out);
}

/// Appends `.trailing length` and the words behind END.
pub(super) fn trailing(words: &[u32], out: &mut String) {
    let _ = write!(out, "    .trailing {}", words.len());
    hex(words, out);
}

fn hex(words: &[u32], out: &mut String) {
    for (i, word) in words.iter().enumerate() {
        out.push_str(if i % PER_LINE == 0 { "\n        " } else { " " });
        let _ = write!(out, "{word:08X}");
    }
    out.push('\n');
}
