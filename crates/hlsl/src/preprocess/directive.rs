//! Directives, conditional groups and included files (sheet A3.1, A3.10 to A3.16).

use super::{Preprocessor, Requests, Tok, condition};
use crate::codes::*;
use crate::include::{CanonicalName, IncludeError, IncludeKind};
use crate::lex::{Lexer, Sink, open_comment, skip, value};
use crate::options::Version;
use crate::token::{Literal, Token, TokenFlags, TokenKind};
use aquatint_base::{Diagnostic, HashMap, HashSet, LineMark, Name, Source, SourceId, Span};
use std::sync::Arc;

/// An open conditional.
pub struct Condition {
    /// The directive that opened it.
    span: Span,
    /// Whether a group of it has been taken, or none may be.
    taken: bool,
    /// Whether the group at hand is read.
    active: bool,
    /// Whether `#else` has been.
    ended: bool,
}

/// How far a file looks like `#ifndef X … #endif` and nothing else (A3.13).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guard {
    /// Nothing but comments so far.
    Start,
    /// In the group of the guard.
    Inside(Name),
    /// Behind the `#endif`.
    After(Name),
    /// It does not.
    Not,
}

/// Files that have been opened.
#[derive(Default)]
pub struct Loaded {
    /// In order.
    pub names: Vec<CanonicalName>,
    by_key: HashMap<String, SourceId>,
    by_request: Requests,
    canonical: HashMap<SourceId, CanonicalName>,
    once: HashSet<SourceId>,
    guards: HashMap<SourceId, Name>,
    bytes: usize,
    includes: usize,
}

impl Loaded {
    pub fn enter(&mut self, name: &CanonicalName, source: SourceId) {
        self.names.push(name.clone());
        self.by_key.insert(name.key.clone(), source);
        self.canonical.insert(source, name.clone());
    }
}

