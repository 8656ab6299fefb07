//! Declarations of file and namespace scope, and of structs (A4.5 to A4.9, A6, A8, A13).

use crate::ast::{self, Attribute, BufferDecl, Declarator, Item, ItemKind, Modifier, Modifiers, Variables};
use crate::sema::codes;
use crate::sema::function::{Function, FunctionAttributes, Mode, Param};
use crate::sema::operand::Object;
use crate::sema::scope::{Namespace, Storage, Symbol};
use crate::sema::{Body, Sema};
use crate::types::{self, Field, Interpolation, Kind, ObjectKind, Semantic, Struct, Ty, Type};
use aquatint_base::{Diagnostic, Name, Span};
use aquatint_ir::{Op, RegisterClass, Stage};
use std::rc::Rc;

impl<'a> Sema<'a> {
    /// All declarations of a list, in order.
    pub(crate) fn declare_items(&mut self, items: &'a [Item]) {
        for item in items {
            self.order += 1;
            self.declare_item(item);
        }
    }

    fn declare_item(&mut self, item: &'a Item) {
        match &item.kind {
            ItemKind::Empty => {}
            ItemKind::Variables(variables) => self.declare_globals(variables),
            ItemKind::Function(decl) => {
                self.declare_function(decl, self.cur.namespace, None);
            }
            ItemKind::Type(ty) => {
                self.resolve_type(*ty);
            }
            ItemKind::Typedef(variables) => self.declare_typedef(variables),
            ItemKind::Alias(name, _, ty) => {
                let ty = self.resolve_type(*ty);
                self.declare_type(*name, ty);
            }
            ItemKind::UsingNamespace(path) => match self.resolve_path_symbol(path) {
                Some(Symbol::Namespace(at)) => self.namespaces[self.cur.namespace].using.push(at),
                _ => {
                    let text = self.path_text(path);
                    self.error(&codes::AQ3001, path.span, format!("there is no namespace '{text}'"));
                }
            },
            ItemKind::UsingName(path) => {
                let symbols = self.resolve_path(path);
                let Some(&(name, _)) = path.parts.last() else { return };
                if symbols.is_empty() {
                    let text = self.path_text(path);
                    self.error(&codes::AQ3001, path.span, format!("'{text}' is not declared"));
                }
                for symbol in symbols {
                    self.declare_in(self.cur.namespace, name, symbol);
                }
            }
            ItemKind::Namespace(name, _, items) => {
                let known = self.namespaces[self.cur.namespace].names.get(name).and_then(|symbols| {
                    symbols.iter().find_map(|s| if let Symbol::Namespace(at) = s.0 { Some(at) } else { None })
                });
                let at = match known {
                    Some(at) => at,
                    None => {
                        let at = self.new_namespace(self.cur.namespace);
                        self.declare_in(self.cur.namespace, *name, Symbol::Namespace(at));
                        at
                    }
                };
                let before = std::mem::replace(&mut self.cur.namespace, at);
                self.declare_items(items);
                self.cur.namespace = before;
            }
            ItemKind::Buffer(decl) => self.declare_buffer(decl),
            ItemKind::Template(params, inner) => self.declare_template(params, inner),
        }
    }

    pub(crate) fn new_namespace(&mut self, parent: usize) -> usize {
        self.namespaces.push(Namespace { parent: Some(parent), ..Namespace::default() });
        self.namespaces.len() - 1
    }

    /// A type's name in the scope at hand.
    pub(crate) fn declare_type(&mut self, name: Name, ty: Ty) {
        if self.cur.scopes.is_empty() {
            self.declare_in(self.cur.namespace, name, Symbol::Type(ty));
        } else {
            self.declare_local(name, Symbol::Type(ty));
        }
    }

    pub(crate) fn declare_typedef(&mut self, variables: &'a Variables) {
        let base = self.resolve_declared(variables.ty, variables.modifiers, variables.span);
        for declarator in &variables.declarators {
            let ty = self.array_of(base, &declarator.dims, None, declarator.span);
            self.declare_type(declarator.name, ty);
        }
    }

    /// Interpolation modifiers.
    fn interpolation(modifiers: Modifiers) -> Interpolation {
        Interpolation {
            flat: modifiers.has(Modifier::Flat),
            linear: modifiers.has(Modifier::NoPerspective),
            centroid: modifiers.has(Modifier::Centroid),
            sample: modifiers.has(Modifier::Sample),
        }
    }

    /// A semantic: trailing digits are its index (A7.1).
    fn semantic(&mut self, semantic: Option<(Name, Span)>) -> Option<Semantic> {
        let (name, span) = semantic?;
        let text = self.module.names.get(name).to_ascii_lowercase();
        let base = text.trim_end_matches(|c: char| c.is_ascii_digit());
        let index = text[base.len()..].parse::<u32>().unwrap_or(0);
        let name = self.module.names.intern(if base.is_empty() { &text } else { base });
        Some(Semantic { name, index, span })
    }

    /// The number that a `vk::` attribute says.
    fn vk_number(&mut self, attributes: &'a [Attribute], name: &str) -> Option<u32> {
        for attribute in attributes {
            let vk = attribute.scope.is_some_and(|s| self.module.names.get(s) == "vk");
            if vk && self.module.names.get(attribute.name) == name {
                let value = attribute.args.first().and_then(|&a| self.constant_expr(a));
                return value.and_then(|v| u32::try_from(v).ok());
            }
        }
        None
    }

