//! Expansion of macros (sheet A3.3 to A3.8), as a machine with stacks of its own: input shapes make no recursion.

use super::macros::{Builtin, Item, Macro, Role};
use super::{Preprocessor, Tok};
use crate::codes::{AQ1112, AQ1113, AQ1114, AQ4003, AQ4010};
use crate::lex::{Lexer, Sink, value};
use crate::origin::{Expansion, ExpansionId};
use crate::token::{Token, TokenFlags, TokenKind};
use aquatint_base::{Diagnostic, Name, Span};
use std::ops::Range;
use std::sync::Arc;

/// A use of a function-like macro whose arguments are being expanded.
pub struct Call {
    id: u32,
    tok: Tok,
    hide: u32,
    /// Its arguments in the stack of arguments.
    args: usize,
    /// Where its tokens begin in the stack of tokens of arguments.
    work: usize,
    /// The argument that is being expanded, and where its tokens begin.
    param: usize,
    out: usize,
    /// How many pending tokens are not of the argument.
    base: usize,
}

#[derive(Clone, Default)]
pub struct Arg {
    raw: Range<usize>,
    expanded: Range<usize>,
}

enum Taken {
    Tok(Tok),
    ArgEnd,
    End,
}

impl Preprocessor<'_> {
    /// The next token that no macro expands further; `None` at the end of the text or of the directive.
    pub(super) fn next_expanded(&mut self) -> Option<Tok> {
        loop {
            if self.stopped {
                return None;
            }
            let tok = match self.take() {
                Taken::Tok(tok) => tok,
                Taken::ArgEnd => {
                    self.finish_argument();
                    continue;
                }
                Taken::End => return None,
            };
            if tok.token.kind.is_word() && !self.protected(&tok) {
                if let Some(id) = self.macros.find(tok.token.name)
                    && !self.hide.contains(tok.hide, tok.token.name)
                    && self.begin(id, tok)
                {
                    continue;
                }
            } else if self.protect == 1 && !tok.token.kind.is_word() {
                self.protect = if tok.token.kind == TokenKind::LParen { 2 } else { 0 };
            }
            if self.calls.is_empty() {
                return Some(tok);
            }
            self.work.push(tok);
        }
    }

    /// Whether a word stands behind `defined` in a condition.
    fn protected(&mut self, tok: &Tok) -> bool {
        if !self.in_condition {
            return false;
        }
        if tok.token.name == self.words.defined {
            self.protect = 1;
            return true;
        }
        std::mem::take(&mut self.protect) != 0
    }

    fn take(&mut self) -> Taken {
        if self.calls.last().is_some_and(|call| self.pending.len() <= call.base) {
            return Taken::ArgEnd;
        }
        if let Some(tok) = self.pending.pop() {
            return Taken::Tok(tok);
        }
        if self.in_directive {
            return Taken::End;
        }
        self.file_token().map_or(Taken::End, Taken::Tok)
    }

    /// Counts tokens that a step makes.
    fn spend(&mut self, tokens: usize, at: Span) -> bool {
        self.spent += tokens;
        self.spent_total += tokens;
        if self.spent > self.limits.expansion_tokens {
            let text = format!("one expansion makes more than {} tokens", self.limits.expansion_tokens);
            self.stop(&AQ4003, at, text);
        } else if self.spent_total > self.limits.tokens.saturating_mul(2) {
            self.stop(&AQ4003, at, format!("macros make more than {} tokens", self.limits.tokens.saturating_mul(2)));
        }
        !self.stopped
    }

    /// Expands a use of a macro; false where it is none.
    fn begin(&mut self, id: u32, tok: Tok) -> bool {
        // A token of the text itself: nothing is left of the use before.
        if tok.hide == 0 && tok.token.expansion.is_none() && self.calls.is_empty() && self.pending.is_empty() {
            self.hide.reset();
            self.spent = 0;
            if self.out.len() == self.out_mark {
                self.expansions.truncate(self.expansions_mark);
            }
            self.out_mark = self.out.len();
            self.expansions_mark = self.expansions.len();
        }
        let Some(of) = self.macros.get(id) else { return false };
        let (name, definition, function) = (of.name, of.span, of.function);
        let depth = self.hide.len(tok.hide) + self.calls.len();
        if function && !self.open_parenthesis() {
            return false;
        }
        if depth >= self.limits.macro_depth {
            let text = format!("macros expand within macros more than {} deep", self.limits.macro_depth);
            self.stop(&AQ4003, tok.token.span, text);
            return true;
        }
        let Some(of) = self.macros.get(id) else { return false };
        if let Some(builtin) = of.builtin {
            let value = self.builtin(builtin, tok);
            self.pending.push(value);
            self.spend(1, tok.token.span);
            return true;
        }
        if !function {
            let (plain, body) = (of.plain, Arc::clone(&of.body));
            let hide = self.hide.add(tok.hide, name);
            if !self.spend(body.len(), tok.token.span) {
                return true;
            }
            if plain {
                let from = self.pending.len();
                let expansion = if body.is_empty() { ExpansionId::NONE } else { self.origin(name, definition, tok) };
                self.pending.extend(body.iter().map(|item| placed(item.tok, tok, expansion, hide)));
                self.lead(from, tok);
            } else {
                let result = self.substitute(id, &[], tok, hide);
                self.replace(result, tok);
            }
            return true;
        }
        self.collect(id, tok);
        true
    }

    fn origin(&mut self, name: Name, definition: Span, tok: Tok) -> ExpansionId {
        self.expansions.push(Expansion { name, definition, parent: tok.token.expansion })
    }

    /// The tokens from `from` on are in order: the first gets the blanks of `tok`, and all are turned round.
    fn lead(&mut self, from: usize, tok: Tok) {
        match self.pending.get_mut(from) {
            Some(first) => first.token.flags = tok.token.flags,
            None => self.carry = self.carry.with(tok.token.flags),
        }
        if let Some(tail) = self.pending.get_mut(from..) {
            tail.reverse();
        }
    }

    fn replace(&mut self, mut result: Vec<Tok>, tok: Tok) {
        let from = self.pending.len();
        self.pending.append(&mut result);
        self.result = result;
        self.lead(from, tok);
    }

    fn builtin(&mut self, builtin: Builtin, tok: Tok) -> Tok {
        let source = self.sources.get(tok.token.span.source);
        let (file, line) = source.and_then(|s| s.presumed(tok.token.span.start)).unwrap_or(("", 1));
        let mut text = String::new();
        let kind = match builtin {
            Builtin::Line => {
                text = line.to_string();
                TokenKind::Number
            }
            Builtin::File => {
                value::quote(file, &mut text);
                TokenKind::StringLit
            }
            Builtin::Counter => {
                text = self.counter.to_string();
                self.counter += 1;
                TokenKind::Number
            }
        };
        Tok { token: Token { kind, name: self.names.intern(&text), ..tok.token }, hide: 0 }
    }

    /// Takes a `(` if it is next.
    fn open_parenthesis(&mut self) -> bool {
        let base = self.calls.last().map_or(0, |c| c.base);
        if self.pending.len() > base {
            let open = self.pending.last().is_some_and(|t| t.token.kind == TokenKind::LParen);
            if open {
                self.pending.pop();
            }
            return open;
        }
        if !self.calls.is_empty() || self.in_directive {
            return false;
        }
        let before = self.files.last().map(|f| f.lexer);
        let open = self.raw_token().is_some_and(|t| t.kind == TokenKind::LParen);
        if !open && let (Some(file), Some(before)) = (self.files.last_mut(), before) {
            file.lexer = before;
        }
        open
    }

    /// Takes the arguments behind the `(`, and starts to expand them.
    fn collect(&mut self, id: u32, tok: Tok) {
        let Some(of) = self.macros.get(id) else { return };
        let (count, variadic, name, definition) = (of.expand.len(), of.variadic, of.name, of.span);
        let (args, work) = (self.args.len(), self.work.len());
        let mut start = work;
        let mut depth = 0usize;
        let close = loop {
            let base = self.calls.last().map_or(0, |c| c.base);
            let next = if self.pending.len() > base {
                self.pending.pop()
            } else if self.calls.is_empty() && !self.in_directive {
                let before = self.files.last().map(|f| f.lexer);
                let next = self.raw_token();
                let ends =
                    next.is_none_or(|t| t.kind == TokenKind::Eof || (t.kind == TokenKind::Hash && t.starts_line()));
                if ends && let (Some(file), Some(before)) = (self.files.last_mut(), before) {
                    file.lexer = before;
                }
                next.filter(|_| !ends).map(|token| Tok { token, hide: 0 })
            } else {
                None
            };
            let Some(mut next) = next else {
                let text = format!(
                    "the arguments of macro '{}' are not closed before the end or a directive",
                    self.names.get(name)
                );
                self.fail_from(&AQ1113, tok, text);
                break None;
            };
            if next.token.starts_line() {
                next.token.flags = TokenFlags::BLANK;
            }
            match next.token.kind {
                TokenKind::RParen if depth == 0 => break Some(next),
                TokenKind::LParen => depth += 1,
                TokenKind::RParen => depth -= 1,
                TokenKind::Comma if depth == 0 && !(variadic && self.args.len() - args + 1 == count) => {
                    self.args.push(Arg { raw: start..self.work.len(), expanded: 0..0 });
                    start = self.work.len();
                    continue;
                }
                _ => {}
            }
            self.work.push(next);
            if self.work.len() - work > self.limits.expansion_tokens {
                self.spend(self.work.len() - work, tok.token.span);
                break None;
            }
        };
        let Some(close) = close else {
            self.work.truncate(work);
            self.args.truncate(args);
            return;
        };
        // What is collected again and again, level by level, is work too.
        if !self.spend((self.work.len() - work) / 8 + 1, tok.token.span) {
            return;
        }
        self.args.push(Arg { raw: start..self.work.len(), expanded: 0..0 });
        let mut given = self.args.len() - args;
        if count == 0 && given == 1 && start == self.work.len() {
            self.args.pop();
            given = 0;
        } else if variadic && given + 1 == count {
            self.args.push(Arg { raw: start..start, expanded: 0..0 });
            if let Some(last) = self.args.last_mut() {
                last.raw = self.work.len()..self.work.len();
            }
            given += 1;
        }
        if given != count {
            let text = format!(
                "macro '{}' takes {count} argument{}, not {given}",
                self.names.get(name),
                if count == 1 { "" } else { "s" }
            );
            let mut fault = Diagnostic::error(&AQ1112, text).at(tok.token.span, "");
            if !definition.is_none() {
                fault = fault.at(definition, "defined here");
            }
            let fault = self.expansions.explain(tok.token.expansion, fault, self.names);
            self.diags.push(fault);
            self.work.truncate(work);
            self.args.truncate(args);
            return;
        }
        let both = self.hide.intersection(tok.hide, close.hide);
        let hide = self.hide.add(both, name);
        let base = self.pending.len();
        self.calls.push(Call { id, tok, hide, args, work, param: 0, out: 0, base });
        self.start_argument();
    }

    /// Starts on the next argument that is expanded, or puts the body in place.
    fn start_argument(&mut self) {
        let Some(call) = self.calls.last_mut() else { return };
        let Some(of) = self.macros.get(call.id) else { return };
        let next = of.expand.iter().enumerate().skip(call.param).find(|(_, expand)| **expand).map(|(at, _)| at);
        if let Some(param) = next {
            call.param = param;
            call.out = self.work.len();
            let raw = self.args.get(call.args + param).map_or(0..0, |a| a.raw.clone());
            let tokens = self.work.get(raw).unwrap_or_default();
            self.pending.extend(tokens.iter().rev());
            return;
        }
        let Some(call) = self.calls.pop() else { return };
        let args: Vec<Arg> = self.args.drain(call.args..).collect();
        let result = self.substitute(call.id, &args, call.tok, call.hide);
        self.work.truncate(call.work);
        self.replace(result, call.tok);
    }

    fn finish_argument(&mut self) {
        if let Some(call) = self.calls.last_mut() {
            let expanded = call.out..self.work.len();
            if let Some(arg) = self.args.get_mut(call.args + call.param) {
                arg.expanded = expanded;
            }
            call.param += 1;
        }
        self.start_argument();
    }

    /// The body with the arguments put in.
    fn substitute(&mut self, id: u32, args: &[Arg], tok: Tok, hide: u32) -> Vec<Tok> {
        let mut result = std::mem::take(&mut self.result);
        result.clear();
        let Some(of) = self.macros.get(id) else { return result };
        let (name, definition, body) = (of.name, of.span, Arc::clone(&of.body));
        let variadic = of.variadic;
        let last = args.len().wrapping_sub(1);
        let expansion = self.origin(name, definition, tok);
        let mut paste = false;
        let mut empty = false;
        let mut at = 0;
        let is_paste = |at: usize| body.get(at).is_some_and(|i: &Item| i.role == Role::Paste);
        while let Some(item) = body.get(at) {
            at += 1;
            let from = result.len();
            let body_flags = item.tok.token.flags;
            let mut one = [item.tok];
            let mut raw = false;
            let tokens: Range<usize> = match item.role {
                Role::Paste => {
                    paste = true;
                    continue;
                }
                Role::OptEnd => continue,
                Role::OptStart(end) => {
                    if args.get(last).is_none_or(|a| a.expanded.is_empty()) {
                        at = end as usize + 1;
                        empty = !paste || empty;
                        paste = false;
                    }
                    continue;
                }
                Role::Plain => {
                    // `, ## __VA_ARGS__` (A3.7)
                    if item.tok.token.kind == TokenKind::Comma
                        && variadic
                        && is_paste(at)
                        && let Some(Item { role: Role::Param(param), .. }) = body.get(at + 1)
                        && *param as usize == last
                        && !is_paste(at + 2)
                    {
                        if args.get(last).is_none_or(|a| a.raw.is_empty()) {
                            at += 2;
                            continue;
                        }
                        at += 1;
                    }
                    0..0
                }
                Role::Stringise(param) => {
                    let range = args.get(param as usize).map_or(0..0, |a| a.raw.clone());
                    one[0].token = self.stringise(range, item.tok.token, tok.token.span);
                    0..0
                }
                Role::Param(param) => {
                    // Behind `, ##` there is nothing to put together, and still the argument is as it was written.
                    let beside = is_paste(at) || at.checked_sub(2).is_some_and(is_paste);
                    raw = true;
                    args.get(param as usize).map_or(0..0, |a| {
                        if beside && !self.options.legacy_macro_expansion { a.raw.clone() } else { a.expanded.clone() }
                    })
                }
            };
            let count = if raw { tokens.len() } else { 1 };
            if !self.spend(count, tok.token.span) {
                result.clear();
                return result;
            }
            if raw {
                let Self { hide: sets, work, .. } = self;
                let mut last_pair = (u32::MAX, 0);
                for &arg in work.get(tokens).unwrap_or_default() {
                    if last_pair.0 != arg.hide {
                        last_pair = (arg.hide, sets.union(arg.hide, hide));
                    }
                    result.push(Tok { hide: last_pair.1, ..arg });
                }
            } else {
                result.push(placed(one[0], tok, expansion, hide));
            }
            if let Some(first) = result.get_mut(from) {
                first.token.flags =
                    if body_flags.has(TokenFlags::BLANK) { TokenFlags::BLANK } else { TokenFlags::NONE };
            }
            if paste {
                paste = false;
                if result.len() > from {
                    if !empty && from > 0 {
                        self.paste(&mut result, from, tok);
                    }
                    empty = false;
                }
            } else {
                empty = result.len() == from;
            }
        }
        result
    }

    /// Puts the tokens in front of `from` and at it together (A3.6).
    fn paste(&mut self, result: &mut Vec<Tok>, from: usize, tok: Tok) {
        let (Some(&left), Some(&right)) = (result.get(from - 1), result.get(from)) else { return };
        let mut text = String::from(left.token.text(self.names));
        text.push_str(right.token.text(self.names));
        self.interned += text.len();
        if text.len() > self.limits.identifier_length && left.token.kind.is_word()
            || text.len() > self.limits.literal_length
        {
            let what = format!("'##' makes a token of {} characters", text.len());
            return self.fail_from(&AQ4010, tok, what);
        }
        if self.interned > 64 << 20 {
            return self.stop(&AQ4003, tok.token.span, "'##' and '#' make more than 64 MiB of text");
        }
        let mut lexer = Lexer { source: tok.token.span.source, pos: 0, line_start: false, directive: true };
        let mut sink = Sink { names: self.names, keywords: &self.keywords, diags: self.diags, limits: self.limits };
        let comment = text.starts_with("//") || text.starts_with("/*");
        let made = if comment { None } else { Some(lexer.next(&text, &mut sink)) };
        let whole = made.filter(|t| lexer.pos == text.len() && !matches!(t.kind, TokenKind::Other | TokenKind::End));
        let Some(made) = whole else {
            let what = format!(
                "'{}' and '{}' put together are not one token",
                left.token.text(self.names),
                right.token.text(self.names)
            );
            return self.fail_from(&AQ1114, tok, what);
        };
        if let Some(place) = result.get_mut(from - 1) {
            place.token.kind = made.kind;
            place.token.name = made.name;
        }
        result.remove(from);
    }

    /// `#` and a parameter (A3.5).
    fn stringise(&mut self, range: Range<usize>, at: Token, span: Span) -> Token {
        let mut text = String::from("\"");
        for (index, arg) in self.work.get(range).unwrap_or_default().iter().enumerate() {
            if index > 0 && arg.token.has_blank() {
                text.push(' ');
            }
            let spelling = arg.token.text(self.names);
            if matches!(arg.token.kind, TokenKind::StringLit | TokenKind::CharLit | TokenKind::Other) {
                for c in spelling.chars() {
                    if matches!(c, '"' | '\\') {
                        text.push('\\');
                    }
                    text.push(c);
                }
            } else {
                text.push_str(spelling);
            }
            if text.len() > self.limits.literal_length {
                self.fail(
                    &AQ4010,
                    span,
                    format!("'#' makes a string of more than {} bytes", self.limits.literal_length),
                );
                text.truncate(1);
                break;
            }
        }
        text.push('"');
        self.interned += text.len();
        if self.interned > 64 << 20 {
            self.stop(&AQ4003, span, "'##' and '#' make more than 64 MiB of text");
        }
        Token { kind: TokenKind::StringLit, name: self.names.intern(&text), ..at }
    }

    /// Expands the tokens of a directive.
    pub(super) fn expand_line(&mut self, line: &[Tok]) -> Vec<Tok> {
        self.in_directive = true;
        self.spent = 0;
        self.protect = 0;
        self.pending.extend(line.iter().rev());
        let mut out = Vec::with_capacity(line.len());
        while let Some(tok) = self.next_expanded() {
            out.push(tok);
        }
        self.in_directive = false;
        self.carry = TokenFlags::NONE;
        out
    }

    /// The definition of a builtin.
    pub(super) fn enter_builtin(&mut self, name: Name, builtin: Builtin) {
        self.macros.enter(Macro {
            name,
            span: Span::NONE,
            function: false,
            variadic: false,
            builtin: Some(builtin),
            expand: Arc::new([]),
            body: Arc::new([]),
            plain: true,
        });
    }
}

/// A token of a body at the place of the use.
fn placed(mut item: Tok, tok: Tok, expansion: ExpansionId, hide: u32) -> Tok {
    item.token.span = tok.token.span;
    item.token.expansion = expansion;
    item.hide = hide;
    item
}
