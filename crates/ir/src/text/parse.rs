//! Text to a module. Goes on after an error, so that one run reports several.

mod body;
mod items;
mod operands;
mod values;

use super::lex::{self, Kind, Token};
use crate::codes;
use crate::function::FunctionId;
use crate::globals::GlobalId;
use crate::module::Module;
use crate::types::Struct;
use aquatint_base::{Code, Diagnostic, Diags, HashMap, Id, Limits, Name, SourceId, Span};

/// Regions, types and constants nest at most this deep in text, whatever the limits say: the reader is recursive.
const DEPTH: usize = 128;

/// Reads a module. `source` is what positions point into. `None` after an error, which `diags` then holds.
///
/// The module follows the grammar and no more: verify it before use.
pub fn parse(text: &str, source: SourceId, limits: &Limits, diags: &mut Diags) -> Option<Module> {
    if text.len() > limits.input_bytes.min(u32::MAX as usize / 2) {
        let message = format!("the text has {} bytes, more than the limit of {}", text.len(), limits.input_bytes);
        diags.push(Diagnostic::error(&codes::LIMIT, message).at(Span::new(source, 0, 0), ""));
        return None;
    }
    let before = diags.errors();
    let tokens = lex::lex(text, source, diags);
    let mut parser = Parser {
        text,
        tokens,
        at: 0,
        start: 0,
        source,
        limits,
        diags,
        module: Module::new(),
        structs: HashMap::default(),
        globals: HashMap::default(),
        functions: HashMap::default(),
        members: HashMap::default(),
        instructions: 0,
        depth: 0,
    };
    parser.module();
    let module = parser.module;
    (diags.errors() == before).then_some(module)
}

struct Parser<'t, 'd> {
    text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    /// The first token of the instruction or item at hand.
    start: usize,
    source: SourceId,
    limits: &'t Limits,
    diags: &'d mut Diags,
    module: Module,
    structs: HashMap<Name, Id<Struct>>,
    globals: HashMap<Name, GlobalId>,
    functions: HashMap<Name, FunctionId>,
    members: HashMap<(Id<Struct>, Name), u32>,
    instructions: usize,
    /// Nesting of types and constants at this place.
    depth: usize,
}