    fn has_vk(&self, attributes: &[Attribute], name: &str) -> bool {
        attributes
            .iter()
            .any(|a| a.scope.is_some_and(|s| self.module.names.get(s) == "vk") && self.module.names.get(a.name) == name)
    }

    /// A struct where it is defined: its name is declared before its fields are read.
    pub(crate) fn declare_struct(&mut self, decl: &'a ast::StructDecl) -> Ty {
        if decl.interface {
            self.error(&codes::AQ3052, decl.span, "interfaces are not supported".to_owned());
            return types::ERROR;
        }
        let known = (!self.module.names.get(decl.name).is_empty())
            .then(|| {
                self.namespaces[self.cur.namespace].names.get(&decl.name).and_then(|symbols| {
                    symbols.iter().find_map(|s| if let Symbol::Type(ty) = s.0 { Some(ty) } else { None })
                })
            })
            .flatten()
            .filter(|_| self.cur.scopes.is_empty());
        let ty = match known.and_then(|ty| self.types.structure(ty).map(|(id, s)| (ty, id, s.complete))) {
            Some((ty, _, false)) => ty,
            Some((ty, ..)) if decl.members.is_none() => return ty,
            Some((ty, ..)) => {
                let name = self.ty_name(ty);
                self.error(&codes::AQ3002, decl.span, format!("struct '{name}' is defined twice"));
                return ty;
            }
            None => {
                let data = Struct { name: decl.name, span: decl.span, fields: Vec::new(), base: None, complete: false };
                let id = self.types.structs.push(data);
                let ty = self.types.intern(Type::Struct(id));
                let scope = self.new_namespace(self.cur.namespace);
                self.type_scopes.insert(ty, scope);
                if !self.module.names.get(decl.name).is_empty() {
                    self.declare_type(decl.name, ty);
                }
                ty
            }
        };
        if let Some(members) = &decl.members {
            self.define_struct(ty, decl, members);
        }
        ty
    }

    fn define_struct(&mut self, ty: Ty, decl: &'a ast::StructDecl, members: &'a [Item]) {
        let Type::Struct(id) = self.types.get(ty) else { return };
        let Some(&scope) = self.type_scopes.get(&ty) else { return };
        let mut fields: Vec<Field> = Vec::new();
        if decl.bases.len() > 1 {
            self.error(&codes::AQ3053, decl.span, "a struct has one base".to_owned());
        }
        if let Some(path) = decl.bases.first() {
            match self.resolve_path_symbol(path) {
                Some(Symbol::Type(base)) if matches!(self.types.structure(base), Some((_, s)) if s.complete) => {
                    if let Some((_, data)) = self.types.structure(base) {
                        fields = data.fields.clone();
                    }
                    self.types.structs[id].base = Some(base);
                    if let Some(&base_scope) = self.type_scopes.get(&base) {
                        self.namespaces[scope].base = Some(base_scope);
                    }
                }
                _ => {
                    let text = self.path_text(path);
                    self.error(&codes::AQ3001, path.span, format!("there is no struct '{text}'"));
                }
            }
        }
        let (outer, scopes) = (std::mem::replace(&mut self.cur.namespace, scope), std::mem::take(&mut self.cur.scopes));
        let mut functions = Vec::new();
        for item in members {
            match &item.kind {
                ItemKind::Variables(variables) if variables.modifiers.has(Modifier::Static) => {
                    self.declare_globals(variables);
                }
                ItemKind::Variables(variables) => self.declare_fields(ty, variables, &mut fields),
                ItemKind::Function(decl) => functions.push(decl),
                _ => self.declare_item(item),
            }
            if fields.len() > self.limits.fields {
                let message = format!("a struct has more than {} members", self.limits.fields);
                self.error(&codes::AQ4012, decl.span, message);
                break;
            }
        }
        self.types.structs[id].fields = fields;
        self.types.structs[id].complete = true;
        if self.types.depth(ty) > types::MAX_DEPTH {
            self.error(&codes::AQ4009, decl.span, "a type nests too deep".to_owned());
            self.types.structs[id].fields.clear();
        }
        for decl in functions {
            self.declare_function(decl, scope, Some(ty));
        }
        self.cur.namespace = outer;
        self.cur.scopes = scopes;
    }

    fn declare_fields(&mut self, of: Ty, variables: &'a Variables, fields: &mut Vec<Field>) {
        let base = self.resolve_declared(variables.ty, variables.modifiers, variables.span);
        for declarator in &variables.declarators {
            let ty = self.array_of(base, &declarator.dims, None, declarator.span);
            let incomplete = matches!(self.types.structure(ty), Some((_, s)) if !s.complete);
            if ty == of || incomplete {
                let message = format!("'{}' cannot hold itself", self.ty_name(of));
                self.error(&codes::AQ3062, declarator.span, message);
                continue;
            }
            if ty == types::VOID {
                self.error(&codes::AQ3061, declarator.span, "a member is not of type void".to_owned());
                continue;
            }
            if fields.iter().any(|f| f.name == declarator.name) && declarator.bits.is_none() {
                let inherited = self.types.structure(of).and_then(|(_, s)| s.base).is_some();
                if !inherited {
                    let name = self.module.names.get(declarator.name).to_owned();
                    self.error(&codes::AQ3002, declarator.span, format!("member '{name}' is declared twice"));
                    continue;
                }
            }
            let bits = match declarator.bits {
                Some(expr) => self.bit_field(expr, ty, fields, declarator.span),
                None => None,
            };
            let attributes = &variables.attributes;
            let offset = self.vk_number(attributes, "offset");
            let location = self.vk_number(attributes, "location");
            let blend_index = self.vk_number(attributes, "index");
            fields.push(Field {
                name: declarator.name,
                ty,
                span: declarator.span,
                bits,
                semantic: self.semantic(declarator.semantic),
                interpolation: Self::interpolation(variables.modifiers),
                offset: offset.or_else(|| self.pack_offset(declarator)),
                location,
                blend_index,
                precise: variables.modifiers.has(Modifier::Precise),
            });
        }
    }

