//! Inputs and places in them.

use std::fmt;
use std::sync::Arc;

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
    /// What `#line` said, in the order of the places.
    marks: Vec<LineMark>,
}

/// From a line of a text input on, other numbers, and perhaps another name (`#line`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineMark {
    /// Where the first line begins for which it holds.
    pub start: u32,
    /// The number of that line.
    pub line: u32,
    /// The name from there on; `None` leaves what was.
    pub name: Option<Arc<str>>,
}

impl Source {
    /// A text input.
    pub fn text(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let bytes = text.as_bytes();
        // LF, CRLF, or CR alone.
        let ends = |&(i, &b): &(usize, &u8)| b == b'\n' || (b == b'\r' && bytes.get(i + 1) != Some(&b'\n'));
        let lines =
            std::iter::once(0).chain(bytes.iter().enumerate().filter(ends).map(|(i, _)| i as u32 + 1)).collect();
        Self { name: name.into(), content: Content::Text(text), lines, marks: Vec::new() }
    }

    /// A binary input of `length` bytes.
    pub fn binary(name: impl Into<String>, length: usize) -> Self {
        Self { name: name.into(), content: Content::Binary { length }, lines: Vec::new(), marks: Vec::new() }
    }

    /// Line and column of a byte of a text input, both from 1; columns count Unicode scalar values.
    pub fn line_column(&self, offset: u32) -> Option<(u32, u32)> {
        let Content::Text(text) = &self.content else { return None };
        let line = self.line(offset)?;
        let start = self.line_start(line)? as usize;
        let end = (offset as usize).min(text.len());
        let column = text.get(start..end).map_or(0, |s| s.chars().count());
        Some((line, column as u32 + 1))
    }

    /// The text, of a text input.
    pub fn as_text(&self) -> Option<&str> {
        match &self.content {
            Content::Text(text) => Some(text),
            Content::Binary { .. } => None,
        }
    }

    /// The line of a byte of a text input, from 1. Cheaper than [`Source::line_column`].
    pub fn line(&self, offset: u32) -> Option<u32> {
        (!self.lines.is_empty()).then(|| self.lines.partition_point(|&start| start <= offset).max(1) as u32)
    }

    /// Where line `line`, from 1, begins.
    pub fn line_start(&self, line: u32) -> Option<u32> {
        self.lines.get((line as usize).checked_sub(1)?).copied()
    }

    /// Enters what a `#line` said. A mark at the same place replaces the one before. One in the midst of very many
    /// others is left out, so that entering stays cheap.
    pub fn mark(&mut self, mut mark: LineMark) {
        let at = self.marks.partition_point(|m| m.start < mark.start);
        if mark.name.is_none() {
            mark.name = at.checked_sub(1).and_then(|before| self.marks[before].name.clone());
        }
        let crowded = self.marks.len() >= Self::MARKS_TO_MOVE;
        match self.marks.get_mut(at) {
            Some(same) if same.start == mark.start => *same = mark,
            Some(_) if crowded => {}
            _ => self.marks.insert(at, mark),
        }
    }

    const MARKS_TO_MOVE: usize = 4096;

    /// The mark that holds at a byte.
    pub fn mark_at(&self, offset: u32) -> Option<&LineMark> {
        self.marks.get(self.marks.partition_point(|m| m.start <= offset).checked_sub(1)?)
    }

    /// Name and line of a byte of a text input as `#line` has them.
    pub fn presumed(&self, offset: u32) -> Option<(&str, u32)> {
        let line = self.line(offset)?;
        let Some(mark) = self.mark_at(offset) else { return Some((&self.name, line)) };
        let first = self.line(mark.start)?;
        Some((mark.name.as_deref().unwrap_or(&self.name), mark.line.saturating_add(line - first)))
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

    /// The input of that number, to enter marks.
    pub fn get_mut(&mut self, id: SourceId) -> Option<&mut Source> {
        self.all.get_mut(id.0 as usize)
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

    #[test]
    fn lf_crlf_and_cr_alone_end_a_line() {
        let s = Source::text("x", "a\nb\r\nc\rd");
        assert_eq!([0, 2, 5, 7].map(|at| s.line_column(at)), [1, 2, 3, 4].map(|line| Some((line, 1))));
    }

    #[test]
    fn marks_change_lines_and_names_from_their_place_on() {
        let mut s = Source::text("x", "a\nb\nc\nd\n");
        s.mark(LineMark { start: 2, line: 100, name: Some("y".into()) });
        s.mark(LineMark { start: 6, line: 7, name: None });
        assert_eq!([0, 2, 4, 6].map(|at| s.presumed(at)), [("x", 1), ("y", 100), ("y", 101), ("y", 7)].map(Some));
        s.mark(LineMark { start: 6, line: 8, name: Some("z".into()) });
        assert_eq!(s.presumed(6), Some(("z", 8)));
        assert_eq!(s.line_column(6), Some((4, 1)));
    }
}
