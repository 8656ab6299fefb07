//! Bodies of functions: instances in the IR, parameters (A11, A16).

use crate::ast::StmtKind;
use crate::sema::Sema;
use crate::sema::codes;
use crate::sema::function::Mode;
use crate::sema::operand::{Expr, Object};
use crate::sema::scope::{Storage, Symbol};
use crate::types::{self, Ty, Type};
use aquatint_base::Span;
use aquatint_ir::types::{self as ir, Space};
use aquatint_ir::{Function as IrFunction, Op};

impl<'a> Sema<'a> {
    /// Lowers an instance of a function into the module.
    pub(crate) fn lower_instance(&mut self, index: usize) {
        let instance = self.instances[index].clone();
        let function = instance.function;
        let objects: Vec<Option<(Object, bool)>> = instance.objects;
        let Some((name, span)) = self.functions.get(function).map(|f| (f.name, f.span)) else { return };
        let text = self.module.names.get(name).to_owned();
        let text = match self.functions[function].of.and_then(|of| self.types.structure(of)) {
            Some((_, data)) => format!("{}.{text}", self.module.names.get(data.name)),
            None => text,
        };
        let unique = self.unique_function_name(&text);
        let done = self.lower_body(function, &objects, unique, span, instance.depth);
        self.module.functions[instance.id] = done.function;
        let record = &mut self.instances[index];
        record.stage_uses = done.stage_uses;
        record.calls = done.calls;
        record.statics = done.statics;
    }

    /// Checks a function that nothing reached.
    pub(crate) fn check_function(&mut self, function: usize) {
        let (name, span) = (self.functions[function].name, self.functions[function].span);
        self.checking = true;
        self.lower_body(function, &[], name, span, 0);
        self.checking = false;
    }

    pub(super) fn lower_body(
        &mut self,
        function: usize,
        objects: &[Option<(Object, bool)>],
        name: aquatint_base::Name,
        span: Span,
        depth: usize,
    ) -> crate::sema::Current {
        let data = self.functions[function].clone();
        let result = self.value_type(data.result);
        let before = self.begin(IrFunction::new(name, result), span);
        self.cur.result = data.result;
        self.cur.order = data.order;
        self.cur.depth = depth;
        self.cur.precise = data.precise;
        let Some(body) = data.body else {
            let text = self.signature_text(function);
            self.error(&codes::AQ3001, span, format!("'{text}' has no body"));
            return self.finish(before);
        };
        self.cur.namespace = body.namespace;
        // Parameters of the IR: `this`, then one for each parameter that is data, or an index of a resource array.
        let mut types: Vec<ir::TypeId> = Vec::new();
        let method = data.of.filter(|_| !data.is_static);
        if let Some(of) = method {
            let held = self.value_type(of);
            types.push(self.module.types.pointer(Space::Function, held));
        }
        let mut next = 0;
        for param in &data.params {
            self.param_types(param.ty, param.mode, objects, &mut next, &mut types);
        }
        let region = self.cur.region;
        self.b().set_params(region, &types);
        let mut at = 0;
        self.push_scope();
        if let Some(of) = method {
            let pointer = self.b().param(region, at);
            at += 1;
            self.cur.this = Some((of, pointer));
        }
        let mut next = 0;
        for param in &data.params {
            let storage = self.param_storage(param, objects, &mut next, region, &mut at);
            let variable = self.add_variable(param.name, param.ty, param.span, storage);
            self.variables[variable].constant = param.constant;
            if let Storage::Object(object) = self.variables[variable].storage {
                self.object_slot(variable, object);
            }
            if !self.module.names.get(param.name).is_empty()
                && !self.declare_local(param.name, Symbol::Variable(variable))
            {
                let text = self.module.names.get(param.name).to_owned();
                self.error(&codes::AQ3002, param.span, format!("parameter '{text}' is declared twice"));
            }
        }
        self.returns = false;
        self.statements = 0;
        let tree = self.tree;
        if let Some(StmtKind::Block(list)) = tree.stmts.get(body.block).map(|s| &s.kind) {
            self.block(list);
        }
        self.pop_scope();
        if !self.cur.dead {
            if data.result == types::VOID || result == ir::VOID {
                self.b().terminate(Op::Return, &[]);
            } else {
                let text = self.module.names.get(data.name).to_owned();
                if self.returns {
                    self.warning(&codes::AQ3230, data.span, format!("'{text}' may end without its result"));
                } else {
                    self.error(&codes::AQ3012, data.span, format!("'{text}' does not return its result"));
                }
                let zero = self.zero(result);
                self.b().terminate(Op::Return, &[zero]);
            }
        }
        self.finish(before)
    }