    fn bit_field(&mut self, expr: ast::ExprId, ty: Ty, fields: &[Field], span: Span) -> Option<types::BitField> {
        let width = self.constant_expr(expr)?;
        let kind = self.types.numeric(ty).map(|(kind, _)| kind);
        let most = kind.map_or(0, |kind| self.scalar(kind).bits());
        if !kind.is_some_and(Kind::is_int) || width <= 0 || width > i64::from(most) {
            let message = format!("'{}' has no bitfield of {width} bits", self.ty_name(ty));
            self.error(&codes::AQ3055, span, message);
            return None;
        }
        let width = width as u32;
        // Low bits first; no straddling; a new unit where the type changes (A4.6).
        Some(match fields.last() {
            Some(Field { bits: Some(last), ty: before, .. })
                if *before == ty && last.low + last.width + width <= most =>
            {
                types::BitField { unit: last.unit, low: last.low + last.width, width }
            }
            _ => types::BitField { unit: fields.len() as u32, low: 0, width },
        })
    }

    fn pack_offset(&mut self, declarator: &Declarator) -> Option<u32> {
        let (register, component, span) = declarator.packoffset?;
        let text = self.module.names.get(register);
        let number = text.strip_prefix(['c', 'C']).and_then(|n| n.parse::<u32>().ok());
        let lane = match component.map(|c| self.module.names.get(c)) {
            None | Some("x" | "r") => Some(0),
            Some("y" | "g") => Some(4),
            Some("z" | "b") => Some(8),
            Some("w" | "a") => Some(12),
            Some(_) => None,
        };
        match (number, lane) {
            (Some(n @ 0..=0xFFFF), Some(lane)) => Some(n * 16 + lane),
            _ => {
                self.error(&codes::AQ3044, span, format!("'{text}' is no place in a constant buffer"));
                None
            }
        }
    }

    /// An enum, its values in its own scope, and around it unless it is scoped.
    pub(crate) fn declare_enum(&mut self, decl: &'a ast::EnumDecl) -> Ty {
        let kind = match decl.ty {
            Some(ty) => {
                let ty = self.resolve_type(ty);
                match self.types.numeric(ty) {
                    Some((kind, types::Shape::Scalar)) if kind.is_int() || kind == Kind::Bool => kind,
                    _ => {
                        self.error(&codes::AQ3063, decl.span, "an enum has an integer type".to_owned());
                        Kind::Int
                    }
                }
            }
            None => Kind::Int,
        };
        let id = self.types.enums.push(types::Enum { name: decl.name, kind, scoped: decl.scoped });
        let ty = self.types.intern(Type::Enum(id));
        if !self.module.names.get(decl.name).is_empty() {
            self.declare_type(decl.name, ty);
        }
        let scope = self.new_namespace(self.cur.namespace);
        self.type_scopes.insert(ty, scope);
        let mut next = 0i64;
        for (name, span, value) in &decl.values {
            if let Some(value) = value {
                match self.constant_expr(*value) {
                    Some(value) => next = value,
                    None => {
                        let text = self.module.names.get(*name).to_owned();
                        self.error(&codes::AQ3063, *span, format!("the value of '{text}' is not constant"));
                    }
                }
            }
            let scalar = self.scalar(kind);
            let constant = aquatint_ir::Value::constant(self.module.constants.scalar(scalar, next as u64));
            let variable = self.add_variable(*name, ty, *span, Storage::Constant(constant));
            self.declare_in(scope, *name, Symbol::Variable(variable));
            if !decl.scoped {
                if self.cur.scopes.is_empty() {
                    self.declare_in(self.cur.namespace, *name, Symbol::Variable(variable));
                } else {
                    self.declare_local(*name, Symbol::Variable(variable));
                }
            }
            next = next.wrapping_add(1);
        }
        ty
    }

