//! Expressions (A9.1): precedence climbing.

use super::{Parser, codes};
use crate::ast::{Binary, ExprId, ExprKind, Path, Unary};
use crate::token::{Literal, TokenKind};

/// The operator that a token is, and how tightly it binds.
fn binary(kind: TokenKind) -> Option<(Binary, u8)> {
    Some(match kind {
        TokenKind::Star => (Binary::Mul, 10),
        TokenKind::Slash => (Binary::Div, 10),
        TokenKind::Percent => (Binary::Rem, 10),
        TokenKind::Plus => (Binary::Add, 9),
        TokenKind::Minus => (Binary::Sub, 9),
        TokenKind::Shl => (Binary::Shl, 8),
        TokenKind::Shr => (Binary::Shr, 8),
        TokenKind::Less => (Binary::Lt, 7),
        TokenKind::Greater => (Binary::Gt, 7),
        TokenKind::LessEq => (Binary::Le, 7),
        TokenKind::GreaterEq => (Binary::Ge, 7),
        TokenKind::EqEq => (Binary::Eq, 6),
        TokenKind::NotEq => (Binary::Ne, 6),
        TokenKind::And => (Binary::And, 5),
        TokenKind::Caret => (Binary::Xor, 4),
        TokenKind::Or => (Binary::Or, 3),
        TokenKind::AndAnd => (Binary::LogicalAnd, 2),
        TokenKind::OrOr => (Binary::LogicalOr, 1),
        _ => return None,
    })
}

/// The operator of an assignment; `Some(None)` is the plain one.
fn assignment(kind: TokenKind) -> Option<Option<Binary>> {
    Some(match kind {
        TokenKind::Assign => None,
        TokenKind::PlusAssign => Some(Binary::Add),
        TokenKind::MinusAssign => Some(Binary::Sub),
        TokenKind::StarAssign => Some(Binary::Mul),
        TokenKind::SlashAssign => Some(Binary::Div),
        TokenKind::PercentAssign => Some(Binary::Rem),
        TokenKind::ShlAssign => Some(Binary::Shl),
        TokenKind::ShrAssign => Some(Binary::Shr),
        TokenKind::AndAssign => Some(Binary::And),
        TokenKind::OrAssign => Some(Binary::Or),
        TokenKind::CaretAssign => Some(Binary::Xor),
        _ => return None,
    })
}

