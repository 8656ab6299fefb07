//! From tokens to the tree. Recursive descent; where a token does not fit, a message is given and reading goes on at the next
//! `;`, the matching `}`, or the next declaration (F1.6).
//!
//! | module | holds |
//! |---|---|
//! | [`codes`] | messages |
//! | `declaration` | declarations of all kinds, attributes, declarators |
//! | `types` | types as written, and which tokens start one |
//! | `statement` | statements |
//! | `expression` | expressions |

pub mod codes;
mod declaration;
mod expression;
mod statement;
mod types;

use crate::ast::{Expr, ExprId, ExprKind, Stmt, StmtId, StmtKind, Tree};
use crate::preprocess::pragma::{PragmaEvent, PragmaKind};
use crate::token::{Literals, Token, TokenKind};
use aquatint_base::{Code, Diagnostic, Diags, HashSet, Name, Names, Span};

/// How deep parentheses, braces and statements nest at most (F4).
const NESTING: usize = 256;

/// Reads a translation unit. Messages go to `diags`; the tree holds what could be read.
pub fn parse(
    tokens: &[Token],
    literals: &Literals,
    pragmas: &[PragmaEvent],
    names: &mut Names,
    diags: &mut Diags,
) -> Tree {
    let mut parser = Parser {
        tokens,
        literals,
        orientations: pragmas
            .iter()
            .filter_map(|p| match p.kind {
                PragmaKind::PackMatrix { row_major } => Some((p.before, row_major)),
                _ => None,
            })
            .collect(),
        names,
        diags,
        tree: Tree::default(),
        at: 0,
        half: false,
        depth: 0,
        quiet: 0,
        failed: false,
        no_greater: false,
        attempted: 0,
        type_names: HashSet::default(),
        template_names: HashSet::default(),
    };
    let items = parser.items(TokenKind::Eof);
    parser.tree.items = items;
    parser.tree
}

pub(crate) struct Parser<'t> {
    tokens: &'t [Token],
    literals: &'t Literals,
    /// Where `pack_matrix` stands: the token behind it, and whether matrices lie in rows from there on.
    orientations: Vec<(usize, bool)>,
    names: &'t mut Names,
    diags: &'t mut Diags,
    tree: Tree,
    at: usize,
    /// The first half of a `>>` was taken.
    half: bool,
    depth: usize,
    /// While it is not 0, reading is an attempt: nothing is said.
    quiet: usize,
    /// An attempt did not read.
    failed: bool,
    /// `>` closes a template list.
    no_greater: bool,
    /// Tokens that attempts have read. Past a bound there are no more attempts, so that they cannot multiply.
    attempted: usize,
    /// Names of types, seen so far.
    type_names: HashSet<Name>,
    /// Names of function templates.
    template_names: HashSet<Name>,
}

const END: Token = Token::new(TokenKind::Eof, Span::NONE, Name::EMPTY);