    /// What the attributes of a function say.
    fn function_attributes(&mut self, attributes: &'a [Attribute]) -> FunctionAttributes {
        let mut all = FunctionAttributes::default();
        for attribute in attributes {
            let name = self.module.names.get(attribute.name).to_ascii_lowercase();
            if attribute.scope.is_some() {
                continue;
            }
            match name.as_str() {
                "numthreads" => {
                    let sizes: Vec<Option<i64>> = attribute.args.iter().map(|&a| self.constant_expr(a)).collect();
                    let fits = |n: Option<i64>, most: i64| n.filter(|n| (1..=most).contains(n)).map(|n| n as u32);
                    let size = match *sizes.as_slice() {
                        [x, y, z] => match (fits(x, 1024), fits(y, 1024), fits(z, 64)) {
                            (Some(x), Some(y), Some(z)) if x * y * z <= 1024 => Some([x, y, z]),
                            _ => None,
                        },
                        _ => None,
                    };
                    match size {
                        Some(size) => all.numthreads = Some(size),
                        None => {
                            let message = "'numthreads' takes three constants: x and y up to 1024, z up to 64, 1024 \
                                           together"
                                .to_owned();
                            self.error(&codes::AQ3019, attribute.span, message);
                        }
                    }
                }
                "shader" => {
                    let tree = self.tree;
                    let text = attribute.args.first().and_then(|&a| match tree.exprs.get(a).map(|e| &e.kind) {
                        Some(ast::ExprKind::String(name)) => Some(self.module.names.get(*name).to_owned()),
                        _ => None,
                    });
                    match text.as_deref() {
                        Some("vertex") => all.shader = Some(Ok(Stage::Vertex)),
                        Some("pixel") => all.shader = Some(Ok(Stage::Fragment)),
                        Some("compute") => all.shader = Some(Ok(Stage::Compute)),
                        Some(other) => all.shader = Some(Err(other.to_owned())),
                        None => {
                            self.error(&codes::AQ3019, attribute.span, "'shader' takes a string".to_owned());
                        }
                    }
                }
                "earlydepthstencil" => all.early = true,
                _ => {
                    if !KNOWN_ATTRIBUTES.contains(&name.as_str()) {
                        self.warning(&codes::AQ3213, attribute.span, format!("there is no attribute '{name}'"));
                    }
                }
            }
        }
        all
    }

    /// A function, a prototype, or a method. Its index.
    pub(crate) fn declare_function(
        &mut self,
        decl: &'a ast::FunctionDecl,
        namespace: usize,
        of: Option<Ty>,
    ) -> Option<usize> {
        let (mut namespace, mut of) = (namespace, of);
        for &(name, span) in &decl.owner {
            let found = self.lookup_in(namespace, name);
            match found.first() {
                Some(&Symbol::Namespace(at)) => namespace = at,
                Some(&Symbol::Type(ty)) if self.type_scopes.contains_key(&ty) => {
                    namespace = self.type_scopes[&ty];
                    of = Some(ty);
                }
                _ => {
                    let text = self.module.names.get(name).to_owned();
                    self.error(&codes::AQ3001, span, format!("there is no struct or namespace '{text}'"));
                    return None;
                }
            }
        }
        let before = std::mem::replace(&mut self.cur.namespace, namespace);
        let result = self.resolve_declared(decl.ty, decl.modifiers, decl.span);
        let mut params = Vec::new();
        for variables in &decl.params {
            let Some(declarator) = variables.declarators.first() else { continue };
            let base = self.resolve_declared(variables.ty, variables.modifiers, variables.span);
            let ty = self.array_of(base, &declarator.dims, None, declarator.span);
            if ty == types::VOID {
                if decl.params.len() == 1 && self.module.names.get(declarator.name).is_empty() {
                    break;
                }
                self.error(&codes::AQ3061, variables.span, "a parameter is not of type void".to_owned());
            }
            let modifiers = variables.modifiers;
            let mode = match (modifiers.has(Modifier::Inout), modifiers.has(Modifier::In), modifiers.has(Modifier::Out))
            {
                (true, ..) | (_, true, true) => Mode::InOut,
                (_, _, true) => Mode::Out,
                _ => Mode::In,
            };
            params.push(Param {
                name: declarator.name,
                span: declarator.span,
                ty: if ty == types::VOID { types::ERROR } else { ty },
                mode,
                constant: modifiers.has(Modifier::Const),
                uniform: modifiers.has(Modifier::Uniform),
                semantic: self.semantic(declarator.semantic),
                interpolation: Self::interpolation(modifiers),
                location: self.vk_number(&variables.attributes, "location"),
                defaulted: declarator.init.is_some(),
            });
        }
        self.cur.namespace = before;
        if params.len() > self.limits.parameters {
            let message = format!("a function has more than {} parameters", self.limits.parameters);
            self.error(&codes::AQ4012, decl.span, message);
            return None;
        }
        let attributes = self.function_attributes(&decl.attributes);
        let location = self.vk_number(&decl.attributes, "location");
        let function = Function {
            name: decl.name,
            span: decl.span,
            params,
            result,
            semantic: self.semantic(decl.semantic),
            location,
            attributes,
            of,
            is_static: decl.modifiers.has(Modifier::Static) && of.is_some(),
            precise: decl.modifiers.has(Modifier::Precise),
            order: self.order,
            body: decl.body.map(|block| Body { decl, block, namespace }),
        };
        // A definition completes its prototype.
        let twins = self.namespaces[namespace].names.get(&decl.name).cloned().unwrap_or_default();
        for (symbol, _) in twins {
            let Symbol::Function(index) = symbol else { continue };
            if !self.same_params(&self.functions[index].clone(), &function) {
                continue;
            }
            if function.body.is_none() {
                return Some(index);
            }
            if self.functions[index].body.is_some() {
                let text = self.signature_text(index);
                let diagnostic = Diagnostic::error(&codes::AQ3002, format!("'{text}' has two bodies"))
                    .at(decl.span, "")
                    .at(self.functions[index].span, "the first is here");
                self.diags.push(diagnostic);
                return Some(index);
            }
            let known = Rc::make_mut(&mut self.functions[index]);
            let defaults: Vec<bool> = known.params.iter().map(|p| p.defaulted).collect();
            let is_static = known.is_static;
            let attributes = known.attributes.clone();
            *known = function;
            known.is_static |= is_static;
            known.attributes.numthreads = known.attributes.numthreads.or(attributes.numthreads);
            if known.attributes.shader.is_none() {
                known.attributes.shader = attributes.shader;
            }
            for (param, defaulted) in known.params.iter_mut().zip(defaults) {
                param.defaulted |= defaulted;
            }
            return Some(index);
        }
        self.functions.push(Rc::new(function));
        self.defaults.push(&decl.params);
        let index = self.functions.len() - 1;
        // Members of a struct are seen by all of it.
        let order = self.order;
        if of.is_some() {
            self.order = 0;
        }
        self.declare_in(namespace, decl.name, Symbol::Function(index));
        self.order = order;
        Some(index)
    }

