//! Writing indented text.

use std::fmt;

/// Collects text, four spaces a level (or [`TextWriter::indent_by`]).
#[derive(Clone, Debug, Default)]
pub struct TextWriter {
    text: String,
    level: usize,
    /// Spaces a level; 0 means 4.
    pub indent_by: usize,
}

impl TextWriter {
    /// An empty text with room for `capacity` bytes.
    pub fn with_capacity(capacity: usize) -> Self {
        Self { text: String::with_capacity(capacity), level: 0, indent_by: 4 }
    }

    /// Begins a line: writes the indentation.
    #[inline]
    pub fn start(&mut self) -> &mut String {
        const BLANKS: &str = "                                                                ";
        let mut spaces = self.level * if self.indent_by == 0 { 4 } else { self.indent_by };
        while spaces > 0 {
            let take = spaces.min(BLANKS.len());
            self.text.push_str(&BLANKS[..take]);
            spaces -= take;
        }
        &mut self.text
    }

    /// A whole line.
    pub fn line(&mut self, text: &str) {
        if !text.is_empty() {
            self.start().push_str(text);
        }
        self.text.push('\n');
    }

    /// A whole formatted line.
    pub fn line_fmt(&mut self, arguments: fmt::Arguments<'_>) {
        let text = self.start();
        // Writing to a `String` cannot fail.
        let _ = fmt::Write::write_fmt(text, arguments);
        text.push('\n');
    }

    /// One level deeper from the next line on.
    pub fn indent(&mut self) {
        self.level += 1;
    }

    /// One level less deep.
    pub fn dedent(&mut self) {
        self.level = self.level.saturating_sub(1);
    }

    /// The text so far, to append to the current line.
    #[inline]
    pub fn raw(&mut self) -> &mut String {
        &mut self.text
    }

    /// The text.
    pub fn finish(self) -> String {
        self.text
    }
}
