//! Variables of file and namespace scope: resources and their registers, constant buffers, statics (A8, A13).

use crate::ast::{self, BufferDecl, Declarator, ItemKind, Modifier, Variables};
use crate::sema::Sema;
use crate::sema::codes;
use crate::sema::operand::Object;
use crate::sema::scope::{Storage, Symbol};
use crate::types::{self, Field, ObjectKind, Ty, Type};
use aquatint_base::{Diagnostic, Name, Span};
use aquatint_ir::{Op, RegisterClass};

impl<'a> Sema<'a> {
    /// The register of a declarator that counts for this stage: class, number, space.
    pub(super) fn register(&mut self, registers: &[ast::Register]) -> Option<(char, u32, u32, Span)> {
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
    pub(super) fn bind(&mut self, resource: usize, registers: &[ast::Register]) {
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

    pub(super) fn place(&mut self, resource: usize, register: u32, space: u32) {
        for (i, &global) in self.resources[resource].globals.clone().iter().enumerate() {
            if let aquatint_ir::GlobalKind::Resource { binding, .. } = &mut self.module.globals[global].kind {
                binding.register = register.saturating_add(i as u32);
                binding.space = space;
            }
        }
    }

    /// `cbuffer` and `tbuffer`: a block whose members are names of the namespace around it (A13.2).
    pub(super) fn declare_buffer(&mut self, decl: &'a BufferDecl) {
        let mut fields = Vec::new();
        let span = decl.span;
        let id = self.types.declare_struct(decl.name, span);
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
        self.types.complete_struct(id, fields.clone());
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

    pub(super) fn declare_global(&mut self, variables: &'a Variables, declarator: &'a Declarator, base: Ty) -> usize {
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

    pub(super) fn declare_resource(&mut self, name: Name, ty: Ty, declarator: &Declarator, span: Span) -> usize {
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
    pub(super) fn declare_record(&mut self, name: Name, ty: Ty, declarator: &'a Declarator, span: Span) -> usize {
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

    pub(super) fn declare_push(&mut self, name: Name, ty: Ty, span: Span) -> usize {
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

    pub(super) fn declare_spec(&mut self, name: Name, ty: Ty, id: u32, init: Option<ast::ExprId>, span: Span) -> usize {
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
                fields.push(Field::new(param.name, param.ty, param.span));
            }
            if fields.is_empty() {
                continue;
            }
            let name = self.module.names.intern("$Params");
            let span = self.functions[function].span;
            let id = self.types.declare_struct(name, span);
            self.types.complete_struct(id, fields);
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
            fields.push(Field { offset, ..Field::new(data.name, data.ty, data.span) });
        }
        let name = self.module.names.intern("$Globals");
        let span = fields.first().map_or(Span::NONE, |f| f.span);
        let id = self.types.declare_struct(name, span);
        self.types.complete_struct(id, fields);
        let ty = self.types.intern(Type::Struct(id));
        let Some(resource) = self.add_resource(name, span, ObjectKind::ConstantBuffer, ty, None, 0, 0) else { return };
        self.bindings.push((resource, None, 0));
        let object = Object { resource: Some(resource), index: None };
        for (index, (variable, _)) in members.into_iter().enumerate() {
            self.variables[variable].storage = Storage::Member(object, index);
        }
    }
}
