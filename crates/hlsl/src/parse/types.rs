//! Types as written, and which tokens start one.

use super::{Parser, codes};
use crate::ast::{EnumDecl, Path, StructDecl, TemplateArg, TypeExpr, TypeId, TypeKind};
use crate::token::{Token, TokenKind};
use crate::types::ObjectKind;
use aquatint_base::{Name, Span};

impl Parser<'_> {
    /// Whether a token is a built-in type's name, or one declared before.
    pub(super) fn names_type(&self, token: Token) -> bool {
        match token.kind {
            TokenKind::Void
            | TokenKind::Bool
            | TokenKind::Int
            | TokenKind::Uint
            | TokenKind::Float
            | TokenKind::Half
            | TokenKind::Double
            | TokenKind::Dword => true,
            TokenKind::Ident => self.type_names.contains(&token.name) || built_in(self.names.get(token.name)),
            _ => false,
        }
    }

    /// Whether a type starts here: `struct`, a type's name, or a path that ends in one.
    pub(super) fn at_type(&self) -> bool {
        let mut n = 0;
        if matches!(self.kind_at(0), TokenKind::Struct | TokenKind::Class | TokenKind::Enum | TokenKind::Interface) {
            return true;
        }
        if matches!(self.kind_at(0), TokenKind::Typename | TokenKind::Snorm | TokenKind::Unorm) {
            return true;
        }
        if self.kind_at(0) == TokenKind::ColonColon {
            n = 1;
        }
        while self.kind_at(n) == TokenKind::Ident && self.kind_at(n + 1) == TokenKind::ColonColon {
            n += 2;
        }
        let token = self.ahead(n);
        // `sampler` and the like are names where no name follows.
        let word = self.word(token);
        if matches!(word, "sampler" | "vector" | "matrix" | "string") && !self.type_names.contains(&token.name) {
            return matches!(self.kind_at(n + 1), TokenKind::Ident | TokenKind::Less);
        }
        self.names_type(token)
    }

    pub(super) fn type_expr(&mut self) -> TypeId {
        let start = self.token().span;
        let kind = self.nest(Self::type_kind).unwrap_or(TypeKind::Error);
        let span = self.span_from(start);
        let row_major = self.orientation();
        self.tree.types.push(TypeExpr { kind, span, row_major })
    }

    /// What `pack_matrix` says here.
    fn orientation(&self) -> Option<bool> {
        let after = self.orientations.partition_point(|o| o.0 < self.at);
        after.checked_sub(1).and_then(|i| self.orientations.get(i)).map(|o| o.1)
    }

    /// A type, with sizes behind it.
    pub(super) fn abstract_type(&mut self) -> TypeId {
        let start = self.token().span;
        let inner = self.type_expr();
        let mut dims = Vec::new();
        while self.is(TokenKind::LBracket) {
            self.bump();
            dims.push((!self.is(TokenKind::RBracket)).then(|| self.expression()));
            if !self.expect(TokenKind::RBracket) {
                break;
            }
        }
        if dims.is_empty() {
            return inner;
        }
        let span = self.span_from(start);
        self.tree.types.push(TypeExpr { kind: TypeKind::Array(inner, dims), span, row_major: None })
    }

    fn type_kind(&mut self) -> TypeKind {
        self.eat(TokenKind::Typename);
        match self.kind() {
            TokenKind::Struct | TokenKind::Class | TokenKind::Interface => {
                // `struct S s;` names a struct that exists.
                if self.kind_at(1) == TokenKind::Ident
                    && !matches!(self.kind_at(2), TokenKind::LBrace | TokenKind::Colon | TokenKind::Semicolon)
                {
                    self.bump();
                    return TypeKind::Named(self.path());
                }
                TypeKind::Struct(Box::new(self.struct_decl()))
            }
            TokenKind::Enum => TypeKind::Enum(Box::new(self.enum_decl())),
            _ if self.at_type() || self.is(TokenKind::Ident) => {
                let path = self.path();
                TypeKind::Named(self.signed(path))
            }
            _ => {
                self.unexpected("a type");
                TypeKind::Error
            }
        }
    }

    /// `unsigned int`, `signed int`, `unsigned`.
    fn signed(&mut self, path: Path) -> Path {
        let [(name, span)] = path.parts.as_slice() else { return path };
        let unsigned = match self.names.get(*name) {
            "unsigned" => true,
            "signed" => false,
            _ => return path,
        };
        let span = *span;
        let wanted = match self.kind() {
            TokenKind::Int => {
                self.bump();
                if unsigned { "uint" } else { "int" }
            }
            TokenKind::Uint => {
                self.bump();
                "uint"
            }
            _ if unsigned => "uint",
            _ => "int",
        };
        let name = self.names.intern(wanted);
        Path { parts: vec![(name, span)], ..path }
    }

    /// `a::b<args>`; keywords that are types are names here.
    pub(super) fn path(&mut self) -> Path {
        let start = self.token().span;
        let global = self.eat(TokenKind::ColonColon);
        let mut parts: Vec<(Name, Span)> = Vec::new();
        loop {
            let token = self.token();
            if token.kind == TokenKind::Ident || self.names_type(token) {
                self.bump();
                let name = match token.kind {
                    TokenKind::Ident => token.name,
                    kind => self.names.intern(kind.text()),
                };
                parts.push((name, token.span));
            } else if token.kind == TokenKind::Operator {
                let (name, span) = self.operator_name();
                parts.push((name, span));
                break;
            } else {
                self.unexpected("a name");
                break;
            }
            if self.is(TokenKind::ColonColon) {
                self.bump();
                continue;
            }
            break;
        }
        let mut args = None;
        if self.is(TokenKind::Less)
            && let Some(&(name, _)) = parts.last()
        {
            let text = self.names.get(name);
            let takes = matches!(text, "vector" | "matrix")
                || ObjectKind::from_name(text).is_some()
                || self.type_names.contains(&name)
                || self.template_names.contains(&name);
            if takes {
                args = self.attempt(Self::template_args);
            }
        }
        Path { global, parts, args, span: self.span_from(start) }
    }

    /// `<a, b>`.
    pub(super) fn template_args(&mut self) -> Option<Vec<TemplateArg>> {
        if !self.eat(TokenKind::Less) {
            return None;
        }
        let greater = std::mem::replace(&mut self.no_greater, true);
        let mut args = Vec::new();
        let mut good = true;
        while !matches!(self.kind(), TokenKind::Greater | TokenKind::Shr) {
            if args.len() > 64 {
                good = false;
                break;
            }
            args.push(self.template_arg());
            if self.failed || !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.no_greater = greater;
        if good && self.eat_greater() { Some(args) } else { None }
    }

    pub(super) fn template_arg(&mut self) -> TemplateArg {
        if matches!(self.kind(), TokenKind::RowMajor | TokenKind::ColumnMajor | TokenKind::Const) {
            self.bump();
        }
        if matches!(self.kind(), TokenKind::Snorm | TokenKind::Unorm) {
            self.bump();
        }
        if self.at_type() {
            let reads = self.attempt(|p| {
                let ty = p.abstract_type();
                matches!(p.kind(), TokenKind::Comma | TokenKind::Greater | TokenKind::Shr).then_some(ty)
            });
            if let Some(ty) = reads {
                return TemplateArg::Type(ty);
            }
        }
        let start = self.token().span;
        match self.nest(Self::conditional_expr) {
            Some(expr) => TemplateArg::Expr(expr),
            None => TemplateArg::Expr(self.expr_node(crate::ast::ExprKind::Error, start)),
        }
    }

    fn struct_decl(&mut self) -> StructDecl {
        let interface = self.bump().kind == TokenKind::Interface;
        let (name, span) = self.name().unwrap_or((Name::EMPTY, self.token().span));
        if name != Name::EMPTY {
            self.type_names.insert(name);
        }
        let mut bases = Vec::new();
        if self.eat(TokenKind::Colon) {
            loop {
                if matches!(self.kind(), TokenKind::Public | TokenKind::Private | TokenKind::Protected) {
                    self.bump();
                }
                bases.push(self.path());
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
        }
        let members = self.is(TokenKind::LBrace).then(|| {
            self.bump();
            let members = self.items(TokenKind::RBrace);
            self.expect(TokenKind::RBrace);
            members
        });
        StructDecl { name, span, bases, members, interface }
    }

    fn enum_decl(&mut self) -> EnumDecl {
        self.bump();
        let scoped = self.eat(TokenKind::Class) || self.eat(TokenKind::Struct);
        let (name, span) = self.name().unwrap_or((Name::EMPTY, self.token().span));
        if name != Name::EMPTY {
            self.type_names.insert(name);
        }
        let ty = self.eat(TokenKind::Colon).then(|| self.type_expr());
        let mut values = Vec::new();
        if self.expect(TokenKind::LBrace) {
            while let Some((name, span)) = self.name() {
                let value = self.eat(TokenKind::Assign).then(|| self.conditional_expr());
                values.push((name, span, value));
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
            if !self.expect(TokenKind::RBrace) {
                self.recover();
            }
        }
        EnumDecl { name, span, scoped, ty, values }
    }

    pub(super) fn operator_name(&mut self) -> (Name, Span) {
        let start = self.bump().span;
        let token = self.bump();
        let text = match token.kind {
            TokenKind::LParen => {
                self.expect(TokenKind::RParen);
                "()"
            }
            TokenKind::LBracket => {
                self.expect(TokenKind::RBracket);
                "[]"
            }
            kind if kind.is_punctuator() => kind.text(),
            _ => {
                self.error(&codes::AQ2009, token.span, "an operator is expected".to_owned());
                "?"
            }
        };
        let name = self.names.intern(&format!("operator{text}"));
        (name, self.span_from(start))
    }
}

/// Whether a spelling is a built-in type.
fn built_in(text: &str) -> bool {
    if matches!(text, "vector" | "matrix" | "string" | "unsigned" | "signed" | "uint8_t4_packed" | "int8_t4_packed")
        || ObjectKind::from_name(text).is_some()
    {
        return true;
    }
    const KINDS: &[&str] = &[
        "min16float",
        "min10float",
        "min16int",
        "min12int",
        "min16uint",
        "float16_t",
        "float32_t",
        "float64_t",
        "uint16_t",
        "uint32_t",
        "uint64_t",
        "int16_t",
        "int32_t",
        "int64_t",
        "double",
        "float",
        "dword",
        "bool",
        "half",
        "uint",
        "int",
    ];
    let digit = |b: u8| (b'1'..=b'4').contains(&b);
    KINDS.iter().any(|kind| {
        text.strip_prefix(kind).is_some_and(|rest| match rest.as_bytes() {
            [] => true,
            [n] => digit(*n),
            [r, b'x', c] => digit(*r) && digit(*c),
            _ => false,
        })
    })
}
