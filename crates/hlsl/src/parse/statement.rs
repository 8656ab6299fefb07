//! Statements (A12).

use super::Parser;
use crate::ast::{Item, ItemKind, StmtId, StmtKind};
use crate::token::TokenKind;

impl Parser<'_> {
    /// `{ … }`: the statements.
    pub(super) fn braced(&mut self) -> Vec<StmtId> {
        let mut list = Vec::new();
        if !self.expect(TokenKind::LBrace) {
            return list;
        }
        while !self.is(TokenKind::RBrace) && !self.is(TokenKind::Eof) {
            let before = self.at;
            list.push(self.statement());
            if self.at == before {
                self.bump();
            }
        }
        self.expect(TokenKind::RBrace);
        list
    }

    pub(super) fn statement(&mut self) -> StmtId {
        let start = self.token().span;
        let attributes = if self.is(TokenKind::LBracket) { self.attributes() } else { Vec::new() };
        let kind = self.nest(Self::statement_kind).unwrap_or(StmtKind::Empty);
        let span = self.span_from(start);
        let id = self.stmt_node(kind, span);
        self.tree.stmts[id].attributes = attributes;
        id
    }

    fn statement_kind(&mut self) -> StmtKind {
        match self.kind() {
            TokenKind::Semicolon => {
                self.bump();
                StmtKind::Empty
            }
            TokenKind::LBrace => StmtKind::Block(self.braced()),
            TokenKind::If => {
                self.bump();
                let condition = self.parenthesised();
                let then = self.statement();
                let other = self.eat(TokenKind::Else).then(|| self.statement());
                StmtKind::If(condition, then, other)
            }
            TokenKind::For => {
                self.bump();
                if !self.expect(TokenKind::LParen) {
                    self.recover();
                    return StmtKind::Empty;
                }
                let init = if self.eat(TokenKind::Semicolon) { None } else { Some(self.statement()) };
                let condition = (!self.is(TokenKind::Semicolon)).then(|| self.expression());
                self.expect(TokenKind::Semicolon);
                let step = (!self.is(TokenKind::RParen)).then(|| self.expression());
                self.expect(TokenKind::RParen);
                let body = self.statement();
                StmtKind::For(init, condition, step, body)
            }
            TokenKind::While => {
                self.bump();
                let condition = self.parenthesised();
                StmtKind::While(condition, self.statement())
            }
            TokenKind::Do => {
                self.bump();
                let body = self.statement();
                self.expect(TokenKind::While);
                let condition = self.parenthesised();
                self.end_of_declaration();
                StmtKind::DoWhile(body, condition)
            }
            TokenKind::Switch => {
                self.bump();
                let selector = self.parenthesised();
                StmtKind::Switch(selector, self.braced())
            }
            TokenKind::Case => {
                self.bump();
                let label = self.conditional_expr();
                self.expect(TokenKind::Colon);
                StmtKind::Case(Some(label))
            }
            TokenKind::Default => {
                self.bump();
                self.expect(TokenKind::Colon);
                StmtKind::Case(None)
            }
            TokenKind::Break => self.simple(StmtKind::Break),
            TokenKind::Continue => self.simple(StmtKind::Continue),
            TokenKind::Discard => self.simple(StmtKind::Discard),
            TokenKind::Return => {
                self.bump();
                let value = (!self.is(TokenKind::Semicolon) && !self.is(TokenKind::RBrace))
                    .then(|| if self.is(TokenKind::LBrace) { self.initialiser() } else { self.expression() });
                self.end_of_declaration();
                StmtKind::Return(value)
            }
            TokenKind::Typedef | TokenKind::Using | TokenKind::Struct | TokenKind::Class | TokenKind::Enum => {
                self.declares()
            }
            _ if self.at_declaration() => self.declares(),
            _ => {
                let expr = self.expression();
                if !self.expect(TokenKind::Semicolon) {
                    self.recover();
                }
                StmtKind::Expr(expr)
            }
        }
    }

    fn declares(&mut self) -> StmtKind {
        let start = self.token().span;
        let kind = match self.kind() {
            TokenKind::Typedef | TokenKind::Using => {
                let items = self.item_in_block();
                items.unwrap_or(ItemKind::Empty)
            }
            _ => self.declaration(Vec::new()),
        };
        let span = self.span_from(start);
        StmtKind::Item(Box::new(Item { kind, span }))
    }

    fn item_in_block(&mut self) -> Option<ItemKind> {
        // `items` reads one declaration at a time; one is wanted here.
        self.one_item().map(|item| item.kind)
    }

    fn simple(&mut self, kind: StmtKind) -> StmtKind {
        self.bump();
        self.end_of_declaration();
        kind
    }

    fn parenthesised(&mut self) -> crate::ast::ExprId {
        self.expect(TokenKind::LParen);
        let expr = self.expression();
        self.expect(TokenKind::RParen);
        expr
    }

    /// Whether a declaration of variables starts here.
    fn at_declaration(&mut self) -> bool {
        let before = self.at;
        let modifiers = self.modifiers();
        let any = modifiers.bits != 0;
        self.at = before;
        if any {
            return true;
        }
        if !self.at_type() {
            // An unknown type: two names in a row.
            return self.is(TokenKind::Ident) && self.kind_at(1) == TokenKind::Ident;
        }
        self.attempt(|p| {
            p.type_expr();
            Some(p.is(TokenKind::Ident))
        })
        .is_some_and(|declares| {
            self.at = before;
            self.half = false;
            declares
        })
    }
}