    fn same_params(&mut self, a: &Function<Body<'a>>, b: &Function<Body<'a>>) -> bool {
        a.params.len() == b.params.len()
            && a.params.iter().zip(&b.params).all(|(x, y)| {
                let (tx, ty) = (self.types.canonical(x.ty), self.types.canonical(y.ty));
                tx == ty && (x.mode == Mode::In) == (y.mode == Mode::In)
            })
    }

    /// The register of a declarator that counts for this stage: class, number, space.
    fn register(&mut self, registers: &[ast::Register]) -> Option<(char, u32, u32, Span)> {
        for register in registers {
            let text = self.module.names.get(register.register).to_ascii_lowercase();
            let mut chars = text.chars();
            let class = chars.next();
            let number = chars.as_str().parse::<u32>().ok();
            let space = match register.space {
                None => Some(0),
                Some(space) => {
                    self.module.names.get(space).to_ascii_lowercase().strip_prefix("space").and_then(|n| n.parse().ok())
                }
            };
            match (class, number, space) {
                (Some(class @ ('b' | 't' | 'u' | 's' | 'c')), Some(number), Some(space)) => {
                    return Some((class, number, space, register.span));
                }
                (None, _, Some(space)) => return Some(('?', u32::MAX, space, register.span)),
                _ => {
                    if text.starts_with("space") && number.is_none() {
                        let space = text.strip_prefix("space").and_then(|n| n.parse().ok()).unwrap_or(0);
                        return Some(('?', u32::MAX, space, register.span));
                    }
                    self.error(&codes::AQ3026, register.span, format!("'{text}' is no register"));
                }
            }
        }
        None
    }

    /// Notes where a resource wants to be; checks the class (A8.1).
    fn bind(&mut self, resource: usize, registers: &[ast::Register]) {
        let class = self.resources[resource].kind.row().class();
        let explicit = match self.register(registers) {
            Some(('?', _, space, _)) => {
                self.bindings.push((resource, None, space));
                return;
            }
            Some((letter, number, space, span)) => {
                let fits = class.name().starts_with(letter);
                if !fits {
                    let name = self.module.names.get(self.resources[resource].name).to_owned();
                    let message = format!("'{name}' has a register of class '{}', not '{letter}'", class.name());
                    self.error(&codes::AQ3026, span, message);
                }
                Some((number, space))
            }
            None => None,
        };
        self.bindings.push((resource, explicit.map(|e| e.0), explicit.map_or(0, |e| e.1)));
    }

    /// Gives registers to the resources that name none: the lowest free ones of their class and space, in order.
    pub(crate) fn assign_registers(&mut self) {
        type Taken = Vec<(RegisterClass, u32, u32, u32)>;
        let mut taken: Taken = Vec::new();
        let bindings = self.bindings.clone();
        for &(resource, register, space) in &bindings {
            if let Some(register) = register {
                let data = &self.resources[resource];
                let count = data.count.unwrap_or(u32::MAX - register);
                taken.push((data.kind.row().class(), space, register, count));
                self.place(resource, register, space);
            }
        }
        for &(resource, register, space) in &bindings {
            if register.is_some() {
                continue;
            }
            let class = self.resources[resource].kind.row().class();
            let count = self.resources[resource].count.unwrap_or(1).max(1);
            let mut ranges: Vec<(u32, u32)> =
                taken.iter().filter(|t| t.0 == class && t.1 == space).map(|t| (t.2, t.3)).collect();
            ranges.sort_unstable();
            let mut at = 0u32;
            for (start, length) in ranges {
                if at.saturating_add(count) <= start {
                    break;
                }
                at = at.max(start.saturating_add(length));
            }
            taken.push((class, space, at, count));
            self.place(resource, at, space);
        }
    }

    fn place(&mut self, resource: usize, register: u32, space: u32) {
        for (i, &global) in self.resources[resource].globals.clone().iter().enumerate() {
            if let aquatint_ir::GlobalKind::Resource { binding, .. } = &mut self.module.globals[global].kind {
                binding.register = register.saturating_add(i as u32);
                binding.space = space;
            }
        }
    }

