//! Inputs and places in them.

use std::fmt;

/// The number of an input within one run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct SourceId(pub u32);

/// A range of bytes in one input. For bytecode it is a token range; for text a range of UTF-8.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Span {
    /// Which input.
    pub source: SourceId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span of something that has no position: it prints as "no position", never as line 0.
    pub const NONE: Span = Span { source: SourceId(u32::MAX), start: 0, end: 0 };

    /// A range of input `source`.
    pub const fn new(source: SourceId, start: u32, end: u32) -> Self {
        Self { source, start, end }
    }

    /// Whether this is [`Span::NONE`].
    pub fn is_none(self) -> bool {
        self.source == Self::NONE.source
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_none() {
            f.write_str("no position")
        } else {
            write!(f, "{}:{}..{}", self.source.0, self.start, self.end)
        }
    }
}

/// What an input holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Text: diagnostics quote its lines.
    Text(String),
    /// Binary: diagnostics name byte offsets and quote what the reader says stands there.
    Binary {
        /// Length in bytes.
        length: usize,
    },
}

/// An input and how to call it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// A path as the user gave it, or a description such as `<stdin>`.
    pub name: String,
    /// Its text, or that it is binary.
    pub content: Content,
    /// Start of each line; empty for binary input.
    lines: Vec<u32>,
}

impl Source {
    /// A text input.
    pub fn text(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let lines = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(i, _)| i as u32 + 1))
            .collect();
        Self { name: name.into(), content: Content::Text(text), lines }
    }

    /// A binary input of `length` bytes.
    pub fn binary(name: impl Into<String>, length: usize) -> Self {
        Self { name: name.into(), content: Content::Binary { length }, lines: Vec::new() }
    }

    /// Line and column of a byte of a text input, both from 1; columns count Unicode scalar values.
    pub fn line_column(&self, offset: u32) -> Option<(u32, u32)> {
        let Content::Text(text) = &self.content else { return None };
        let line = self.lines.partition_point(|&start| start <= offset).max(1);
        let start = self.lines[line - 1] as usize;
        let end = (offset as usize).min(text.len());
        let column = text.get(start..end).map_or(0, |s| s.chars().count());
        Some((line as u32, column as u32 + 1))
    }
}

/// The inputs of one run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    all: Vec<Source>,
}

impl Sources {
    /// No inputs.
    pub fn new() -> Self {
        Self::default()
    }

    /// Enters an input.
    pub fn add(&mut self, source: Source) -> SourceId {
        self.all.push(source);
        SourceId(self.all.len() as u32 - 1)
    }

    /// The input of that number.
    pub fn get(&self, id: SourceId) -> Option<&Source> {
        self.all.get(id.0 as usize)
    }

    /// All inputs in order.
    pub fn iter(&self) -> impl Iterator<Item = &Source> {
        self.all.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one_in_scalar_values() {
        let s = Source::text("x", "ab\nçd\n");
        assert_eq!(s.line_column(0), Some((1, 1)));
        assert_eq!(s.line_column(3), Some((2, 1)));
        assert_eq!(s.line_column(5), Some((2, 2)));
        assert_eq!(s.line_column(7), Some((3, 1)));
        assert_eq!(s.line_column(900), Some((3, 1)));
        assert_eq!(Source::binary("b", 4).line_column(0), None);
    }
}
