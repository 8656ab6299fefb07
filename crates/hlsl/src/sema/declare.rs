//! Declarations of file and namespace scope, and of structs (A4.5 to A4.9, A6, A8, A13).

use crate::ast::{self, Attribute, Declarator, Item, ItemKind, Modifier, Modifiers, Variables};
use crate::sema::codes;
use crate::sema::function::{Function, FunctionAttributes, Mode, Param};
use crate::sema::scope::{Namespace, Storage, Symbol};
use crate::sema::{Body, Sema};
use crate::types::{self, Field, Interpolation, Kind, Semantic, Ty, Type};
use aquatint_base::{Diagnostic, Name, Span};
use aquatint_ir::Stage;
use std::rc::Rc;

impl<'a> Sema<'a> {
    /// All declarations of a list, in order.
    pub(crate) fn declare_items(&mut self, items: &'a [Item]) {
        for item in items {
            self.order += 1;
            self.declare_item(item);
        }
    }

    pub(super) fn declare_item(&mut self, item: &'a Item) {
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
    pub(super) fn interpolation(modifiers: Modifiers) -> Interpolation {
        Interpolation {
            flat: modifiers.has(Modifier::Flat),
            linear: modifiers.has(Modifier::NoPerspective),
            centroid: modifiers.has(Modifier::Centroid),
            sample: modifiers.has(Modifier::Sample),
        }
    }

    /// A semantic: trailing digits are its index (A7.1).
    pub(super) fn semantic(&mut self, semantic: Option<(Name, Span)>) -> Option<Semantic> {
        let (name, span) = semantic?;
        let text = self.module.names.get(name).to_ascii_lowercase();
        let base = text.trim_end_matches(|c: char| c.is_ascii_digit());
        let index = text[base.len()..].parse::<u32>().unwrap_or(0);
        let name = self.module.names.intern(if base.is_empty() { &text } else { base });
        Some(Semantic { name, index, span })
    }

    /// The number that a `vk::` attribute says.
    pub(super) fn vk_number(&mut self, attributes: &'a [Attribute], name: &str) -> Option<u32> {
        for attribute in attributes {
            let vk = attribute.scope.is_some_and(|s| self.module.names.get(s) == "vk");
            if vk && self.module.names.get(attribute.name) == name {
                let value = attribute.args.first().and_then(|&a| self.constant_expr(a));
                return value.and_then(|v| u32::try_from(v).ok());
            }
        }
        None
    }

    pub(super) fn has_vk(&self, attributes: &[Attribute], name: &str) -> bool {
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
                let id = self.types.declare_struct(decl.name, decl.span);
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

    pub(super) fn define_struct(&mut self, ty: Ty, decl: &'a ast::StructDecl, members: &'a [Item]) {
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
        self.types.complete_struct(id, fields);
        let fault = if self.types.depth(ty) > types::MAX_DEPTH {
            Some("a type nests too deep".to_owned())
        } else if self.types.members(ty) > types::MAX_MEMBERS {
            Some(format!("a type has more than {} members, with those of its structs", types::MAX_MEMBERS))
        } else {
            None
        };
        if let Some(fault) = fault {
            self.error(&codes::AQ4009, decl.span, fault);
            self.types.complete_struct(id, Vec::new());
        }
        for decl in functions {
            self.declare_function(decl, scope, Some(ty));
        }
        self.cur.namespace = outer;
        self.cur.scopes = scopes;
    }

    pub(super) fn declare_fields(&mut self, of: Ty, variables: &'a Variables, fields: &mut Vec<Field>) {
        let base = self.resolve_declared(variables.ty, variables.modifiers, variables.span);
        for declarator in &variables.declarators {
            let ty = self.array_of(base, &declarator.dims, None, declarator.span);
            let (element, ..) = self.types.innermost(ty);
            let incomplete = matches!(self.types.structure(element), Some((_, s)) if !s.complete);
            if element == of || incomplete {
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

    pub(super) fn bit_field(
        &mut self,
        expr: ast::ExprId,
        ty: Ty,
        fields: &[Field],
        span: Span,
    ) -> Option<types::BitField> {
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

    pub(super) fn pack_offset(&mut self, declarator: &Declarator) -> Option<u32> {
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
    pub(super) fn function_attributes(&mut self, attributes: &'a [Attribute]) -> FunctionAttributes {
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

    pub(super) fn same_params(&mut self, a: &Function<Body<'a>>, b: &Function<Body<'a>>) -> bool {
        a.params.len() == b.params.len()
            && a.params.iter().zip(&b.params).all(|(x, y)| {
                let (tx, ty) = (self.types.canonical(x.ty), self.types.canonical(y.ty));
                tx == ty && (x.mode == Mode::In) == (y.mode == Mode::In)
            })
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