    /// `cbuffer` and `tbuffer`: a block whose members are names of the namespace around it (A13.2).
    fn declare_buffer(&mut self, decl: &'a BufferDecl) {
        let mut fields = Vec::new();
        let span = decl.span;
        let id =
            self.types.structs.push(Struct { name: decl.name, span, fields: Vec::new(), base: None, complete: false });
        let ty = self.types.intern(Type::Struct(id));
        let (mut packed, mut unpacked) = (0, 0);
        for item in &decl.members {
            match &item.kind {
                ItemKind::Variables(variables) if variables.modifiers.has(Modifier::Static) => {
                    self.declare_globals(variables);
                }
                ItemKind::Variables(variables) => {
                    for declarator in &variables.declarators {
                        if declarator.packoffset.is_some() { packed += 1 } else { unpacked += 1 }
                    }
                    self.declare_fields(ty, variables, &mut fields);
                }
                _ => self.declare_item(item),
            }
        }
        if packed > 0 && unpacked > 0 {
            let message = "some members have a packoffset and others have none".to_owned();
            self.warning(&codes::AQ3228, span, message);
        }
        fields.retain(|field| {
            if self.types.holds_objects(field.ty) {
                let name = self.module.names.get(field.name);
                let message = format!("'{name}' is an object, which does not lie in a constant buffer");
                self.diags.push(Diagnostic::error(&codes::AQ3056, message).at(field.span, ""));
                return false;
            }
            true
        });
        self.types.structs[id].fields = fields.clone();
        self.types.structs[id].complete = true;
        let kind = if decl.texture { ObjectKind::TextureBuffer } else { ObjectKind::ConstantBuffer };
        let Some(resource) = self.add_resource(decl.name, span, kind, ty, None, 0, 0) else {
            for field in &fields {
                let variable = self.add_variable(field.name, types::ERROR, field.span, Storage::Error);
                self.declare_in(self.cur.namespace, field.name, Symbol::Variable(variable));
            }
            return;
        };
        self.bind(resource, &decl.registers);
        let object = Object { resource: Some(resource), index: None };
        for (index, field) in fields.iter().enumerate() {
            let variable = self.add_variable(field.name, field.ty, field.span, Storage::Member(object, index));
            self.declare_in(self.cur.namespace, field.name, Symbol::Variable(variable));
        }
    }

    /// Variables of file or namespace scope, and static members.
    pub(crate) fn declare_globals(&mut self, variables: &'a Variables) {
        let modifiers = variables.modifiers;
        let base = self.resolve_declared(variables.ty, modifiers, variables.span);
        for declarator in &variables.declarators {
            let known = self.namespaces[self.cur.namespace].names.get(&declarator.name).cloned().unwrap_or_default();
            if known.iter().any(|s| matches!(s.0, Symbol::Variable(_))) && !modifiers.has(Modifier::Extern) {
                let name = self.module.names.get(declarator.name).to_owned();
                self.error(&codes::AQ3002, declarator.span, format!("'{name}' is declared twice"));
                continue;
            }
            let variable = self.declare_global(variables, declarator, base);
            self.declare_in(self.cur.namespace, declarator.name, Symbol::Variable(variable));
        }
    }

    fn declare_global(&mut self, variables: &'a Variables, declarator: &'a Declarator, base: Ty) -> usize {
        let modifiers = variables.modifiers;
        let open = declarator.dims.first().is_some_and(Option::is_none);
        let first = match (open, declarator.init) {
            (true, Some(init)) => self.open_length(base, &declarator.dims, init),
            _ => None,
        };
        let ty = self.array_of(base, &declarator.dims, first, declarator.span);
        let (name, span) = (declarator.name, declarator.span);
        if ty == types::ERROR {
            return self.add_variable(name, ty, span, Storage::Error);
        }
        if ty == types::VOID {
            self.error(&codes::AQ3061, span, "a variable is not of type void".to_owned());
            return self.add_variable(name, types::ERROR, span, Storage::Error);
        }
        if self.types.is_object(ty) && !modifiers.has(Modifier::Static) {
            return self.declare_resource(name, ty, declarator, span);
        }
        if self.types.holds_objects(ty) {
            return self.declare_record(name, ty, declarator, span);
        }
        if modifiers.has(Modifier::Groupshared) {
            if declarator.init.is_some() {
                self.warning(&codes::AQ3220, span, "groupshared memory has no first value".to_owned());
            }
            return self.add_variable(name, ty, span, Storage::Shared(None));
        }
        if self.has_vk(&variables.attributes, "push_constant") {
            return self.declare_push(name, ty, span);
        }
        if let Some(id) = self.vk_number(&variables.attributes, "constant_id") {
            return self.declare_spec(name, ty, id, declarator.init, span);
        }
        if modifiers.has(Modifier::Static) {
            let variable = self.add_variable(name, ty, span, Storage::Private(None, None));
            self.variables[variable].constant = modifiers.has(Modifier::Const);
            self.variables[variable].precise = modifiers.has(Modifier::Precise);
            if let Some(init) = declarator.init {
                self.static_first_value(variable, init);
            }
            return variable;
        }
        // A member of `$Globals` (A13.1).
        if declarator.init.is_some() {
            let message = "the value comes from outside: 'static' makes it a constant of the shader".to_owned();
            self.warning(&codes::AQ3220, span, message);
        }
        let variable = self.add_variable(name, ty, span, Storage::Error);
        let offset = match self.register(&declarator.registers) {
            Some(('c', number, ..)) => Some(number.saturating_mul(16)),
            Some((_, _, _, place)) => {
                self.error(&codes::AQ3026, place, "a value of '$Globals' has a register of class 'c'".to_owned());
                None
            }
            None => None,
        };
        self.globals_members.push((variable, offset));
        variable
    }