impl<'t> Parser<'t, '_> {
    fn token(&self) -> Token {
        self.tokens[self.at]
    }

    fn kind(&self) -> Kind {
        self.token().kind
    }

    /// The kind of the token `ahead` of this one.
    fn peek(&self, ahead: usize) -> Kind {
        self.tokens.get(self.at + ahead).map_or(Kind::End, |t| t.kind)
    }

    fn str_of(&self, token: Token) -> &'t str {
        &self.text[token.start as usize..token.end as usize]
    }

    fn span_of(&self, token: Token) -> Span {
        Span::new(self.source, token.start, token.end)
    }

    /// The place of this token.
    fn here(&self) -> Span {
        self.span_of(self.token())
    }

    /// Takes this token; the end token stays.
    fn bump(&mut self) -> Token {
        let token = self.token();
        if token.kind != Kind::End {
            self.at += 1;
        }
        token
    }

    fn error(&mut self, code: &'static Code, span: Span, message: impl Into<String>) {
        self.diags.push(Diagnostic::error(code, message).at(span, ""));
    }

    /// Reports, and gives the nothing that lets `?` leave.
    fn fail<T>(&mut self, code: &'static Code, span: Span, message: impl Into<String>) -> Option<T> {
        self.error(code, span, message);
        None
    }

    fn expected<T>(&mut self, what: &str) -> Option<T> {
        let token = self.token();
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        // What is missing at the end of a line is not missing on the next.
        if let Some(before) = before.filter(|_| token.kind == Kind::End || token.first && self.at > self.start) {
            let place = Span::new(self.source, before.end, before.end);
            let end = if token.kind == Kind::End { "text" } else { "line" };
            return self.fail(&codes::SYNTAX, place, format!("expected {what}, found the end of the {end}"));
        }
        let found = clip(self.str_of(token));
        self.fail(&codes::SYNTAX, self.span_of(token), format!("expected {what}, found `{found}`"))
    }

    fn is_mark(&self, mark: u8) -> bool {
        self.kind() == Kind::Mark(mark)
    }

    /// Takes a mark if it stands here.
    fn take(&mut self, mark: u8) -> bool {
        let found = self.is_mark(mark);
        if found {
            self.at += 1;
        }
        found
    }

    fn want(&mut self, mark: u8) -> Option<()> {
        if self.take(mark) { Some(()) } else { self.expected(&format!("`{}`", mark as char)) }
    }

    /// The word that stands here, or an empty string.
    fn word(&self) -> &'t str {
        if self.kind() == Kind::Word { self.str_of(self.token()) } else { "" }
    }

    /// Takes a word if it stands here.
    fn take_word(&mut self, word: &str) -> bool {
        let found = self.word() == word;
        if found {
            self.at += 1;
        }
        found
    }

    fn want_word(&mut self, word: &str) -> Option<()> {
        if self.take_word(word) { Some(()) } else { self.expected(&format!("`{word}`")) }
    }

    fn u32(&mut self) -> Option<u32> {
        let token = self.token();
        if token.kind != Kind::Number {
            return self.expected("a whole number");
        }
        self.bump();
        let text = self.str_of(token);
        match super::number::parse_integer(text).and_then(|v| u32::try_from(v).ok()) {
            Some(value) => Some(value),
            None => {
                let message = format!("`{}` is no whole number of 32 bits", clip(text));
                self.fail(&codes::LITERAL, self.span_of(token), message)
            }
        }
    }

    /// A number in parentheses.
    fn u32_argument(&mut self) -> Option<u32> {
        self.want(b'(')?;
        let value = self.u32()?;
        self.want(b')')?;
        Some(value)
    }

    /// A word in parentheses.
    fn word_argument(&mut self) -> Option<(&'t str, Span)> {
        self.want(b'(')?;
        let (word, span) = (self.word(), self.here());
        if word.is_empty() {
            return self.expected("a word");
        }
        self.bump();
        self.want(b')')?;
        Some((word, span))
    }

    /// A bare name or a string.
    fn name(&mut self) -> Option<Name> {
        let token = self.token();
        match token.kind {
            Kind::Word => {
                self.bump();
                Some(self.module.names.intern(self.str_of(token)))
            }
            Kind::Text => {
                self.bump();
                self.intern_quoted(self.str_of(token), token)
            }
            _ => self.expected("a name"),
        }
    }

    fn intern_quoted(&mut self, quoted: &str, token: Token) -> Option<Name> {
        match lex::unescape(quoted) {
            Some(name) => Some(self.module.names.intern(&name)),
            // A string without its end was reported by the lexer.
            None => self.fail(&codes::TOKEN, self.span_of(token), "the string has an escape that there is not"),
        }
    }

    /// The name behind a sign, `%` or `@`. Numbers are names too for everything but values.
    fn sigil_name(&mut self, kind: Kind, what: &str) -> Option<(Name, Token)> {
        let token = self.token();
        if token.kind != kind {
            return self.expected(what);
        }
        self.bump();
        let text = &self.str_of(token)[1..];
        if text.is_empty() {
            return self.fail(&codes::SYNTAX, self.span_of(token), format!("expected {what}, found a sign alone"));
        }
        let name =
            if text.starts_with('"') { self.intern_quoted(text, token)? } else { self.module.names.intern(text) };
        Some((name, token))
    }

    /// A position: `!(source, start, end)`; `None` where none stands.
    fn span_option(&mut self) -> Option<Option<Span>> {
        if !self.take(b'!') {
            return Some(None);
        }
        self.want(b'(')?;
        let number = self.token();
        let source = self.u32()?;
        if SourceId(source) == Span::NONE.source {
            // Read, it would be no position, and the text of the module would have lost it.
            return self.fail(&codes::SYNTAX, self.span_of(number), format!("{source} numbers no source"));
        }
        self.want(b',')?;
        let start = self.u32()?;
        self.want(b',')?;
        let end = self.u32()?;
        self.want(b')')?;
        Some(Some(Span::new(SourceId(source), start, end)))
    }

    /// Runs `inner` one level deeper in types and constants.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= self.limits.nesting.min(DEPTH) {
            let message = format!("types and constants nest deeper than {} here", self.limits.nesting.min(DEPTH));
            return self.fail(&codes::LIMIT, self.here(), message);
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// Whether one more entry may be made where there are `count` already.
    fn room(&mut self, count: usize, what: &str) -> Option<()> {
        if count < self.limits.entities {
            return Some(());
        }
        let message = format!("the module declares more than {} {what}", self.limits.entities);
        self.fail(&codes::LIMIT, self.here(), message)
    }
}

/// At most 40 characters of a piece of input, for a message.
fn clip(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
