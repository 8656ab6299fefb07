//! What went wrong, where, and what to do about it.

use crate::Span;
use std::fmt;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Severity {
    /// Nothing is produced for the input.
    Error,
    /// The output is produced, and may not be what the author meant.
    Warning,
}

impl Severity {
    /// `error` or `warning`.
    pub const fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// Who has to act on a diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Kind {
    /// The author: the input breaks a rule of its language.
    Invalid,
    /// The caller: this target or this version cannot do it.
    Unsupported,
    /// The caller: the input passes a bound of [`Limits`](crate::Limits).
    Limit,
    /// Us.
    Bug,
}

/// One kind of diagnostic: a stable code, a line that names it, and the text of `aquatint explain`.
/// Each crate keeps its own as statics in a `codes` module, and lists them in a `CODES` slice.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// The stable identifier, such as `E-REG`.
    pub id: &'static str,
    /// Who has to act.
    pub kind: Kind,
    /// What it is about, in a few words.
    pub title: &'static str,
    /// The rule, why it exists, and how to mend the input: some sentences for `aquatint explain`.
    pub explanation: &'static str,
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}

/// The codes of a crate as a table: a row is `NAME "ID" Kind "title" "explanation";`, or without the identifier where that is
/// the name itself. It makes a static of each row, and `CODES`, which lists them.
#[macro_export]
macro_rules! codes {
    ($($name:ident $id:literal $kind:ident $title:literal $explanation:literal;)*) => {
        $(
            #[doc = concat!($title, ".")]
            pub static $name: $crate::Code =
                $crate::Code { id: $id, kind: $crate::Kind::$kind, title: $title, explanation: $explanation };
        )*

        /// All codes of this table, in its order.
        pub static CODES: &[&$crate::Code] = &[$(&$name),*];
    };
    ($($name:ident $kind:ident $title:literal $explanation:literal;)*) => {
        $(
            #[doc = concat!(stringify!($name), ": ", $title, ".")]
            pub static $name: $crate::Code =
                $crate::Code { id: stringify!($name), kind: $crate::Kind::$kind, title: $title, explanation: $explanation };
        )*

        /// All codes of this table, in its order.
        pub static CODES: &[&$crate::Code] = &[$(&$name),*];
    };
}

/// A place in an input, with what to say about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place; [`Span::NONE`] where there is none.
    pub span: Span,
    /// What stands there or what is wrong with it; may be empty.
    pub text: String,
    /// For binary input: the piece in readable form (the disassembled instruction, say). Quoted with a caret
    /// where text input has its source line.
    pub excerpt: Option<String>,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning. A code can be a warning in one mode and an error under `strict`.
    pub severity: Severity,
    /// What kind of thing it is.
    pub code: &'static Code,
    /// One lower-case sentence without a full stop, naming the entity, the value, and what was expected.
    pub message: String,
    /// Where; the first label is the place of the diagnostic, others are second places.
    pub labels: Vec<Label>,
    /// Further facts.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error.
    pub fn error(code: &'static Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message)
    }

    /// A warning.
    pub fn warning(code: &'static Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, message)
    }

    /// A message of the given severity.
    pub fn new(severity: Severity, code: &'static Code, message: impl Into<String>) -> Self {
        Self { severity, code, message: message.into(), labels: Vec::new(), notes: Vec::new(), help: None }
    }

    /// Adds a place.
    #[must_use]
    pub fn at(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into(), excerpt: None });
        self
    }

    /// Adds a place in binary input, with its readable form.
    #[must_use]
    pub fn at_excerpt(mut self, span: Span, text: impl Into<String>, excerpt: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into(), excerpt: Some(excerpt.into()) });
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// The place, or [`Span::NONE`].
    pub fn span(&self) -> Span {
        self.labels.first().map_or(Span::NONE, |label| label.span)
    }
}

/// The messages of one run, in the order in which they were found.
///
/// Keeps at most [`Diags::keep`] messages, so that hostile input cannot fill memory; the counts stay exact.
#[derive(Clone, Debug)]
pub struct Diags {
    list: Vec<Diagnostic>,
    /// How many messages are kept at most.
    pub keep: usize,
    errors: usize,
    warnings: usize,
}

impl Default for Diags {
    fn default() -> Self {
        Self { list: Vec::new(), keep: 1000, errors: 0, warnings: 0 }
    }
}

impl Diags {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a message. The same code at the same place is kept once.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let span = diagnostic.span();
        if !span.is_none()
            && self
                .list
                .iter()
                .rev()
                .take(16)
                .any(|d| std::ptr::eq(d.code, diagnostic.code) && d.span() == span && d.message == diagnostic.message)
        {
            return;
        }
        match diagnostic.severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
        }
        if self.list.len() < self.keep {
            self.list.push(diagnostic);
        }
    }

    /// Whether an error was reported.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// The number of errors reported, kept or not.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// The number of warnings reported, kept or not.
    pub fn warnings(&self) -> usize {
        self.warnings
    }

    /// The number of messages reported but not kept.
    pub fn dropped(&self) -> usize {
        self.errors + self.warnings - self.list.len()
    }

    /// The messages that were kept.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// Whether nothing was reported.
    pub fn is_empty(&self) -> bool {
        self.errors + self.warnings == 0
    }

    /// Moves all messages of `other` to the end of this list.
    pub fn append(&mut self, other: Diags) {
        let dropped_errors = other.errors - other.list.iter().filter(|d| d.severity == Severity::Error).count();
        let dropped_warnings = other.warnings - other.list.iter().filter(|d| d.severity == Severity::Warning).count();
        for diagnostic in other.list {
            self.push(diagnostic);
        }
        self.errors += dropped_errors;
        self.warnings += dropped_warnings;
    }
}

impl<'a> IntoIterator for &'a Diags {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SourceId;

    static CODE: Code = Code { id: "E-X", kind: Kind::Invalid, title: "x", explanation: "x" };

    #[test]
    fn counts_stay_exact_past_the_limit() {
        let mut diags = Diags { keep: 2, ..Diags::new() };
        for i in 0..5 {
            diags.push(Diagnostic::error(&CODE, "m").at(Span::new(SourceId(0), i, i + 1), ""));
        }
        assert_eq!((diags.errors(), diags.iter().count(), diags.dropped()), (5, 2, 3));
        let mut all = Diags::new();
        all.append(diags);
        assert_eq!(all.errors(), 5);
    }

    #[test]
    fn the_same_message_at_the_same_place_is_kept_once() {
        let mut diags = Diags::new();
        for _ in 0..3 {
            diags.push(Diagnostic::warning(&CODE, "m").at(Span::new(SourceId(0), 4, 8), ""));
        }
        assert_eq!(diags.warnings(), 1);
    }
}
