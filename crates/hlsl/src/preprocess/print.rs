//! Preprocessed text (sheet A3.19) and dependency rules.

use super::Preprocessed;
use super::pragma::{PragmaEvent, PragmaKind, WarningAction};
use crate::include::CanonicalName;
use crate::lex::value;
use crate::token::{Token, TokenKind};
use aquatint_base::{Names, Sources, Span};
use std::fmt::Write;

/// The text of a preprocessed translation unit, with `#line` markers. It is lexed to the same tokens.
pub fn print(unit: &Preprocessed, sources: &Sources, names: &Names) -> String {
    let mut printer = Printer { sources, names, out: String::new(), file: "", line: 0 };
    let mut pragmas = unit.pragmas.iter().peekable();
    let mut last: Option<&Token> = None;
    for (at, token) in unit.tokens.iter().enumerate() {
        while let Some(event) = pragmas.next_if(|p| p.before <= at) {
            printer.pragma(event);
            last = None;
        }
        if token.kind == TokenKind::Eof {
            break;
        }
        // A `#` that started a line would be a directive.
        let hash = matches!(token.kind, TokenKind::Hash | TokenKind::HashHash);
        match last {
            Some(_) if token.starts_line() && !hash => printer.line(token.span),
            None if !hash => printer.line(token.span),
            Some(last) if token.has_blank() || token.starts_line() || touches(last, token) => printer.out.push(' '),
            _ => {}
        }
        printer.out.push_str(token.text(names));
        last = Some(token);
    }
    printer.out.push('\n');
    printer.out
}

struct Printer<'a> {
    sources: &'a Sources,
    names: &'a Names,
    out: String,
    file: &'a str,
    line: u32,
}

impl<'a> Printer<'a> {
    /// Starts the line that `span` is on.
    fn line(&mut self, span: Span) {
        let (file, line) =
            self.sources.get(span.source).and_then(|s| s.presumed(span.start)).unwrap_or((self.file, self.line));
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
            self.line += 1;
        }
        let ahead = line.wrapping_sub(self.line);
        if file == self.file && ahead <= 8 {
            self.out.extend((0..ahead).map(|_| '\n'));
        } else {
            let _ = write!(self.out, "#line {} ", line.clamp(1, 0x7fff_ffff));
            value::quote(file, &mut self.out);
            self.out.push('\n');
        }
        self.file = file;
        self.line = line;
    }

    fn pragma(&mut self, event: &PragmaEvent) {
        let _ = self.names;
        self.line(event.span);
        let out = &mut self.out;
        out.push_str("#pragma ");
        match &event.kind {
            PragmaKind::PackMatrix { row_major } => {
                let _ = write!(out, "pack_matrix({})", if *row_major { "row_major" } else { "column_major" });
            }
            PragmaKind::WarningPush => out.push_str("warning(push)"),
            PragmaKind::WarningPop => out.push_str("warning(pop)"),
            PragmaKind::Warning { action, numbers } => {
                let action = match action {
                    WarningAction::Disable => "disable",
                    WarningAction::Error => "error",
                    WarningAction::Default => "default",
                    WarningAction::Once => "once",
                };
                let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
                let _ = write!(out, "warning({action} : {})", numbers.join(", "));
            }
            PragmaKind::Message(text) => {
                out.push_str("message(");
                value::quote(text, out);
                out.push(')');
            }
        }
        out.push('\n');
        self.line += 1;
    }
}

/// Whether two tokens would be read as something else without a blank between them.
fn touches(left: &Token, right: &Token) -> bool {
    use TokenKind::*;
    let alone =
        |kind: TokenKind| matches!(kind, LParen | RParen | LBracket | RBracket | LBrace | RBrace | Semicolon | Comma);
    !(alone(left.kind) || alone(right.kind))
}

/// A rule of make: `target` depends on `files`. With `phony`, each file but the first has an empty rule of its own, so that
/// make does not stop when it is gone.
pub fn make_rule(target: &str, files: &[CanonicalName], phony: bool) -> String {
    let mut out = escaped(target);
    out.push(':');
    for file in files {
        out.push_str(" \\\n  ");
        out.push_str(&escaped(&file.display));
    }
    out.push('\n');
    if phony {
        for file in files.iter().skip(1) {
            let _ = write!(out, "\n{}:\n", escaped(&file.display));
        }
    }
    out
}

/// A name as make reads it.
fn escaped(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            ' ' | '#' => {
                out.push('\\');
                out.push(c);
            }
            '$' => out.push_str("$$"),
            c => out.push(c),
        }
    }
    out
}