    /// The length of an array that its initialiser decides.
    pub(crate) fn open_length(&mut self, base: Ty, dims: &'a [Option<ast::ExprId>], init: ast::ExprId) -> Option<u32> {
        let inner = self.array_of(base, dims.get(1..).unwrap_or(&[]), None, Span::NONE);
        let each = self.types.leaves(inner).max(1);
        let mark = self.diags.errors();
        let leaves = self.scratch(|sema| {
            let value = sema.expr(init);
            let mut all = Vec::new();
            let good = sema.list_leaves(&value, &mut all);
            if good { all.len() as u64 } else { 0 }
        });
        if self.diags.errors() > mark {
            return None;
        }
        u32::try_from(leaves / each).ok().filter(|&n| n > 0)
    }

    fn declare_resource(&mut self, name: Name, ty: Ty, declarator: &Declarator, span: Span) -> usize {
        let (mut count, mut inner, mut array) = (Some(1u32), ty, false);
        while let Type::Array(element, length) = self.types.get(inner) {
            array = true;
            count = match (count, length) {
                (Some(a), Some(b)) => a.checked_mul(b),
                _ => None,
            };
            inner = element;
        }
        let Type::Object { kind, element } = self.types.get(inner) else {
            return self.add_variable(name, types::ERROR, span, Storage::Error);
        };
        let Some(resource) = self.add_resource(name, span, kind, element, array.then_some(count), 0, 0) else {
            return self.add_variable(name, types::ERROR, span, Storage::Error);
        };
        self.bind(resource, &declarator.registers);
        self.add_variable(name, ty, span, Storage::Object(Object { resource: Some(resource), index: None }))
    }

    /// A struct that holds resources: one resource a leaf, named `g.leaf` (A16.4).
    fn declare_record(&mut self, name: Name, ty: Ty, declarator: &'a Declarator, span: Span) -> usize {
        let Type::Struct(id) = self.types.get(ty) else {
            self.error(&codes::AQ3038, span, "an array of structs with resources is not supported".to_owned());
            return self.add_variable(name, types::ERROR, span, Storage::Error);
        };
        let mut parts = Vec::new();
        for (index, field) in self.types.structs[id].fields.clone().into_iter().enumerate() {
            let text = format!("{}.{}", self.module.names.get(name), self.module.names.get(field.name));
            let leaf = self.module.names.intern(&text);
            let variable = if self.types.is_object(field.ty) {
                self.declare_resource(leaf, field.ty, declarator, span)
            } else if self.types.holds_objects(field.ty) {
                self.declare_record(leaf, field.ty, declarator, span)
            } else {
                let variable = self.add_variable(leaf, field.ty, span, Storage::Error);
                self.globals_members.push((variable, None));
                variable
            };
            parts.push((index, variable));
        }
        self.add_variable(name, ty, span, Storage::Record(parts))
    }

    fn declare_push(&mut self, name: Name, ty: Ty, span: Span) -> usize {
        let rule = self.options.layout.rule(crate::layout::Use::Push);
        let laid = match self.types.structure(ty) {
            Some(_) => self.lay_out(ty, rule, span),
            None => {
                self.error(&codes::AQ3044, span, "push constants are a struct".to_owned());
                None
            }
        };
        let Some(laid) = laid else { return self.add_variable(name, types::ERROR, span, Storage::Error) };
        let text = self.module.names.get(name).to_owned();
        let global = self.module.add_global(&text, laid.ty, aquatint_ir::Space::Push, aquatint_ir::GlobalKind::Push);
        self.add_variable(name, ty, span, Storage::Push(global))
    }

    fn declare_spec(&mut self, name: Name, ty: Ty, id: u32, init: Option<ast::ExprId>, span: Span) -> usize {
        let scalar = matches!(self.types.get(ty), Type::Scalar(_));
        let value = init.map(|init| {
            self.scratch(|sema| {
                let value = sema.expr(init);
                sema.convert(&value, ty)
            })
        });
        let default = value.and_then(aquatint_ir::Value::as_constant);
        if !scalar || default.is_none() || self.module.spec_constants.iter().any(|s| s.id == id) {
            let message = "a specialisation constant is a scalar with a constant default and a number of its own";
            self.error(&codes::AQ3046, span, message.to_owned());
            return self.add_variable(name, types::ERROR, span, Storage::Error);
        }
        let variable = self.add_variable(name, ty, span, Storage::Error);
        if let Some(default) = default {
            let held = self.value_type(ty);
            let text = self.module.names.get(name).to_owned();
            let kind = aquatint_ir::GlobalKind::Private(Some(default));
            let global = self.module.add_global(&text, held, aquatint_ir::Space::Private, kind);
            self.module.spec_constants.push(aquatint_ir::SpecConstant { id, global, default });
            self.variables[variable].storage = Storage::Private(Some(global), None);
            self.variables[variable].constant = true;
        }
        variable
    }

