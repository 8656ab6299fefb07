//! Macro definitions (sheet A3.2, A3.7, A3.9).

use super::{Preprocessor, Tok};
use crate::codes::{AQ1111, AQ1115, AQ1117, AQ1121, AQ4003};
use crate::token::{TokenFlags, TokenKind};
use aquatint_base::{Diagnostic, HashMap, Name, Span};
use std::sync::Arc;

/// Macros whose value depends on the place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    Line,
    File,
    Counter,
}

/// What a token of a body is to the substitution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    Plain,
    /// The parameter of that number.
    Param(u32),
    /// `#` and the parameter.
    Stringise(u32),
    /// `##`
    Paste,
    /// `__VA_OPT__(`; the item behind its `)`.
    OptStart(u32),
    OptEnd,
}

#[derive(Clone, Copy, Debug)]
pub struct Item {
    pub tok: Tok,
    pub role: Role,
}

#[derive(Debug)]
pub struct Macro {
    pub name: Name,
    pub span: Span,
    pub function: bool,
    pub variadic: bool,
    pub builtin: Option<Builtin>,
    /// Parameters whose arguments are expanded, in order.
    pub expand: Arc<[bool]>,
    pub body: Arc<[Item]>,
    /// Whether the body is put in place as it is.
    pub plain: bool,
}

/// Macros by name.
#[derive(Default)]
pub struct Macros {
    all: Vec<Macro>,
    of: Vec<u32>,
    /// How many are defined.
    pub defined: usize,
}

impl Macros {
    #[inline]
    pub fn find(&self, name: Name) -> Option<u32> {
        let id = *self.of.get(name.index())?;
        (id != 0).then(|| id - 1)
    }

    pub fn get(&self, id: u32) -> Option<&Macro> {
        self.all.get(id as usize)
    }

    pub fn enter(&mut self, of: Macro) {
        let index = of.name.index();
        if self.of.len() <= index {
            self.of.resize(index + 1, 0);
        }
        self.defined += usize::from(self.of[index] == 0);
        self.all.push(of);
        self.of[index] = self.all.len() as u32;
    }

    pub fn remove(&mut self, name: Name) {
        if let Some(id) = self.of.get_mut(name.index()).filter(|id| **id != 0) {
            *id = 0;
            self.defined -= 1;
        }
    }
}

