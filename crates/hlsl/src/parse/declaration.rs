//! Declarations, attributes, declarators.

use super::{Parser, codes};
use crate::ast::{
    Attribute, BufferDecl, Declarator, ExprKind, FunctionDecl, Item, ItemKind, Modifier, Modifiers, Register, StmtKind,
    TemplateParam, TypeKind, Variables,
};
use crate::token::TokenKind;
use aquatint_base::{Name, Span};

impl Parser<'_> {
    /// Declarations up to a token, which is not taken.
    pub(super) fn items(&mut self, end: TokenKind) -> Vec<Item> {
        let mut items = Vec::new();
        while !self.is(end) && !self.is(TokenKind::Eof) {
            let before = self.at;
            let item = self.nest(Self::item);
            if let Some(item) = item {
                items.push(item);
            }
            if self.at == before {
                if self.is(TokenKind::RBrace) && end == TokenKind::Eof {
                    self.unexpected("a declaration");
                }
                self.bump();
            }
        }
        items
    }

    /// One declaration.
    pub(super) fn one_item(&mut self) -> Option<Item> {
        self.nest(Self::item)
    }

    fn item(&mut self) -> Item {
        let start = self.token().span;
        let kind = self.item_kind();
        Item { kind, span: self.span_from(start) }
    }

    fn item_kind(&mut self) -> ItemKind {
        match self.kind() {
            TokenKind::Semicolon => {
                self.bump();
                ItemKind::Empty
            }
            TokenKind::Namespace => {
                self.bump();
                let (name, span) = self.name().unwrap_or((Name::EMPTY, self.token().span));
                self.expect(TokenKind::LBrace);
                let items = self.items(TokenKind::RBrace);
                self.expect(TokenKind::RBrace);
                ItemKind::Namespace(name, span, items)
            }
            TokenKind::Using => self.using(),
            TokenKind::Typedef => {
                self.bump();
                let modifiers = self.modifiers();
                let ty = self.type_expr();
                let start = self.token().span;
                let mut declarators = Vec::new();
                while let Some((name, span)) = self.name() {
                    self.type_names.insert(name);
                    declarators.push(self.declarator(name, span));
                    if !self.eat(TokenKind::Comma) {
                        break;
                    }
                }
                self.end_of_declaration();
                let span = self.span_from(start);
                ItemKind::Typedef(Variables { attributes: Vec::new(), modifiers, ty, declarators, span })
            }
            TokenKind::Template => self.template(),
            TokenKind::Public | TokenKind::Private | TokenKind::Protected => {
                self.bump();
                self.expect(TokenKind::Colon);
                ItemKind::Empty
            }
            _ => {
                let attributes = self.attributes();
                if matches!(self.kind(), TokenKind::Cbuffer | TokenKind::Tbuffer) {
                    return self.buffer(attributes);
                }
                if matches!(self.word(self.token()), "technique" | "technique10" | "technique11" | "pass")
                    && matches!(self.kind_at(1), TokenKind::Ident | TokenKind::LBrace)
                {
                    let span = self.token().span;
                    self.error(&codes::AQ2006, span, "techniques belong to effects, not to shaders".to_owned());
                    self.recover();
                    return ItemKind::Empty;
                }
                self.declaration(attributes)
            }
        }
    }

    fn using(&mut self) -> ItemKind {
        self.bump();
        if self.eat(TokenKind::Namespace) {
            let path = self.path();
            self.end_of_declaration();
            return ItemKind::UsingNamespace(path);
        }
        if self.is(TokenKind::Ident) && self.kind_at(1) == TokenKind::Assign {
            let token = self.bump();
            self.bump();
            let ty = self.type_expr();
            self.type_names.insert(token.name);
            self.end_of_declaration();
            return ItemKind::Alias(token.name, token.span, ty);
        }
        let path = self.path();
        self.end_of_declaration();
        ItemKind::UsingName(path)
    }

    fn template(&mut self) -> ItemKind {
        self.bump();
        let mut params = Vec::new();
        let mut added = Vec::new();
        if self.expect(TokenKind::Less) {
            let greater = std::mem::replace(&mut self.no_greater, true);
            while !matches!(self.kind(), TokenKind::Greater | TokenKind::Shr | TokenKind::Eof) {
                let is_type = matches!(self.kind(), TokenKind::Typename | TokenKind::Class);
                let value = if is_type {
                    self.bump();
                    None
                } else {
                    Some(self.type_expr())
                };
                let (name, span) = self.name().unwrap_or((Name::EMPTY, self.token().span));
                if is_type && self.type_names.insert(name) {
                    added.push(name);
                }
                let default = self.eat(TokenKind::Assign).then(|| self.template_arg());
                params.push(TemplateParam { name, span, value, default });
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
            self.no_greater = greater;
            if !self.eat_greater() {
                self.unexpected("'>'");
                self.recover();
                return ItemKind::Empty;
            }
        }
        let item = self.nest(Self::item);
        for name in added {
            self.type_names.remove(&name);
        }
        let Some(item) = item else { return ItemKind::Empty };
        if let ItemKind::Function(decl) = &item.kind {
            let name = decl.name;
            self.template_names.insert(name);
        }
        ItemKind::Template(params, Box::new(item))
    }

    fn buffer(&mut self, attributes: Vec<Attribute>) -> ItemKind {
        let texture = self.bump().kind == TokenKind::Tbuffer;
        let (name, span) = self.name().unwrap_or((Name::EMPTY, self.token().span));
        let mut registers = Vec::new();
        while self.eat(TokenKind::Colon) {
            if self.is(TokenKind::Register) {
                registers.extend(self.register());
            } else {
                self.unexpected("'register'");
                break;
            }
        }
        let mut members = Vec::new();
        if self.expect(TokenKind::LBrace) {
            members = self.items(TokenKind::RBrace);
            self.expect(TokenKind::RBrace);
        } else {
            self.recover();
        }
        self.eat(TokenKind::Semicolon);
        ItemKind::Buffer(Box::new(BufferDecl { attributes, texture, name, span, registers, members }))
    }

    /// Variables, a function, or a type on its own.
    pub(super) fn declaration(&mut self, attributes: Vec<Attribute>) -> ItemKind {
        let start = self.token().span;
        let modifiers = self.modifiers();
        let mut attributes = attributes;
        if self.is(TokenKind::LBracket) {
            attributes.extend(self.attributes());
        }
        let names_two = self.is(TokenKind::Ident)
            && matches!(self.kind_at(1), TokenKind::Ident | TokenKind::Less | TokenKind::ColonColon);
        if !self.at_type() && !names_two {
            self.unexpected("a declaration");
            self.recover();
            return ItemKind::Empty;
        }
        let ty = self.type_expr();
        let mut modifiers = modifiers;
        // `float const x`
        modifiers.bits |= self.modifiers().bits;
        let declares = matches!(self.tree.types[ty].kind, TypeKind::Struct(_) | TypeKind::Enum(_));
        if declares && self.is(TokenKind::Semicolon) {
            self.bump();
            return ItemKind::Type(ty);
        }
        if self.is(TokenKind::Star) || self.is(TokenKind::And) {
            let what = if self.is(TokenKind::Star) { "pointers" } else { "references" };
            self.error(&codes::AQ2004, self.token().span, format!("there are no {what}"));
            self.recover();
            return ItemKind::Empty;
        }
        // The name, with what owns it: `S::f`.
        let mut owner = Vec::new();
        while self.is(TokenKind::Ident) && self.kind_at(1) == TokenKind::ColonColon {
            let token = self.bump();
            self.bump();
            owner.push((token.name, token.span));
        }
        let (name, span) = match self.kind() {
            TokenKind::Operator => self.operator_name(),
            TokenKind::Ident => {
                let token = self.bump();
                (token.name, token.span)
            }
            TokenKind::Colon => (Name::EMPTY, self.token().span),
            _ => {
                if declares {
                    self.expect(TokenKind::Semicolon);
                    return ItemKind::Type(ty);
                }
                self.unexpected("a name");
                self.recover();
                return ItemKind::Empty;
            }
        };
        if self.is(TokenKind::LParen) {
            return self.function(attributes, modifiers, ty, owner, name, span);
        }
        let mut declarators = vec![self.declarator(name, span)];
        while self.eat(TokenKind::Comma) {
            match self.name() {
                Some((name, span)) => declarators.push(self.declarator(name, span)),
                None => {
                    self.unexpected("a name");
                    break;
                }
            }
        }
        self.end_of_declaration();
        let span = self.span_from(start);
        ItemKind::Variables(Variables { attributes, modifiers, ty, declarators, span })
    }

    pub(super) fn end_of_declaration(&mut self) {
        if !self.expect(TokenKind::Semicolon) {
            self.recover();
        }
    }

    fn function(
        &mut self,
        attributes: Vec<Attribute>,
        modifiers: Modifiers,
        ty: crate::ast::TypeId,
        owner: Vec<(Name, Span)>,
        name: Name,
        span: Span,
    ) -> ItemKind {
        self.bump();
        let mut params = Vec::new();
        while !self.is(TokenKind::RParen) && !self.is(TokenKind::Eof) {
            params.push(self.parameter());
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        if !self.expect(TokenKind::RParen) {
            self.recover();
            return ItemKind::Empty;
        }
        self.eat(TokenKind::Const);
        let mut semantic = None;
        while self.eat(TokenKind::Colon) {
            if self.is(TokenKind::Register) {
                self.register();
            } else {
                semantic = self.name();
            }
        }
        let body = if self.is(TokenKind::LBrace) {
            Some(self.block_stmt())
        } else {
            self.end_of_declaration();
            None
        };
        ItemKind::Function(Box::new(FunctionDecl {
            attributes,
            modifiers,
            ty,
            owner,
            name,
            span,
            params,
            semantic,
            body,
        }))
    }

    fn parameter(&mut self) -> Variables {
        let start = self.token().span;
        let mut attributes = self.attributes();
        let mut modifiers = self.modifiers();
        attributes.extend(self.attributes());
        let ty = self.type_expr();
        modifiers.bits |= self.modifiers().bits;
        if self.is(TokenKind::And) || self.is(TokenKind::Star) {
            let what = if self.is(TokenKind::Star) { "pointers" } else { "references" };
            self.error(&codes::AQ2004, self.token().span, format!("there are no {what}"));
            self.bump();
        }
        let (name, span) = self.name().unwrap_or((Name::EMPTY, self.token().span));
        let declarator = self.declarator(name, span);
        Variables { attributes, modifiers, ty, declarators: vec![declarator], span: self.span_from(start) }
    }

    /// What follows a name: sizes, bits, semantic, registers, initialiser.
    pub(super) fn declarator(&mut self, name: Name, span: Span) -> Declarator {
        let mut all = Declarator {
            name,
            span,
            dims: Vec::new(),
            bits: None,
            semantic: None,
            registers: Vec::new(),
            packoffset: None,
            init: None,
        };
        while self.is(TokenKind::LBracket) {
            self.bump();
            let size = (!self.is(TokenKind::RBracket)).then(|| self.expression());
            all.dims.push(size);
            if !self.expect(TokenKind::RBracket) {
                return all;
            }
        }
        while self.eat(TokenKind::Colon) {
            match self.kind() {
                TokenKind::Register => all.registers.extend(self.register()),
                TokenKind::PackOffset => all.packoffset = self.pack_offset(),
                TokenKind::Ident => all.semantic = self.name(),
                _ => all.bits = Some(self.conditional_expr()),
            }
        }
        if self.is(TokenKind::Less) {
            self.annotation();
        }
        if self.eat(TokenKind::Assign) {
            all.init = Some(self.initialiser());
        } else if self.is(TokenKind::LBrace) && matches!(self.kind_at(1), TokenKind::Ident) {
            let span = self.token().span;
            self.error(&codes::AQ2006, span, "states belong to effects, not to shaders".to_owned());
            let mut depth = 0usize;
            loop {
                match self.kind() {
                    TokenKind::LBrace => depth += 1,
                    TokenKind::RBrace => depth -= 1,
                    TokenKind::Eof => break,
                    _ => {}
                }
                self.bump();
                if depth == 0 {
                    break;
                }
            }
        }
        all
    }

    /// An annotation, `< float UIMin = 0; string name = "x"; >`, is read and dropped (A6.6). What does not begin like one stays.
    fn annotation(&mut self) {
        let named = self.kind_at(1) != TokenKind::Greater;
        if named
            && (self.kind_at(2) != TokenKind::Ident
                || !matches!(self.kind_at(3), TokenKind::Assign | TokenKind::LBracket))
        {
            return;
        }
        self.bump();
        while !self.is(TokenKind::Greater) {
            while !matches!(self.kind(), TokenKind::Semicolon | TokenKind::Eof) {
                self.bump();
            }
            if self.is(TokenKind::Eof) {
                break;
            }
            self.bump();
        }
        self.expect(TokenKind::Greater);
    }

    /// An expression or a brace list.
    pub(super) fn initialiser(&mut self) -> crate::ast::ExprId {
        if !self.is(TokenKind::LBrace) {
            return self.assignment_expr();
        }
        let start = self.token().span;
        let items = self
            .nest(|p| {
                p.bump();
                let mut items = Vec::new();
                while !p.is(TokenKind::RBrace) && !p.is(TokenKind::Eof) {
                    items.push(p.initialiser());
                    if !p.eat(TokenKind::Comma) {
                        break;
                    }
                }
                p.expect(TokenKind::RBrace);
                items
            })
            .unwrap_or_default();
        let span = self.span_from(start);
        self.expr_node(ExprKind::List(items), span)
    }

    fn register(&mut self) -> Option<Register> {
        let start = self.bump().span;
        if !self.expect(TokenKind::LParen) {
            return None;
        }
        let mut words = Vec::new();
        while let Some((name, _)) = self.name() {
            words.push(name);
            if self.eat(TokenKind::LBracket) {
                self.expression();
                self.expect(TokenKind::RBracket);
            }
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RParen);
        let span = self.span_from(start);
        let is_space = |p: &Self, n: Name| {
            let text = p.names.get(n);
            text.len() > 5 && text[..5].eq_ignore_ascii_case("space") && text[5..].bytes().all(|b| b.is_ascii_digit())
        };
        let space = words.last().copied().filter(|&n| is_space(self, n));
        if space.is_some() && words.len() > 1 {
            words.pop();
        }
        let (profile, register) = match words.as_slice() {
            [register] => (None, *register),
            [profile, register] => (Some(*profile), *register),
            _ => {
                self.error(&codes::AQ2005, span, "a register is expected".to_owned());
                return None;
            }
        };
        Some(Register {
            profile,
            register,
            space: if register == space.unwrap_or(Name::EMPTY) { None } else { space },
            span,
        })
    }

    fn pack_offset(&mut self) -> Option<(Name, Option<Name>, Span)> {
        let start = self.bump().span;
        if !self.expect(TokenKind::LParen) {
            return None;
        }
        let register = self.name();
        let component = if self.eat(TokenKind::Dot) { self.name() } else { None };
        self.expect(TokenKind::RParen);
        let span = self.span_from(start);
        register.map(|(name, _)| (name, component.map(|c| c.0), span))
    }

    /// Attributes in front of something.
    pub(super) fn attributes(&mut self) -> Vec<Attribute> {
        let mut all = Vec::new();
        while self.is(TokenKind::LBracket) {
            let start = self.bump().span;
            let double = self.eat(TokenKind::LBracket);
            loop {
                let Some((mut name, _)) = self.attribute_name() else {
                    self.error(&codes::AQ2005, self.token().span, "an attribute's name is expected".to_owned());
                    break;
                };
                let mut scope = None;
                if self.eat(TokenKind::ColonColon) {
                    scope = Some(name);
                    match self.attribute_name() {
                        Some((inner, _)) => name = inner,
                        None => break,
                    }
                }
                let mut args = Vec::new();
                if self.eat(TokenKind::LParen) {
                    while !self.is(TokenKind::RParen) && !self.is(TokenKind::Eof) {
                        args.push(self.assignment_expr());
                        if !self.eat(TokenKind::Comma) {
                            break;
                        }
                    }
                    self.expect(TokenKind::RParen);
                }
                all.push(Attribute { scope, name, args, span: self.span_from(start) });
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
            // Whatever is left is skipped to the bracket.
            while !self.is(TokenKind::RBracket) && !self.is(TokenKind::Eof) && !self.is(TokenKind::Semicolon) {
                self.bump();
            }
            self.eat(TokenKind::RBracket);
            if double {
                self.eat(TokenKind::RBracket);
            }
        }
        all
    }

    /// Any word can name an attribute.
    fn attribute_name(&mut self) -> Option<(Name, Span)> {
        let token = self.token();
        if !token.kind.is_word() {
            return None;
        }
        self.bump();
        let name = match token.kind {
            TokenKind::Ident => token.name,
            kind => self.names.intern(kind.text()),
        };
        Some((name, token.span))
    }

    pub(super) fn modifiers(&mut self) -> Modifiers {
        let mut all = Modifiers::default();
        loop {
            let modifier = match self.kind() {
                TokenKind::Static => Modifier::Static,
                TokenKind::Const => Modifier::Const,
                TokenKind::Extern => Modifier::Extern,
                TokenKind::Groupshared => Modifier::Groupshared,
                TokenKind::Uniform => Modifier::Uniform,
                TokenKind::In => Modifier::In,
                TokenKind::Out => Modifier::Out,
                TokenKind::Inout => Modifier::Inout,
                TokenKind::RowMajor => Modifier::RowMajor,
                TokenKind::ColumnMajor => Modifier::ColumnMajor,
                TokenKind::Snorm => Modifier::Snorm,
                TokenKind::Unorm => Modifier::Unorm,
                TokenKind::Precise => Modifier::Precise,
                TokenKind::GloballyCoherent => Modifier::Coherent,
                TokenKind::Volatile | TokenKind::Shared | TokenKind::Inline | TokenKind::Export => Modifier::Other,
                TokenKind::Ident => {
                    let modifier = match self.word(self.token()) {
                        "nointerpolation" => Modifier::Flat,
                        "noperspective" => Modifier::NoPerspective,
                        "centroid" => Modifier::Centroid,
                        "sample" => Modifier::Sample,
                        "linear" => Modifier::Linear,
                        "center" => Modifier::Center,
                        "point" | "line" | "triangle" | "lineadj" | "triangleadj" | "reordercoherent" => {
                            Modifier::Other
                        }
                        _ => return all,
                    };
                    // These are names elsewhere (A2.11): something of a declaration has to follow.
                    let next = self.ahead(1);
                    let follows = self.names_type(next)
                        || matches!(
                            next.kind,
                            TokenKind::Struct
                                | TokenKind::In
                                | TokenKind::Out
                                | TokenKind::Inout
                                | TokenKind::Const
                                | TokenKind::Precise
                                | TokenKind::RowMajor
                                | TokenKind::ColumnMajor
                        )
                        || matches!(
                            self.word(next),
                            "nointerpolation" | "noperspective" | "centroid" | "sample" | "linear" | "center"
                        );
                    if !follows {
                        return all;
                    }
                    modifier
                }
                _ => return all,
            };
            all.add(modifier);
            self.bump();
        }
    }

    /// A block as a statement.
    pub(super) fn block_stmt(&mut self) -> crate::ast::StmtId {
        let start = self.token().span;
        let list = self.nest(Self::braced).unwrap_or_default();
        let span = self.span_from(start);
        self.stmt_node(StmtKind::Block(list), span)
    }
}