impl Parser<'_> {
    /// With commas.
    pub(super) fn expression(&mut self) -> ExprId {
        let start = self.token().span;
        let mut left = self.assignment_expr();
        let mut count = 0;
        while self.eat(TokenKind::Comma) {
            count += 1;
            if self.chain_too_long(count) {
                return left;
            }
            let right = self.assignment_expr();
            let span = self.span_from(start);
            left = self.expr_node(ExprKind::Comma(left, right), span);
        }
        left
    }

    /// Chains that lean to the left nest as well, as far as the tree goes.
    fn chain_too_long(&mut self, count: usize) -> bool {
        if count <= super::NESTING {
            return false;
        }
        self.error(&crate::codes::AQ4004, self.token().span, format!("nests more than {} deep", super::NESTING));
        if self.quiet == 0 {
            self.at = self.tokens.len();
        }
        true
    }

    fn bad(&mut self) -> ExprId {
        let span = self.token().span;
        self.expr_node(ExprKind::Error, span)
    }

    /// Without commas.
    pub(super) fn assignment_expr(&mut self) -> ExprId {
        let start = self.token().span;
        match self.nest(|p| {
            let left = p.conditional_expr();
            let Some(op) = assignment(p.kind()) else { return left };
            p.bump();
            let right = if p.is(TokenKind::LBrace) { p.initialiser() } else { p.assignment_expr() };
            let span = p.span_from(start);
            p.expr_node(ExprKind::Assign(op, left, right), span)
        }) {
            Some(expr) => expr,
            None => self.bad(),
        }
    }

    /// `c ? a : b` and tighter.
    pub(super) fn conditional_expr(&mut self) -> ExprId {
        let start = self.token().span;
        let condition = self.binary_expr(0);
        if !self.eat(TokenKind::Question) {
            return condition;
        }
        let greater = std::mem::replace(&mut self.no_greater, false);
        let yes = self.assignment_expr();
        self.no_greater = greater;
        if !self.expect(TokenKind::Colon) {
            return self.bad();
        }
        let no = self.assignment_expr();
        let span = self.span_from(start);
        self.expr_node(ExprKind::Conditional(condition, yes, no), span)
    }

    fn binary_expr(&mut self, least: u8) -> ExprId {
        let start = self.token().span;
        let mut left = self.unary_expr();
        let mut count = 0;
        while let Some((op, tight)) = binary(self.kind()) {
            if tight <= least || (self.no_greater && matches!(self.kind(), TokenKind::Greater | TokenKind::Shr)) {
                break;
            }
            if matches!(op, Binary::LogicalAnd | Binary::LogicalOr) {
                count += 1;
                if self.chain_too_long(count) {
                    return left;
                }
            }
            self.bump();
            let right = match self.nest(|p| p.binary_expr(tight)) {
                Some(right) => right,
                None => self.bad(),
            };
            let span = self.span_from(start);
            left = self.expr_node(ExprKind::Binary(op, left, right), span);
        }
        left
    }

    fn unary_expr(&mut self) -> ExprId {
        let start = self.token().span;
        let op = match self.kind() {
            TokenKind::Plus => Unary::Plus,
            TokenKind::Minus => Unary::Minus,
            TokenKind::Not => Unary::Not,
            TokenKind::Tilde => Unary::Complement,
            TokenKind::PlusPlus => Unary::Increment,
            TokenKind::MinusMinus => Unary::Decrement,
            TokenKind::Star | TokenKind::And => {
                let what = self.text(self.token());
                self.error(
                    &codes::AQ2004,
                    start,
                    format!("{what} has no meaning in front of a value: there are no pointers"),
                );
                self.bump();
                return self.unary_expr_nested();
            }
            TokenKind::LParen => {
                if let Some(expr) = self.cast() {
                    return expr;
                }
                return self.postfix_expr();
            }
            TokenKind::Sizeof => return self.size_of(),
            _ => return self.postfix_expr(),
        };
        self.bump();
        let inner = self.unary_expr_nested();
        let span = self.span_from(start);
        self.expr_node(ExprKind::Unary(op, inner), span)
    }

    fn unary_expr_nested(&mut self) -> ExprId {
        match self.nest(Self::unary_expr) {
            Some(expr) => expr,
            None => self.bad(),
        }
    }

    fn size_of(&mut self) -> ExprId {
        let start = self.bump().span;
        if !self.expect(TokenKind::LParen) {
            return self.bad();
        }
        let kind = match self.at_type() {
            true => ExprKind::SizeofType(self.abstract_type()),
            false => ExprKind::SizeofExpr(self.expression()),
        };
        self.expect(TokenKind::RParen);
        let span = self.span_from(start);
        self.expr_node(kind, span)
    }

    /// `(T)e`, where a type stands in the parentheses.
    fn cast(&mut self) -> Option<ExprId> {
        let start = self.token().span;
        let before = self.at;
        self.at += 1;
        let is_type = self.at_type()
            || matches!(self.token().kind, TokenKind::RowMajor | TokenKind::ColumnMajor | TokenKind::Const);
        self.at = before;
        if !is_type {
            return None;
        }
        let ty = self.attempt(|p| {
            p.bump();
            p.modifiers();
            let ty = p.abstract_type();
            p.eat(TokenKind::RParen).then_some(ty)
        })?;
        let inner = self.unary_expr_nested();
        let span = self.span_from(start);
        Some(self.expr_node(ExprKind::Cast(ty, inner), span))
    }

    fn arguments(&mut self) -> Vec<ExprId> {
        let greater = std::mem::replace(&mut self.no_greater, false);
        let mut args = Vec::new();
        self.expect(TokenKind::LParen);
        while !self.is(TokenKind::RParen) && !self.is(TokenKind::Eof) {
            let before = self.at;
            args.push(if self.is(TokenKind::LBrace) { self.initialiser() } else { self.assignment_expr() });
            if !self.eat(TokenKind::Comma) || self.at == before {
                break;
            }
        }
        self.no_greater = greater;
        self.expect(TokenKind::RParen);
        args
    }

    fn postfix_expr(&mut self) -> ExprId {
        let start = self.token().span;
        let mut expr = self.primary();
        let mut count = 0;
        loop {
            count += 1;
            if self.chain_too_long(count) {
                return expr;
            }
            let kind = match self.kind() {
                TokenKind::Dot => {
                    self.bump();
                    ExprKind::Member(expr, self.member_path())
                }
                TokenKind::Arrow => {
                    let span = self.token().span;
                    self.error(&codes::AQ2004, span, "'->' has no meaning: there are no pointers".to_owned());
                    self.bump();
                    ExprKind::Member(expr, self.member_path())
                }
                TokenKind::LBracket => {
                    self.bump();
                    let greater = std::mem::replace(&mut self.no_greater, false);
                    let index = self.expression();
                    self.no_greater = greater;
                    self.expect(TokenKind::RBracket);
                    ExprKind::Index(expr, index)
                }
                TokenKind::LParen => {
                    let args = match self.nest(Self::arguments) {
                        Some(args) => args,
                        None => return self.bad(),
                    };
                    ExprKind::Call(expr, args)
                }
                TokenKind::PlusPlus => {
                    self.bump();
                    ExprKind::Postfix(true, expr)
                }
                TokenKind::MinusMinus => {
                    self.bump();
                    ExprKind::Postfix(false, expr)
                }
                _ => return expr,
            };
            let span = self.span_from(start);
            expr = self.expr_node(kind, span);
        }
    }

    /// The name behind a `.`, with template arguments where a call follows.
    fn member_path(&mut self) -> Path {
        let start = self.token().span;
        let mut parts = Vec::new();
        loop {
            let token = self.token();
            if !token.kind.is_word() {
                self.unexpected("a member's name");
                break;
            }
            self.bump();
            let name = match token.kind {
                TokenKind::Ident => token.name,
                kind => self.names.intern(kind.text()),
            };
            parts.push((name, token.span));
            if !self.eat(TokenKind::ColonColon) {
                break;
            }
        }
        let mut args = None;
        if self.is(TokenKind::Less) {
            args = self.attempt(|p| {
                let args = p.template_args()?;
                p.is(TokenKind::LParen).then_some(args)
            });
        }
        Path { global: false, parts, args, span: self.span_from(start) }
    }

    fn primary(&mut self) -> ExprId {
        let token = self.token();
        let start = token.span;
        match token.kind {
            TokenKind::IntLit | TokenKind::FloatLit | TokenKind::CharLit | TokenKind::StringLit => {
                self.bump();
                let kind = match self.literals.get(&token) {
                    Some(Literal::Int(int)) => ExprKind::Int(int),
                    Some(Literal::Float { value, suffix }) => ExprKind::Float(value, suffix),
                    Some(Literal::Char(value)) => ExprKind::Char(value),
                    Some(Literal::Str(name)) => ExprKind::String(name),
                    None => ExprKind::Error,
                };
                self.expr_node(kind, start)
            }
            TokenKind::True | TokenKind::False => {
                self.bump();
                self.expr_node(ExprKind::Bool(token.kind == TokenKind::True), start)
            }
            TokenKind::This => {
                self.bump();
                self.expr_node(ExprKind::This, start)
            }
            TokenKind::LParen => {
                self.bump();
                let greater = std::mem::replace(&mut self.no_greater, false);
                let inner = match self.nest(Self::expression) {
                    Some(inner) => inner,
                    None => self.bad(),
                };
                self.no_greater = greater;
                self.expect(TokenKind::RParen);
                inner
            }
            _ if self.at_type() => {
                // `T(args)`; a type alone may be the scope of something, or a template.
                let reads = self.attempt(|p| {
                    let ty = p.type_expr();
                    p.is(TokenKind::LParen).then_some(ty)
                });
                match reads {
                    Some(ty) => {
                        let args = self.nest(Self::arguments).unwrap_or_default();
                        let span = self.span_from(start);
                        self.expr_node(ExprKind::Construct(ty, args), span)
                    }
                    None => {
                        let path = self.path();
                        let span = self.span_from(start);
                        self.expr_node(ExprKind::Name(path), span)
                    }
                }
            }
            TokenKind::Ident | TokenKind::ColonColon => {
                let path = self.path();
                let span = self.span_from(start);
                self.expr_node(ExprKind::Name(path), span)
            }
            _ => {
                self.unexpected("an expression");
                self.expr_node(ExprKind::Error, start)
            }
        }
    }
}