impl Preprocessor<'_> {
    /// Whether a file of that length is within the limits.
    pub(super) fn admit(&mut self, length: usize, at: Span, name: &str) -> bool {
        self.loaded.bytes = self.loaded.bytes.saturating_add(length);
        if length > self.limits.file_bytes {
            let text = format!("'{name}' has {length} bytes; the limit is {}", self.limits.file_bytes);
            self.stop(&AQ4001, at, text);
        } else if self.loaded.bytes > self.limits.total_bytes {
            let text = format!("all files together have more than {} bytes", self.limits.total_bytes);
            self.stop(&AQ4001, at, text);
        }
        !self.stopped
    }

    /// The next token of the files that is no directive and not skipped.
    pub(super) fn file_token(&mut self) -> Option<Tok> {
        loop {
            if self.stopped {
                return None;
            }
            let token = self.raw_token()?;
            match token.kind {
                TokenKind::Eof => {
                    self.end_file();
                    if self.files.is_empty() {
                        return None;
                    }
                }
                TokenKind::Hash if token.starts_line() => self.directive(token.span),
                _ => {
                    if let Some(file) = self.files.last_mut()
                        && file.conditions.is_empty()
                    {
                        file.guard = Guard::Not;
                    }
                    return Some(Tok { token, hide: 0 });
                }
            }
        }
    }

    fn end_file(&mut self) {
        let Some(file) = self.files.pop() else { return };
        for open in file.conditions.iter().rev().take(8) {
            let end = Span::new(file.source, file.lexer.pos as u32, file.lexer.pos as u32);
            self.diags.push(
                Diagnostic::error(&AQ1107, "conditional without #endif at the end of the file")
                    .at(end, "")
                    .at(open.span, "it is opened here"),
            );
        }
        if let Guard::After(name) = file.guard {
            self.loaded.guards.insert(file.source, name);
        }
        // What follows in the including file starts a line.
        self.carry = self.carry.with(TokenFlags::LINE_START);
    }

    /// The directive of which the `#` at `hash` has been read.
    fn directive(&mut self, hash: Span) {
        if let Some(file) = self.files.last_mut() {
            file.lexer.directive = true;
        }
        let Some(word) = self.raw_token() else { return };
        let span = Span { end: word.span.end.max(hash.end), ..hash };
        let name = self.names.get(word.name).to_string();
        let depth = self.files.last().map_or(0, |f| f.conditions.len());
        let guard = self.files.last().map_or(Guard::Not, |f| f.guard);
        let conditional =
            matches!(&*name, "if" | "ifdef" | "ifndef" | "elif" | "elifdef" | "elifndef" | "else" | "endif");
        if depth == 0
            && word.kind != TokenKind::End
            && !conditional
            && let Some(file) = self.files.last_mut()
        {
            file.guard = Guard::Not;
        }
        match &*name {
            _ if word.kind == TokenKind::End => self.end_line(),
            // A line marker, as other preprocessors print.
            _ if word.kind == TokenKind::Number => {
                let mut line = self.read_line();
                line.insert(0, Tok { token: word, hide: 0 });
                self.line_directive(line, span);
            }
            "define" => {
                let line = self.read_line();
                self.define(&line, span);
                self.line = line;
            }
            "undef" => {
                let line = self.read_line();
                if let Some(tok) = self.macro_name(line.first(), span) {
                    self.macros.remove(tok.token.name);
                }
                self.line = line;
            }
            "if" | "ifdef" | "ifndef" => {
                let (truth, tested) = self.test(&name, span);
                if depth == 0
                    && let Some(file) = self.files.last_mut()
                {
                    file.guard = match (guard, tested) {
                        (Guard::Start, Some(of)) => Guard::Inside(of),
                        _ => Guard::Not,
                    };
                }
                self.open_condition(span, truth, !truth);
                self.skip();
            }
            "elif" | "elifdef" | "elifndef" | "else" | "endif" => {
                self.continue_condition(&name, span);
                self.skip();
            }
            "include" => self.include(span),
            "line" => {
                let line = self.read_line();
                self.line_directive(line, span);
            }
            "error" | "warning" => {
                let text = self.rest_text();
                let diagnostic = match &*name {
                    "error" => Diagnostic::error(&AQ1105, format!("#error {text}")),
                    _ => Diagnostic::warning(&AQ1106, format!("#warning {text}")),
                };
                self.diags.push(diagnostic.at(span, ""));
            }
            "pragma" => {
                let line = self.read_line();
                let tokens: Vec<Token> = line.iter().map(|t| t.token).collect();
                self.pragma(&tokens, span);
                self.line = line;
            }
            _ => {
                let near = nearest(&name);
                let mut fault = Diagnostic::error(&AQ1101, format!("unknown directive '#{}'", word.text(self.names)));
                if let Some(near) = near {
                    fault = fault.help(format!("did you mean '#{near}'?"));
                }
                self.diags.push(fault.at(span, ""));
                self.end_line();
            }
        }
    }

    /// Passes the rest of the line.
    pub(super) fn end_line(&mut self) {
        let Some(file) = self.files.last_mut() else { return };
        let bytes = self.sources.get(file.source).and_then(Source::as_text).unwrap_or_default().as_bytes();
        file.lexer.pos = match skip::rest_of_line(bytes, file.lexer.pos) {
            Ok(end) => end,
            Err(open) => {
                self.diags.push(open_comment(file.source, open, open + 2));
                bytes.len()
            }
        };
        file.lexer.directive = false;
        file.lexer.line_start = true;
    }

    /// The tokens of the rest of the line.
    fn read_line(&mut self) -> Vec<Tok> {
        let mut line = std::mem::take(&mut self.line);
        line.clear();
        let mut header = 0;
        while let Some(token) = self.raw_token().filter(|t| !matches!(t.kind, TokenKind::End | TokenKind::Eof)) {
            line.push(Tok { token, hide: 0 });
            // `__has_include(<f>)`
            header = match (header, token.kind) {
                (_, TokenKind::Ident) if token.name == self.words.has_include => 1,
                (1, TokenKind::LParen) => {
                    if let Some(name) = self.header_name() {
                        line.push(Tok { token: name, hide: 0 });
                    }
                    0
                }
                _ => 0,
            };
        }
        self.end_line();
        line
    }

    fn header_name(&mut self) -> Option<Token> {
        let file = self.files.last_mut()?;
        let text = self.sources.get(file.source)?.as_text()?;
        let mut sink = Sink { names: self.names, keywords: &self.keywords, diags: self.diags, limits: self.limits };
        file.lexer.header_name(text, &mut sink)
    }

    /// The text of the rest of the line.
    fn rest_text(&mut self) -> String {
        let start = self.files.last().map_or(0, |f| f.lexer.pos);
        self.end_line();
        let Some(file) = self.files.last() else { return String::new() };
        let text = self.sources.get(file.source).and_then(Source::as_text).unwrap_or_default();
        text.get(start..file.lexer.pos).unwrap_or_default().trim().chars().take(400).collect()
    }

    fn open_condition(&mut self, span: Span, active: bool, may: bool) {
        let limit = self.limits.conditional_nesting;
        let Some(file) = self.files.last_mut() else { return };
        if file.conditions.len() >= limit {
            return self.stop(&AQ4004, span, format!("conditionals nest more than {limit} deep"));
        }
        file.conditions.push(Condition { span, taken: !may, active, ended: false });
    }

    /// Whether the group of `#if` or its kin is read, and the name that a guard would test.
    fn test(&mut self, directive: &str, span: Span) -> (bool, Option<Name>) {
        let line = self.read_line();
        let result = if directive.ends_with("def") {
            match line.first().filter(|t| t.token.kind.is_word()) {
                None => {
                    self.fail(&AQ1109, span, format!("#{directive} without the name of a macro"));
                    (false, None)
                }
                Some(tok) => {
                    let known = self.is_defined(tok.token.name);
                    let negated = directive.ends_with("ndef");
                    (known != negated, negated.then_some(tok.token.name))
                }
            }
        } else {
            (self.condition(&line, span), self.tests_undefined(&line))
        };
        self.line = line;
        result
    }

    fn is_defined(&self, name: Name) -> bool {
        self.macros.find(name).is_some() || name == self.words.has_include || name == self.words.pragma
    }

    /// The name in `!defined(X)` or `!defined X`.
    fn tests_undefined(&self, line: &[Tok]) -> Option<Name> {
        let kinds: Vec<TokenKind> = line.iter().take(6).map(|t| t.token.kind).collect();
        let name = |at: usize| line.get(at).map(|t| t.token.name);
        if kinds.first() != Some(&TokenKind::Not) || name(1) != Some(self.words.defined) {
            return None;
        }
        match kinds.get(2..)? {
            [kind] if kind.is_word() => name(2),
            [TokenKind::LParen, kind, TokenKind::RParen] if kind.is_word() => name(3),
            _ => None,
        }
    }

    /// The value of `#if` (A3.10).
    fn condition(&mut self, line: &[Tok], span: Span) -> bool {
        self.in_condition = true;
        let line = self.expand_line(line);
        self.in_condition = false;
        let mut tokens: Vec<Token> = Vec::with_capacity(line.len());
        let one = self.names.intern("1");
        let zero = self.names.intern("0");
        let mut at = 0;
        while let Some(tok) = line.get(at) {
            at += 1;
            let mut token = tok.token;
            let is = |at: usize, kind: TokenKind| line.get(at).is_some_and(|t| t.token.kind == kind);
            if token.kind.is_word() && token.name == self.words.defined {
                let open = is(at, TokenKind::LParen);
                let of = line.get(at + usize::from(open)).filter(|t| t.token.kind.is_word());
                let Some(of) = of.filter(|_| !open || is(at + 2, TokenKind::RParen)) else {
                    self.fail(&AQ1109, token.span, "'defined' takes the name of a macro");
                    return false;
                };
                at += if open { 3 } else { 1 };
                token.kind = TokenKind::Number;
                token.name = if self.is_defined(of.token.name) { one } else { zero };
            } else if token.kind.is_word() && token.name == self.words.has_include {
                let name = line.get(at + 1).map(|t| t.token);
                let request = name.and_then(|t| self.header(&line[at + 1..], t));
                let Some((path, kind, used)) = request.filter(|_| is(at, TokenKind::LParen)) else {
                    self.fail(&AQ1109, token.span, "'__has_include' takes a file name in parentheses");
                    return false;
                };
                if !is(at + 1 + used, TokenKind::RParen) {
                    self.fail(&AQ1109, token.span, "'__has_include' without ')'");
                    return false;
                }
                at += used + 2;
                token.kind = TokenKind::Number;
                token.name = if self.find(&path, kind).is_ok() { one } else { zero };
            }
            tokens.push(token);
        }
        let modern = self.options.version >= Version::V2021;
        let names = &*self.names;
        let result = condition::evaluate(&tokens, span, |token| {
            let text = names.get(token.name);
            let parsed =
                if token.kind == TokenKind::CharLit { value::character(text) } else { value::number(text, modern) };
            parsed.map_err(|fault| {
                let (code, why) = match fault {
                    value::Fault::Malformed(why) => (&AQ1109, why),
                    value::Fault::Range(why) => (&AQ1005, why),
                    value::Fault::Empty => (&AQ1003, "character without a character"),
                };
                condition::Fault {
                    code,
                    span: token.span,
                    message: format!("'{}' in a condition: {why}", super::shown(text)),
                }
            })
        });
        match result {
            Ok(truth) => truth,
            Err(fault) => {
                self.fail(fault.code, fault.span, fault.message);
                false
            }
        }
    }

    /// `#elif` and its kin, `#else`, `#endif`, behind a group that was read or skipped.
    fn continue_condition(&mut self, directive: &str, span: Span) {
        let Some(condition) = self.files.last().and_then(|f| f.conditions.last()) else {
            let text = format!("#{directive} without #if");
            self.end_line();
            return self.fail(&AQ1107, span, text);
        };
        let (taken, ended, opener) = (condition.taken, condition.ended, condition.span);
        if directive == "endif" {
            self.end_line();
            if let Some(file) = self.files.last_mut() {
                file.conditions.pop();
                if let (Guard::Inside(name), true) = (file.guard, file.conditions.is_empty()) {
                    file.guard = Guard::After(name);
                }
            }
            return;
        }
        if ended {
            let fault = Diagnostic::error(&AQ1108, format!("#{directive} behind #else")).at(span, "");
            self.diags.push(fault.at(opener, "the conditional is opened here"));
        }
        // The value of a group behind the one that was taken is of no interest.
        let active = if taken || ended {
            self.end_line();
            false
        } else if directive == "else" {
            self.end_line();
            true
        } else {
            self.test(directive.trim_start_matches("el"), span).0
        };
        let Some(file) = self.files.last_mut() else { return };
        if file.conditions.len() == 1 {
            file.guard = Guard::Not;
        }
        if let Some(condition) = file.conditions.last_mut() {
            condition.active = active;
            condition.taken |= active;
            condition.ended |= directive == "else";
        }
    }

    /// Passes groups that are not read, until one is.
    fn skip(&mut self) {
        while !self.stopped {
            let Some(file) = self.files.last_mut() else { return };
            if file.conditions.last().is_none_or(|c| c.active) {
                return;
            }
            let Some(text) = self.sources.get(file.source).and_then(Source::as_text) else { return };
            let bytes = text.as_bytes();
            let hash = match skip::directive(bytes, file.lexer.pos) {
                skip::Skipped::Hash(at) => at,
                skip::Skipped::End => {
                    file.lexer.pos = bytes.len();
                    return;
                }
                skip::Skipped::OpenComment(at) => {
                    file.lexer.pos = bytes.len();
                    return self.diags.push(open_comment(file.source, at, at + 2));
                }
            };
            file.lexer = Lexer { pos: hash + 1, directive: true, line_start: false, ..file.lexer };
            let mut sink = Sink { names: self.names, keywords: &self.keywords, diags: self.diags, limits: self.limits };
            let word = file.lexer.next(text, &mut sink);
            let span = Span::new(file.source, hash as u32, word.span.end);
            match word.text(self.names) {
                "if" | "ifdef" | "ifndef" => {
                    self.end_line();
                    self.open_condition(span, false, false);
                }
                name @ ("elif" | "elifdef" | "elifndef" | "else" | "endif") => {
                    let name = name.to_string();
                    self.continue_condition(&name, span);
                }
                _ => self.end_line(),
            }
        }
    }

    /// `#line` (A3.14).
    fn line_directive(&mut self, line: Vec<Tok>, span: Span) {
        let tokens = self.expand_line(&line);
        self.line = line;
        let number = tokens.first().filter(|t| t.token.kind == TokenKind::Number).map(|t| self.names.get(t.token.name));
        let number = number.filter(|n| n.bytes().all(|b| b.is_ascii_digit())).and_then(|n| n.parse::<u32>().ok());
        let Some(number) = number.filter(|n| (1..=0x7fff_ffff).contains(n)) else {
            return self.fail(&AQ1118, span, "#line takes a number from 1 to 2147483647");
        };
        let name = match tokens.get(1).map(|t| t.token) {
            None => None,
            Some(token) if token.kind == TokenKind::StringLit => {
                let mut text = String::new();
                value::string(self.names.get(token.name), &mut text);
                Some(Arc::from(text))
            }
            Some(_) => return self.fail(&AQ1118, span, "behind the number of #line stands a file name in quotes"),
        };
        if self.options.ignore_line_directives {
            return;
        }
        let Some(file) = self.files.last() else { return };
        if let Some(source) = self.sources.get_mut(file.source) {
            let next = source.line(file.lexer.pos as u32).and_then(|l| source.line_start(l + 1));
            if let Some(start) = next {
                source.mark(LineMark { start, line: number, name });
            }
        }
    }

    /// A file name at the start of `tokens`, of which `first` is the first: its text, kind, and how many tokens it takes.
    fn header(&self, tokens: &[Tok], first: Token) -> Option<(String, IncludeKind, usize)> {
        let inner = |text: &str| text.get(1..text.len().saturating_sub(1)).unwrap_or_default().to_string();
        match first.kind {
            TokenKind::StringLit => Some((inner(self.names.get(first.name)), IncludeKind::Quoted, 1)),
            TokenKind::HeaderName => Some((inner(self.names.get(first.name)), IncludeKind::Angled, 1)),
            TokenKind::Less => {
                let end = tokens.iter().position(|t| t.token.kind == TokenKind::Greater)?;
                let mut text = String::new();
                for (at, tok) in tokens.get(1..end)?.iter().enumerate() {
                    if at > 0 && tok.token.has_blank() {
                        text.push(' ');
                    }
                    text.push_str(tok.token.text(self.names));
                }
                Some((text, IncludeKind::Angled, end + 1))
            }
            _ => None,
        }
    }

    /// `#include` (A3.12).
    fn include(&mut self, span: Span) {
        let line = match self.header_name() {
            Some(name) => {
                self.end_line();
                vec![Tok { token: name, hide: 0 }]
            }
            None => self.read_line(),
        };
        let direct = line.first().is_some_and(|t| matches!(t.token.kind, TokenKind::StringLit | TokenKind::HeaderName));
        let tokens = if direct { line } else { self.expand_line(&line) };
        let header = tokens.first().and_then(|t| self.header(&tokens, t.token));
        let Some((path, kind, _)) = header.filter(|(path, ..)| !path.is_empty()) else {
            return self.fail(&AQ1119, span, "#include takes a name in quotes or in angle brackets");
        };
        let at = tokens.first().map_or(span, |t| t.token.span);
        let source = match self.find(&path, kind) {
            Ok(source) => source,
            Err(IncludeError::NotFound(tried)) => {
                let mut fault = Diagnostic::error(&AQ1102, format!("included file '{path}' is not found")).at(at, "");
                for place in tried.iter().take(32) {
                    fault = fault.note(format!("tried '{place}'"));
                }
                return self.diags.push(fault);
            }
            Err(IncludeError::Refused(why)) => return self.fail(&AQ1102, at, format!("included file '{path}': {why}")),
        };
        if self.stopped || self.loaded.once.contains(&source) {
            return;
        }
        if self.loaded.guards.get(&source).is_some_and(|&name| self.macros.find(name).is_some()) {
            return;
        }
        let depth = self.files.iter().filter(|f| f.included).count();
        if depth >= self.limits.include_depth {
            return self.stop(&AQ4002, at, format!("files are included more than {} deep", self.limits.include_depth));
        }
        self.loaded.includes += 1;
        if self.loaded.includes > self.limits.includes {
            return self.stop(&AQ4002, at, format!("more than {} files are included", self.limits.includes));
        }
        let length = self.sources.get(source).and_then(Source::as_text).map_or(0, str::len);
        if !self.admit(length, at, &path) {
            return;
        }
        let name = self.loaded.canonical.get(&source).cloned().unwrap_or_else(|| CanonicalName::plain(path));
        self.push_file(source, name, true);
    }

    /// The input that a request means; it is read once.
    fn find(&mut self, path: &str, kind: IncludeKind) -> Result<SourceId, IncludeError> {
        let from = self.files.last().map_or_else(|| CanonicalName::plain(""), |f| f.name.clone());
        let request = (path.to_string(), kind, from.key.clone());
        if let Some(&source) = self.loaded.by_request.get(&request) {
            return Ok(source);
        }
        let (name, bytes) = self.includes.open(path, kind, &from)?;
        let source = match self.loaded.by_key.get(&name.key) {
            Some(&source) => source,
            None => {
                if bytes.len() > self.limits.file_bytes {
                    let text = format!(
                        "'{}' has {} bytes; the limit is {}",
                        name.display,
                        bytes.len(),
                        self.limits.file_bytes
                    );
                    let at = self
                        .files
                        .last()
                        .map_or(Span::NONE, |f| Span::new(f.source, f.lexer.pos as u32, f.lexer.pos as u32));
                    self.stop(&AQ4001, at, text.clone());
                    return Err(IncludeError::Refused(text));
                }
                let source = self.sources.add(Source::text(name.display.clone(), String::from_utf8_lossy(&bytes)));
                self.loaded.enter(&name, source);
                source
            }
        };
        self.loaded.by_request.insert(request, source);
        Ok(source)
    }

    /// `#pragma once`: the file at hand is not read again.
    pub(super) fn once(&mut self) {
        if let Some(file) = self.files.last() {
            self.loaded.once.insert(file.source);
        }
    }

    /// The value of an integer token, for pragmas.
    pub(super) fn integer(&self, token: &Token) -> Option<u64> {
        match value::number(self.names.get(token.name), true) {
            Ok(Literal::Int(int)) if token.kind == TokenKind::Number => Some(int.value),
            _ => None,
        }
    }
}

/// The directive that is spelled most like `name`, within two edits (F1.3).
fn nearest(name: &str) -> Option<&'static str> {
    const ALL: [&str; 15] = [
        "define", "undef", "if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif", "include", "error",
        "warning", "line", "pragma",
    ];
    let near = ALL.into_iter().map(|d| (distance(name, d), d)).min()?;
    (near.0 <= 2 && name.len() > 2).then_some(near.1)
}

fn distance(a: &str, b: &str) -> usize {
    if a.len() > 16 {
        return a.len();
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut corner = i;
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let change = corner + usize::from(x != y);
            corner = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(corner + 1);
        }
    }
    row.last().copied().unwrap_or(0)
}
