//! Pragmas (sheet A3.15).

use super::{Preprocessor, Tok};
use crate::codes::AQ1120;
use crate::lex::{Lexer, Sink, value};
use crate::token::{Token, TokenKind};
use aquatint_base::{Diagnostic, Span};

/// What `#pragma warning` does to the warnings that it lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WarningAction {
    /// `disable`
    Disable,
    /// `error`
    Error,
    /// `default`
    Default,
    /// `once`
    Once,
}

/// What a pragma means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PragmaKind {
    /// `pack_matrix(row_major|column_major)`: the default of later declarations.
    PackMatrix {
        /// Rows, not columns.
        row_major: bool,
    },
    /// `warning(action : numbers)`
    Warning {
        /// What to do.
        action: WarningAction,
        /// With which AQ numbers.
        numbers: Vec<u32>,
    },
    /// `warning(push)`
    WarningPush,
    /// `warning(pop)`
    WarningPop,
    /// `message("text")`: a note to show.
    Message(String),
}

/// A pragma in its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PragmaEvent {
    /// The token that it stands in front of, by its number in [`Preprocessed::tokens`](super::Preprocessed::tokens).
    pub before: usize,
    /// Where it stands.
    pub span: Span,
    /// What it means.
    pub kind: PragmaKind,
}

impl Preprocessor<'_> {
    /// `#pragma` with the tokens behind it.
    pub(super) fn pragma(&mut self, tokens: &[Token], span: Span) {
        let Some((first, rest)) = tokens.split_first() else { return };
        let text: Vec<&str> = rest.iter().map(|t| t.text(self.names)).collect();
        match first.text(self.names) {
            "once" => self.once(),
            "pack_matrix" => match &*text {
                ["(", order @ ("row_major" | "column_major"), ")"] => {
                    let row_major = *order == "row_major";
                    self.event(span, PragmaKind::PackMatrix { row_major });
                }
                _ => self.unknown(span, "pragma pack_matrix takes (row_major) or (column_major)"),
            },
            "warning" => match &*text {
                ["(", "push", ..] => self.event(span, PragmaKind::WarningPush),
                ["(", "pop", ")"] => self.event(span, PragmaKind::WarningPop),
                ["(", ..] => self.warnings(rest, span),
                _ => self.unknown(span, "pragma warning takes actions and numbers in parentheses"),
            },
            "message" => {
                let mut message = String::new();
                for token in rest.iter().filter(|t| t.kind == TokenKind::StringLit) {
                    value::string(self.names.get(token.name), &mut message);
                }
                self.event(span, PragmaKind::Message(message));
            }
            // Other compilers take them; they change nothing here.
            "dxc" | "def" | "ruledisable" | "region" | "endregion" => {}
            other => {
                let text = format!("unknown pragma '{}'", super::shown(other));
                self.unknown(span, &text);
            }
        }
    }

    fn unknown(&mut self, span: Span, text: &str) {
        self.diags.push(Diagnostic::warning(&AQ1120, text).at(span, ""));
    }

    /// `(action : numbers; action : numbers)`
    fn warnings(&mut self, tokens: &[Token], span: Span) {
        let mut action = None;
        let mut numbers = Vec::new();
        let mut events = Vec::new();
        for token in tokens.iter().skip(1) {
            let text = token.text(self.names);
            match (text, token.kind) {
                (":" | ",", _) => {}
                (";" | ")", _) => {
                    if let Some(action) = action.take() {
                        events.push(PragmaKind::Warning { action, numbers: std::mem::take(&mut numbers) });
                    }
                }
                (_, TokenKind::Number) => numbers.extend(self.integer(token).and_then(|n| u32::try_from(n).ok())),
                (name, _) if name.starts_with("AQ") => {
                    numbers.extend(name.get(2..).and_then(|n| n.parse::<u32>().ok()))
                }
                ("disable", _) => action = Some(WarningAction::Disable),
                ("error", _) => action = Some(WarningAction::Error),
                ("default", _) => action = Some(WarningAction::Default),
                ("once", _) => action = Some(WarningAction::Once),
                _ => return self.unknown(span, "pragma warning takes disable, error, default or once, and numbers"),
            }
        }
        for event in events {
            self.event(span, event);
        }
    }

    fn event(&mut self, span: Span, kind: PragmaKind) {
        self.join_strings();
        self.pragmas.push(PragmaEvent { before: self.out.len(), span, kind });
    }

    /// `_Pragma("text")`, of which the word has been read.
    pub(super) fn pragma_operator(&mut self, word: Tok) {
        let parts = [self.next_expanded(), self.next_expanded(), self.next_expanded()];
        let kinds = parts.map(|t| t.map(|t| t.token.kind));
        if kinds != [TokenKind::LParen, TokenKind::StringLit, TokenKind::RParen].map(Some) {
            return self.unknown(word.token.span, "_Pragma takes a string in parentheses");
        }
        let mut text = String::new();
        if let [_, Some(string), _] = parts {
            value::string(self.names.get(string.token.name), &mut text);
        }
        let span = word.token.span;
        let mut lexer = Lexer { source: span.source, pos: 0, line_start: false, directive: true };
        let mut tokens = Vec::new();
        loop {
            let mut sink = Sink { names: self.names, keywords: &self.keywords, diags: self.diags, limits: self.limits };
            let token = lexer.next(&text, &mut sink);
            if token.kind == TokenKind::End {
                break;
            }
            tokens.push(Token { span, ..token });
        }
        self.pragma(&tokens, span);
    }
}