    /// The first value of a static: a constant, or computed when the entry point starts (A13.3).
    pub(crate) fn static_first_value(&mut self, variable: usize, init: ast::ExprId) {
        let ty = self.variables[variable].ty;
        let value = self.scratch(|sema| {
            let value = sema.expr(init);
            sema.convert(&value, ty)
        });
        if value.as_constant().is_some() {
            self.variables[variable].storage = match self.variables[variable].constant {
                true => Storage::Constant(value),
                false => Storage::Private(None, Some(value)),
            };
        } else {
            self.late_statics.push((variable, init, self.cur.namespace, self.order));
        }
    }

    /// Statics whose first values are computed: a function each.
    pub(crate) fn lower_statics(&mut self) {
        for (variable, init, namespace, order) in std::mem::take(&mut self.late_statics) {
            let name = self.module.names.get(self.variables[variable].name).to_owned();
            let name = self.unique_function_name(&format!("init.{name}"));
            let span = self.variables[variable].span;
            let before = self.begin(aquatint_ir::Function::new(name, aquatint_ir::types::VOID), span);
            self.cur.namespace = namespace;
            self.cur.order = order;
            let ty = self.variables[variable].ty;
            let value = self.expr(init);
            let value = self.convert(&value, ty);
            let target = self.variable(variable, span);
            if let Some(place) = target.as_place().cloned() {
                self.store(&place, value, ty);
            }
            self.close(Op::Return);
            let done = self.finish(before);
            let id = self.module.functions.push(done.function);
            self.instances.push(crate::sema::function::Instance {
                function: usize::MAX,
                objects: Vec::new(),
                id,
                stage_uses: done.stage_uses,
                calls: done.calls,
                statics: done.statics,
                depth: 0,
            });
            self.variables[variable].init = Some(self.instances.len() - 1);
        }
    }

    /// The uniform parameters of entry points are a constant buffer, `$Params` (A13.5).
    pub(crate) fn declare_params(&mut self) {
        for entry in &self.options.entries {
            let known = self.module.names.find(&entry.name);
            let Some(function) = known.and_then(|wanted| {
                self.functions.iter().position(|f| f.name == wanted && f.of.is_none() && f.body.is_some())
            }) else {
                continue;
            };
            if self.uniform_params.contains_key(&function) {
                continue;
            }
            let mut fields = Vec::new();
            let mut places = Vec::new();
            for param in &self.functions[function].params {
                if !param.uniform || self.types.holds_objects(param.ty) {
                    places.push(None);
                    continue;
                }
                places.push(Some(fields.len()));
                fields.push(Field {
                    name: param.name,
                    ty: param.ty,
                    span: param.span,
                    bits: None,
                    semantic: None,
                    interpolation: Interpolation::default(),
                    offset: None,
                    location: None,
                    blend_index: None,
                    precise: false,
                });
            }
            if fields.is_empty() {
                continue;
            }
            let name = self.module.names.intern("$Params");
            let span = self.functions[function].span;
            let id = self.types.structs.push(Struct { name, span, fields, base: None, complete: true });
            let ty = self.types.intern(Type::Struct(id));
            if let Some(resource) = self.add_resource(name, span, ObjectKind::ConstantBuffer, ty, None, 0, 0) {
                self.bindings.push((resource, None, 0));
                self.uniform_params.insert(function, (resource, places));
            }
        }
    }

    /// The implicit constant buffer (A13.1).
    pub(crate) fn finish_globals(&mut self) {
        if self.globals_members.is_empty() {
            return;
        }
        let members = std::mem::take(&mut self.globals_members);
        let mut fields = Vec::new();
        for &(variable, offset) in &members {
            let data = &self.variables[variable];
            fields.push(Field {
                name: data.name,
                ty: data.ty,
                span: data.span,
                bits: None,
                semantic: None,
                interpolation: Interpolation::default(),
                offset,
                location: None,
                blend_index: None,
                precise: false,
            });
        }
        let name = self.module.names.intern("$Globals");
        let span = fields.first().map_or(Span::NONE, |f| f.span);
        let id = self.types.structs.push(Struct { name, span, fields, base: None, complete: true });
        let ty = self.types.intern(Type::Struct(id));
        let Some(resource) = self.add_resource(name, span, ObjectKind::ConstantBuffer, ty, None, 0, 0) else { return };
        self.bindings.push((resource, None, 0));
        let object = Object { resource: Some(resource), index: None };
        for (index, (variable, _)) in members.into_iter().enumerate() {
            self.variables[variable].storage = Storage::Member(object, index);
        }
    }
}

/// Attributes that mean something elsewhere, or nothing here.
static KNOWN_ATTRIBUTES: &[&str] = &[
    "noinline",
    "rootsignature",
    "wavesize",
    "waveopsincludehelperlanes",
    "domain",
    "partitioning",
    "outputtopology",
    "outputcontrolpoints",
    "patchconstantfunc",
    "maxtessfactor",
    "maxvertexcount",
    "instance",
    "clipplanes",
    "nodiscard",
    "maybe_unused",
    "deprecated",
    "unroll",
    "loop",
    "fastopt",
    "branch",
    "flatten",
    "allow_uav_condition",
    "forcecase",
    "call",
];