    /// The IR parameters of one parameter: none for an object, an index for one of an array, each part of a struct that holds
    /// objects.
    pub(super) fn param_types(
        &mut self,
        ty: Ty,
        mode: Mode,
        objects: &[Option<(Object, bool)>],
        next: &mut usize,
        types: &mut Vec<ir::TypeId>,
    ) {
        if self.types.is_object(ty) {
            if matches!(objects.get(*next), Some(Some((_, true)))) {
                types.push(ir::U32);
            }
            *next += 1;
            return;
        }
        if let (true, Type::Struct(id)) = (self.types.holds_objects(ty), self.types.get(ty)) {
            for field in self.types.structs[id].fields.clone() {
                self.param_types(field.ty, Mode::In, objects, next, types);
            }
            return;
        }
        let held = self.value_type(ty);
        types.push(match mode {
            Mode::In => held,
            Mode::Out | Mode::InOut => self.module.types.pointer(Space::Function, held),
        });
    }

    pub(super) fn param_storage(
        &mut self,
        param: &crate::sema::function::Param,
        objects: &[Option<(Object, bool)>],
        next: &mut usize,
        region: aquatint_ir::RegionId,
        at: &mut usize,
    ) -> Storage {
        if self.types.is_object(param.ty) {
            let object = match objects.get(*next) {
                Some(Some((object, true))) => {
                    let index = self.b().param(region, *at);
                    *at += 1;
                    Object { resource: object.resource, index: Some(index) }
                }
                Some(Some((object, false))) => Object { resource: object.resource, index: None },
                _ => Object { resource: None, index: None },
            };
            *next += 1;
            return Storage::Object(object);
        }
        if let (true, Type::Struct(id)) = (self.types.holds_objects(param.ty), self.types.get(param.ty)) {
            let mut parts = Vec::new();
            for (index, field) in self.types.structs[id].fields.clone().into_iter().enumerate() {
                let inner =
                    crate::sema::function::Param { name: field.name, ty: field.ty, mode: Mode::In, ..param.clone() };
                let storage = self.param_storage(&inner, objects, next, region, at);
                let object = match storage {
                    Storage::Object(object) => Some(object),
                    _ => None,
                };
                let variable = self.add_variable(field.name, field.ty, field.span, storage);
                if let Some(object) = object {
                    self.object_slot(variable, object);
                }
                parts.push((index, variable));
            }
            return Storage::Record(parts);
        }
        let value = self.b().param(region, *at);
        *at += 1;
        match param.mode {
            Mode::In => {
                let held = self.type_of(value);
                if held == ir::VOID {
                    return Storage::Error;
                }
                let copy = self.var(held);
                self.b().name(copy, param.name);
                self.store_pointer(copy, value);
                Storage::Local(copy)
            }
            Mode::Out | Mode::InOut => Storage::Local(value),
        }
    }

    /// The value of a parameter that a call leaves out (A10.6).
    pub(crate) fn default_argument(&mut self, function: usize, index: usize, span: Span) -> Expr {
        let default =
            self.defaults[function].get(index).and_then(|p| p.declarators.first()).and_then(|d| d.init).or_else(|| {
                let body = self.functions[function].body.as_ref()?;
                body.decl.params.get(index)?.declarators.first()?.init
            });
        match default {
            Some(init) => {
                let locals = std::mem::take(&mut self.cur.locals);
                let value = self.data_expr(init);
                self.cur.locals = locals;
                value
            }
            None => Expr::error(span),
        }
    }
}