impl Preprocessor<'_> {
    /// The name that `#define` or `#undef` is about, if it may be changed.
    pub(super) fn macro_name(&mut self, tok: Option<&Tok>, at: Span) -> Option<Tok> {
        let Some(tok) = tok.filter(|t| t.token.kind.is_word()).copied() else {
            self.fail(&AQ1117, tok.map_or(at, |t| t.token.span), "expected the name of a macro");
            return None;
        };
        let reserved = [
            self.words.defined,
            self.words.va_args,
            self.words.va_opt,
            self.words.file,
            self.words.line,
            self.words.counter,
            self.words.has_include,
            self.words.pragma,
        ];
        if reserved.contains(&tok.token.name) {
            let text = format!("'{}' cannot be defined or undefined", self.names.get(tok.token.name));
            self.fail(&AQ1121, tok.token.span, text);
            return None;
        }
        Some(tok)
    }

    /// `#define` with the tokens behind it.
    pub(super) fn define(&mut self, line: &[Tok], at: Span) {
        let Some(name) = self.macro_name(line.first(), at) else { return };
        let mut rest = line.get(1..).unwrap_or_default();
        let mut params: HashMap<Name, u32> = HashMap::default();
        let mut variadic = false;
        let function = rest.first().is_some_and(|t| t.token.kind == TokenKind::LParen && !t.token.has_blank());
        if function {
            rest = &rest[1..];
            let mut first = true;
            loop {
                let (kind, span) = rest.first().map_or((TokenKind::End, at), |t| (t.token.kind, t.token.span));
                if kind == TokenKind::RParen && first {
                    rest = &rest[1..];
                    break;
                }
                first = false;
                let mut param = None;
                if kind.is_word() {
                    param = rest.first().map(|t| t.token.name);
                    rest = &rest[1..];
                    if rest.first().is_some_and(|t| t.token.kind == TokenKind::Ellipsis) {
                        variadic = true;
                        rest = &rest[1..];
                    }
                } else if kind == TokenKind::Ellipsis {
                    variadic = true;
                    param = Some(self.words.va_args);
                    rest = &rest[1..];
                }
                let Some(param) = param else {
                    return self.fail(&AQ1117, span, "expected the name of a parameter, '...' or ')'");
                };
                let number = params.len() as u32;
                let own = param == self.words.va_args && kind != TokenKind::Ellipsis;
                if own || params.insert(param, number).is_some() {
                    let text = format!("'{}' cannot be a parameter, or is one already", self.names.get(param));
                    return self.fail(&AQ1117, span, text);
                }
                let (kind, span) = rest.first().map_or((TokenKind::End, at), |t| (t.token.kind, t.token.span));
                match kind {
                    TokenKind::RParen => {
                        rest = &rest[1..];
                        break;
                    }
                    TokenKind::Comma if !variadic => rest = &rest[1..],
                    _ => return self.fail(&AQ1117, span, "expected ',' or ')' behind a parameter"),
                }
            }
        }
        let Some(body) = self.body(rest, &params, function, variadic) else { return };
        let legacy = self.options.legacy_macro_expansion;
        let mut expand = vec![false; params.len()];
        let pastes = |at: Option<usize>| at.and_then(|i| body.get(i)).is_some_and(|i: &Item| i.role == Role::Paste);
        let has_opt = body.iter().any(|i| matches!(i.role, Role::OptStart(_)));
        for (at, item) in body.iter().enumerate() {
            if let Role::Param(param) = item.role
                && (legacy || !(pastes(at.checked_sub(1)) || pastes(Some(at + 1))))
                && let Some(flag) = expand.get_mut(param as usize)
            {
                *flag = true;
            }
        }
        if has_opt && let Some(last) = expand.last_mut() {
            *last = true;
        }
        let plain = body.iter().all(|i| i.role == Role::Plain);
        let new = Macro {
            name: name.token.name,
            span: name.token.span,
            function,
            variadic,
            builtin: None,
            expand: expand.into(),
            body: body.into(),
            plain,
        };
        if let Some(old) = self.macros.find(new.name).and_then(|id| self.macros.get(id)) {
            if same(old, &new) {
                return;
            }
            let text = format!("macro '{}' is defined again with another body", self.names.get(new.name));
            let mut warning = Diagnostic::warning(&AQ1111, text).at(new.span, "");
            if !old.span.is_none() {
                warning = warning.at(old.span, "defined here before");
            }
            self.diags.push(warning);
        } else if self.macros.defined >= self.limits.macros {
            return self.stop(&AQ4003, new.span, format!("more than {} macros are defined", self.limits.macros));
        }
        self.macros.enter(new);
    }

    /// The items of a body; `None` after a fault.
    fn body(
        &mut self,
        tokens: &[Tok],
        params: &HashMap<Name, u32>,
        function: bool,
        variadic: bool,
    ) -> Option<Vec<Item>> {
        let mut body: Vec<Item> = Vec::with_capacity(tokens.len());
        // The start of the `__VA_OPT__` that is open, and the parentheses in it.
        let mut opt: Option<(usize, usize)> = None;
        let mut at = 0;
        while let Some(&(mut tok)) = tokens.get(at) {
            at += 1;
            let (kind, name, span) = (tok.token.kind, tok.token.name, tok.token.span);
            if at == 1 {
                tok.token.flags = TokenFlags::NONE;
            }
            let mut role = Role::Plain;
            if kind == TokenKind::HashHash {
                let edge = at == 1 || at == tokens.len();
                let edge = edge || opt.is_some_and(|(start, _)| start + 1 == body.len());
                if edge {
                    self.fail(&AQ1117, span, "'##' at the end of a body has nothing to put together");
                    return None;
                }
                role = Role::Paste;
            } else if kind == TokenKind::Hash && function {
                let Some(&param) = tokens.get(at).and_then(|t| params.get(&t.token.name)) else {
                    self.fail(&AQ1115, span, "'#' is not followed by a parameter");
                    return None;
                };
                at += 1;
                role = Role::Stringise(param);
            } else if kind.is_word() {
                if let Some(&param) = params.get(&name) {
                    role = Role::Param(param);
                } else if name == self.words.va_args && !self.lenient {
                    self.fail(
                        &AQ1117,
                        span,
                        "'__VA_ARGS__' outside of a macro that takes a variable number of arguments",
                    );
                    return None;
                } else if name == self.words.va_opt && variadic {
                    let open = tokens.get(at).is_some_and(|t| t.token.kind == TokenKind::LParen);
                    if !open || opt.is_some() {
                        self.fail(&AQ1117, span, "'__VA_OPT__' takes text in parentheses, and does not nest");
                        return None;
                    }
                    at += 1;
                    opt = Some((body.len(), 0));
                    role = Role::OptStart(0);
                } else if name == self.words.va_opt {
                    self.fail(
                        &AQ1117,
                        span,
                        "'__VA_OPT__' outside of a macro that takes a variable number of arguments",
                    );
                    return None;
                }
            } else if let Some((start, depth)) = &mut opt {
                match kind {
                    TokenKind::LParen => *depth += 1,
                    TokenKind::RParen if *depth > 0 => *depth -= 1,
                    TokenKind::RParen => {
                        let end = body.len() as u32;
                        if let Some(item) = body.get_mut(*start) {
                            item.role = Role::OptStart(end);
                        }
                        role = Role::OptEnd;
                        opt = None;
                    }
                    _ => {}
                }
            }
            body.push(Item { tok, role });
        }
        if let Some((start, _)) = opt {
            let span = body.get(start).map_or(Span::NONE, |i| i.tok.token.span);
            self.fail(&AQ1117, span, "'__VA_OPT__(' is not closed");
            return None;
        }
        Some(body)
    }
}

/// Whether two definitions are the same but for the amount of blanks (A3.9).
fn same(a: &Macro, b: &Macro) -> bool {
    let equal = |(x, y): (&Item, &Item)| {
        let (s, t) = (x.tok.token, y.tok.token);
        s.kind == t.kind && s.name == t.name && s.has_blank() == t.has_blank() && x.role == y.role
    };
    (a.function, a.variadic, a.expand.len()) == (b.function, b.variadic, b.expand.len())
        && a.body.len() == b.body.len()
        && a.body.iter().zip(b.body.iter()).all(equal)
}