impl Parser<'_> {
    fn token(&self) -> Token {
        self.ahead(0)
    }

    fn ahead(&self, n: usize) -> Token {
        match self.tokens.get(self.at + n) {
            Some(token) => *token,
            None => self.tokens.last().copied().filter(|t| t.kind == TokenKind::Eof).unwrap_or(END),
        }
    }

    fn kind(&self) -> TokenKind {
        if self.half { TokenKind::Greater } else { self.token().kind }
    }

    fn kind_at(&self, n: usize) -> TokenKind {
        self.ahead(n).kind
    }

    fn is(&self, kind: TokenKind) -> bool {
        self.kind() == kind
    }

    fn bump(&mut self) -> Token {
        let token = self.token();
        self.half = false;
        if self.quiet > 0 {
            self.attempted += 1;
        }
        if self.at < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let here = self.is(kind);
        if here {
            self.bump();
        }
        here
    }

    /// Takes a `>`, which may be half of a `>>`.
    fn eat_greater(&mut self) -> bool {
        match self.kind() {
            TokenKind::Greater => {
                self.bump();
                true
            }
            TokenKind::Shr => {
                self.half = true;
                true
            }
            _ => false,
        }
    }

    fn text(&self, token: Token) -> String {
        match token.kind {
            TokenKind::Eof => "the end of the file".to_owned(),
            _ => format!("'{}'", token.text(self.names)),
        }
    }

    fn expect(&mut self, kind: TokenKind) -> bool {
        if self.eat(kind) {
            return true;
        }
        if kind == TokenKind::Semicolon && (self.token().starts_line() || self.is(TokenKind::RBrace)) && self.at > 0 {
            let before = self.tokens.get(self.at - 1).map_or(Span::NONE, |t| t.span);
            let here = Span { start: before.end, end: before.end, ..before };
            self.error(&codes::AQ2007, here, "';' is missing here".to_owned());
            return true;
        }
        let found = self.text(self.token());
        self.error(&codes::AQ2002, self.token().span, format!("'{}' is expected, not {found}", kind.text()));
        false
    }

    fn error(&mut self, code: &'static Code, span: Span, message: String) {
        self.failed = true;
        if self.quiet == 0 {
            self.diags.push(Diagnostic::error(code, message).at(span, ""));
        }
    }

    fn unexpected(&mut self, what: &str) {
        let found = self.text(self.token());
        self.error(&codes::AQ2001, self.token().span, format!("{what} is expected, not {found}"));
    }

    fn name(&mut self) -> Option<(Name, Span)> {
        if self.is(TokenKind::Ident) {
            let token = self.bump();
            return Some((token.name, token.span));
        }
        None
    }

    fn word(&self, token: Token) -> &str {
        if token.kind == TokenKind::Ident { self.names.get(token.name) } else { "" }
    }

    /// Runs an attempt: nothing is said, and if it fails everything is as before.
    fn attempt<R>(&mut self, run: impl FnOnce(&mut Self) -> Option<R>) -> Option<R> {
        if self.attempted > self.tokens.len().saturating_mul(16) + 4096 {
            return None;
        }
        let before = (self.at, self.half, self.depth, self.no_greater, self.failed);
        self.quiet += 1;
        self.failed = false;
        let result = run(self);
        let failed = self.failed;
        self.quiet -= 1;
        self.failed = before.4;
        if failed || result.is_none() {
            (self.at, self.half, self.depth, self.no_greater) = (before.0, before.1, before.2, before.3);
            return None;
        }
        result
    }

    /// Goes one level deeper; where that is too deep a message is given, and everything to the end is skipped.
    fn nest<R>(&mut self, run: impl FnOnce(&mut Self) -> R) -> Option<R> {
        if self.depth >= NESTING {
            self.error(&crate::codes::AQ4004, self.token().span, format!("nests more than {NESTING} deep"));
            if self.quiet == 0 {
                self.at = self.tokens.len();
            }
            return None;
        }
        self.depth += 1;
        let result = run(self);
        self.depth -= 1;
        Some(result)
    }

    /// From the start of a token to the end of the last one read.
    fn span_from(&self, start: Span) -> Span {
        let last = self.at.checked_sub(1).and_then(|i| self.tokens.get(i)).map_or(start, |t| t.span);
        if last.source == start.source && last.end >= start.start {
            Span { end: last.end.max(start.end), ..start }
        } else {
            start
        }
    }

    fn expr_node(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.tree.exprs.push(Expr { kind, span })
    }

    fn stmt_node(&mut self, kind: StmtKind, span: Span) -> StmtId {
        self.tree.stmts.push(Stmt { kind, attributes: Vec::new(), span })
    }

    /// Skips to behind the next `;`, or before a `}` or behind a balanced block.
    fn recover(&mut self) {
        let mut depth = 0usize;
        let mut brackets = 0usize;
        loop {
            match self.kind() {
                TokenKind::Eof => return,
                TokenKind::Semicolon if depth == 0 => {
                    self.bump();
                    return;
                }
                TokenKind::LBrace => depth += 1,
                TokenKind::RBrace if depth == 0 => return,
                TokenKind::RBrace => {
                    depth -= 1;
                    if depth == 0 {
                        self.bump();
                        self.eat(TokenKind::Semicolon);
                        return;
                    }
                }
                TokenKind::LParen => brackets += 1,
                TokenKind::RParen => brackets = brackets.saturating_sub(1),
                _ => {}
            }
            self.bump();
        }
    }
}
