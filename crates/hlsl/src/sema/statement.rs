//! Statements and function bodies (A12).

use crate::ast::{ExprId, ItemKind, Modifier, Stmt, StmtId, StmtKind, Variables};
use crate::intrinsics::Stages;
use crate::sema::Sema;
use crate::sema::codes;
use crate::sema::function::Mode;
use crate::sema::operand::{Expr, Node, Object, Place};
use crate::sema::scope::{Storage, Symbol};
use crate::types::{self, Kind, Ty, Type};
use aquatint_base::Span;
use aquatint_ir::types::{self as ir, Space};
use aquatint_ir::{Attr, Case, Function as IrFunction, Op, Value};

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

    fn lower_body(
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
    fn param_types(
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

    fn param_storage(
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

    /// The statements of a block, in the scope at hand.
    fn block(&mut self, list: &'a [StmtId]) {
        let mut warned = false;
        let tree = self.tree;
        for &id in list {
            let Some(stmt) = tree.stmts.get(id) else { continue };
            if self.cur.dead && !warned && !matches!(stmt.kind, StmtKind::Empty | StmtKind::Case(_)) {
                warned = true;
                self.warning(&codes::AQ3215, stmt.span, "this is never reached".to_owned());
            }
            self.statement(stmt);
        }
    }

    fn scoped(&mut self, id: StmtId) {
        let tree = self.tree;
        let Some(stmt) = tree.stmts.get(id) else { return };
        self.push_scope();
        self.statement(stmt);
        self.pop_scope();
    }

    fn statement(&mut self, stmt: &'a Stmt) {
        self.statements += 1;
        if self.statements > 1 << 16 {
            if self.statements == (1 << 16) + 1 {
                self.error(&codes::AQ4007, stmt.span, "a function has too many statements".to_owned());
            }
            return;
        }
        self.cur.span = stmt.span;
        match &stmt.kind {
            StmtKind::Empty => {}
            StmtKind::Block(list) => {
                self.push_scope();
                self.block(list);
                self.pop_scope();
            }
            StmtKind::Item(item) => match &item.kind {
                ItemKind::Variables(variables) => self.local_variables(variables),
                ItemKind::Typedef(variables) => self.declare_typedef(variables),
                ItemKind::Type(ty) => {
                    self.resolve_type(*ty);
                }
                ItemKind::Alias(name, _, ty) => {
                    let ty = self.resolve_type(*ty);
                    self.declare_type(*name, ty);
                }
                ItemKind::Empty => {}
                ItemKind::Function(decl) if decl.body.is_none() => {
                    self.declare_function(decl, self.cur.namespace, None);
                }
                ItemKind::UsingNamespace(path) => {
                    if let Some(Symbol::Namespace(at)) = self.resolve_path_symbol(path) {
                        let inner = self.new_namespace(self.cur.namespace);
                        self.namespaces[inner].using.push(at);
                        self.cur.namespace = inner;
                    }
                }
                _ => self.error(&codes::AQ3039, stmt.span, "this declaration does not stand in a function".to_owned()),
            },
            StmtKind::Expr(expr) => {
                self.expr(*expr);
            }
            StmtKind::If(condition, then, other) => {
                let condition = self.data_expr(*condition);
                let truth = self.condition(&condition);
                self.cur.span = stmt.span;
                self.emit_if(
                    truth,
                    |sema| sema.scoped(*then),
                    |sema| {
                        if let Some(other) = other {
                            sema.scoped(*other);
                        }
                    },
                );
            }
            StmtKind::While(condition, body) => self.loop_statement(Some(*condition), None, *body),
            StmtKind::For(init, condition, step, body) => {
                self.push_scope();
                let tree = self.tree;
                if let Some(init) = init
                    && let Some(init) = tree.stmts.get(*init)
                {
                    self.statement(init);
                }
                self.loop_statement(*condition, *step, *body);
                self.pop_scope();
            }
            StmtKind::DoWhile(body, condition) => {
                let condition = *condition;
                self.emit_loop(
                    |sema| sema.scoped(*body),
                    |sema| {
                        let value = sema.data_expr(condition);
                        let go = sema.condition(&value);
                        sema.emit_if(go, |_| {}, |sema| sema.jump(Op::Break, &[]));
                    },
                );
            }
            StmtKind::Switch(selector, list) => self.switch_statement(*selector, list, stmt.span),
            StmtKind::Case(_) => {
                self.error(&codes::AQ3035, stmt.span, "a label belongs to a switch".to_owned());
            }
            StmtKind::Break => {
                if !self.emit_break() {
                    self.error(&codes::AQ3035, stmt.span, "'break' belongs to a loop or switch".to_owned());
                }
            }
            StmtKind::Continue => {
                if !self.emit_continue() {
                    self.error(&codes::AQ3035, stmt.span, "'continue' belongs to a loop".to_owned());
                }
            }
            StmtKind::Return(value) => self.return_statement(*value, stmt.span),
            StmtKind::Discard => {
                self.note_stage("discard", Stages::Pixel, stmt.span);
                if self.options.demote_discard {
                    self.b().push(Op::Discard, Attr::None, &[], &[]);
                } else {
                    self.jump(Op::Terminate, &[]);
                }
            }
        }
    }

    fn loop_statement(&mut self, condition: Option<ExprId>, step: Option<ExprId>, body: StmtId) {
        self.emit_loop(
            |sema| {
                if let Some(condition) = condition {
                    let value = sema.data_expr(condition);
                    let go = sema.condition(&value);
                    sema.emit_if(go, |_| {}, |sema| sema.jump(Op::Break, &[]));
                }
                sema.scoped(body);
            },
            |sema| {
                if let Some(step) = step {
                    sema.expr(step);
                }
            },
        );
    }

    fn return_statement(&mut self, value: Option<ExprId>, span: Span) {
        self.returns = true;
        let wanted = self.cur.result;
        match value {
            None => {
                if wanted != types::VOID && wanted != types::ERROR {
                    let message = format!("a result of type '{}' is returned here", self.ty_name(wanted));
                    self.error(&codes::AQ3003, span, message);
                }
                self.jump(Op::Return, &[]);
            }
            Some(value) => {
                let value = self.data_expr(value);
                self.cur.span = span;
                if wanted == types::VOID {
                    if value.ty != types::VOID && !value.is_error() {
                        self.error(&codes::AQ3061, span, "a function of type void returns no value".to_owned());
                    }
                    self.jump(Op::Return, &[]);
                    return;
                }
                let value = self.convert(&value, wanted);
                if self.value_type(wanted) == ir::VOID {
                    if wanted != types::ERROR {
                        let message = "a function whose result is a resource is not supported".to_owned();
                        self.error(&codes::AQ3038, span, message);
                    }
                    self.jump(Op::Return, &[]);
                    return;
                }
                self.jump(Op::Return, &[value]);
            }
        }
    }

    /// Variables of a block.
    fn local_variables(&mut self, variables: &'a Variables) {
        let modifiers = variables.modifiers;
        let base = self.resolve_declared(variables.ty, modifiers, variables.span);
        for declarator in &variables.declarators {
            let (name, span) = (declarator.name, declarator.span);
            let open = declarator.dims.first().is_some_and(Option::is_none);
            let first = match (open, declarator.init) {
                (true, Some(init)) => self.open_length(base, &declarator.dims, init),
                _ => None,
            };
            let mut ty = self.array_of(base, &declarator.dims, first, span);
            if ty == types::VOID {
                self.error(&codes::AQ3061, span, "a variable is not of type void".to_owned());
                ty = types::ERROR;
            }
            self.cur.span = span;
            let variable =
                self.local_variable(ty, declarator.init, modifiers.has(Modifier::Static), modifiers, name, span);
            self.variables[variable].precise = modifiers.has(Modifier::Precise);
            if !self.declare_local(name, Symbol::Variable(variable)) {
                let text = self.module.names.get(name).to_owned();
                self.error(&codes::AQ3002, span, format!("'{text}' is declared twice in one scope"));
            }
        }
    }

    fn local_variable(
        &mut self,
        ty: Ty,
        init: Option<ExprId>,
        is_static: bool,
        modifiers: crate::ast::Modifiers,
        name: aquatint_base::Name,
        span: Span,
    ) -> usize {
        if ty == types::ERROR {
            if let Some(init) = init {
                self.expr(init);
            }
            return self.add_variable(name, ty, span, Storage::Error);
        }
        let constant = modifiers.has(Modifier::Const);
        if self.types.is_object(ty) {
            let mut object = Object { resource: None, index: None };
            if let Some(init) = init {
                let value = self.expr(init);
                match value.node {
                    Node::Object(found) if value.ty == ty => object = found,
                    _ if value.is_error() => {}
                    _ => {
                        let message = format!("'{}' is no '{}'", self.ty_name(value.ty), self.ty_name(ty));
                        self.error(&codes::AQ3039, value.span, message);
                    }
                }
            }
            let variable = self.add_variable(name, ty, span, Storage::Object(object));
            self.object_slot(variable, object);
            return variable;
        }
        if let (Type::Struct(id), true) = (self.types.get(ty), self.types.holds_objects(ty)) {
            let mut parts = Vec::new();
            for (index, field) in self.types.structs[id].fields.clone().into_iter().enumerate() {
                let part = self.local_variable(field.ty, None, false, modifiers, field.name, span);
                parts.push((index, part));
            }
            if let Some(init) = init {
                let value = self.expr(init);
                if let Node::Record(from) = value.node {
                    self.copy_record(from, &parts);
                }
            }
            return self.add_variable(name, ty, span, Storage::Record(parts));
        }
        if is_static {
            let variable = self.add_variable(name, ty, span, Storage::Private(None, None));
            self.variables[variable].constant = constant;
            if let Some(init) = init {
                let value = self.data_expr(init);
                let value = self.convert(&value, ty);
                if value.as_constant().is_some() {
                    self.variables[variable].storage = match constant {
                        true => Storage::Constant(value),
                        false => Storage::Private(None, Some(value)),
                    };
                } else {
                    self.once(variable, value, ty, span);
                }
            }
            return variable;
        }
        let precise = self.cur.precise;
        self.cur.precise |= modifiers.has(Modifier::Precise);
        let value = init.map(|init| {
            let value = self.data_expr(init);
            self.cur.span = span;
            self.convert(&value, ty)
        });
        self.cur.precise = precise;
        if let (true, Some(value)) = (constant, value)
            && value.as_constant().is_some()
        {
            let variable = self.add_variable(name, ty, span, Storage::Constant(value));
            self.variables[variable].constant = true;
            return variable;
        }
        let held = self.value_type(ty);
        let pointer = self.var(held);
        self.b().name(pointer, name);
        if let Some(value) = value {
            self.store_pointer(pointer, value);
        }
        let variable = self.add_variable(name, ty, span, Storage::Local(pointer));
        self.variables[variable].constant = constant;
        variable
    }

    /// The first value of a local static that is not constant: stored the first time (A6.1).
    fn once(&mut self, variable: usize, value: Value, ty: Ty, span: Span) {
        let text = format!("{}.set", self.module.names.get(self.variables[variable].name));
        let flag = self.module.add_global(&text, ir::BOOL, Space::Private, aquatint_ir::GlobalKind::Private(None));
        let set = self.load_pointer(Value::global(flag));
        self.emit_if(
            set,
            |_| {},
            |sema| {
                let target = sema.variable(variable, span);
                if let Some(place) = target.as_place().cloned() {
                    sema.store(&place, value, ty);
                }
                let yes = sema.bool(true);
                sema.store_pointer(Value::global(flag), yes);
            },
        );
    }

    /// Makes a local hold objects: its index into a resource array lies in memory, so that it may change anywhere.
    fn object_slot(&mut self, variable: usize, object: Object) {
        let slot = self.var(ir::U32);
        if let Some(index) = object.index {
            let index = self.convert_kind(index, aquatint_ir::Scalar::U32);
            self.store_pointer(slot, index);
        }
        let region = self.cur.region;
        self.object_slots.insert(variable, (region, slot));
    }

    /// Assigns an object to a local (A16.1): another element of the same array anywhere, another resource only where the
    /// assignment is certain to happen.
    pub(crate) fn rebind(&mut self, variable: usize, object: Object, span: Span) {
        let Some(&(region, slot)) = self.object_slots.get(&variable) else {
            self.error(&codes::AQ3007, span, "this resource cannot be assigned to".to_owned());
            return;
        };
        let Storage::Object(before) = self.variables[variable].storage.clone() else { return };
        let same = before.resource == object.resource || before.resource.is_none();
        if !same && region != self.cur.region {
            let name = |sema: &Self, r: Option<usize>| {
                r.map_or(String::new(), |r| sema.module.names.get(sema.resources[r].name).to_owned())
            };
            let (a, b) = (name(self, before.resource), name(self, object.resource));
            let text = self.module.names.get(self.variables[variable].name).to_owned();
            let message = format!("'{text}' may be '{a}' or '{b}': which one is not known when the shader is compiled");
            self.error(&codes::AQ3038, span, message);
            return;
        }
        if let Some(index) = object.index {
            let index = self.convert_kind(index, aquatint_ir::Scalar::U32);
            self.store_pointer(slot, index);
        }
        self.variables[variable].storage = Storage::Object(object);
    }

    /// Copies a struct that holds objects, field by field.
    pub(crate) fn copy_record(&mut self, from: usize, to: &[(usize, usize)]) {
        let Storage::Record(parts) = self.variables[from].storage.clone() else { return };
        for (&(_, source), &(_, target)) in parts.iter().zip(to) {
            match (self.variables[source].storage.clone(), self.variables[target].storage.clone()) {
                (Storage::Object(_), _) => {
                    let value = self.variable(source, self.cur.span);
                    if let Node::Object(object) = value.node {
                        self.rebind(target, object, self.cur.span);
                    }
                }
                (Storage::Record(_), Storage::Record(inner)) => self.copy_record(source, &inner),
                (_, Storage::Local(pointer)) => {
                    let value = self.variable(source, Span::NONE);
                    let value = self.read(&value);
                    let place = Place::pointer(pointer);
                    let ty = self.variables[target].ty;
                    self.store(&place, value, ty);
                }
                _ => {}
            }
        }
    }

    /// A switch (A12.3): statements are grouped by the labels in front of them.
    fn switch_statement(&mut self, selector: ExprId, list: &'a [StmtId], span: Span) {
        let value = self.data_expr(selector);
        let kind = match self.types.numeric(value.ty) {
            Some((kind, shape)) if shape.count() == 1 && !kind.is_float() => match kind.resolved() {
                Kind::Bool => Kind::Uint,
                kind => kind,
            },
            _ => {
                if !value.is_error() {
                    let message = format!("a switch is on an integer, not '{}'", self.ty_name(value.ty));
                    self.error(&codes::AQ3034, value.span, message);
                }
                Kind::Int
            }
        };
        let ty = types::scalar(kind);
        let selector = if value.is_error() { self.placeholder(ty) } else { self.convert_quietly(&value, ty) };
        let tree = self.tree;
        let mut groups: Vec<(Case, Vec<StmtId>)> = Vec::new();
        let mut seen = aquatint_base::HashSet::default();
        let mut defaults = 0;
        for &id in list {
            let Some(stmt) = tree.stmts.get(id) else { continue };
            if let StmtKind::Case(label) = &stmt.kind {
                if groups.last().is_none_or(|g| !g.1.is_empty()) {
                    groups.push((Case::default(), Vec::new()));
                }
                match label {
                    None => {
                        defaults += 1;
                        if defaults > 1 {
                            self.error(&codes::AQ3036, stmt.span, "a switch has one default".to_owned());
                        } else if let Some(group) = groups.last_mut() {
                            group.0.default = true;
                        }
                    }
                    Some(label) => {
                        let Some(bits) = self.case_value(*label, ty) else { continue };
                        if !seen.insert(bits) {
                            self.error(&codes::AQ3036, stmt.span, "two labels have this value".to_owned());
                        } else if let Some(group) = groups.last_mut() {
                            group.0.values.push(bits);
                        }
                        if seen.len() > self.limits.cases {
                            let message = format!("a switch has more than {} labels", self.limits.cases);
                            self.error(&codes::AQ4012, stmt.span, message);
                            return;
                        }
                    }
                }
                continue;
            }
            match groups.last_mut() {
                Some(group) => group.1.push(id),
                None if matches!(stmt.kind, StmtKind::Empty) => {}
                None => {
                    self.error(&codes::AQ3035, stmt.span, "a statement stands before the first label".to_owned());
                    return;
                }
            }
        }
        groups.retain(|g| g.0.default || !g.0.values.is_empty());
        if groups.is_empty() {
            return;
        }
        self.cur.span = span;
        let wrapped = list.iter().any(|&id| self.breaks_inside(id, false, 0));
        self.push_scope();
        self.emit_switch(selector, wrapped, groups, |sema, stmts| {
            for id in stmts {
                if let Some(stmt) = sema.tree.stmts.get(id) {
                    sema.statement(stmt);
                }
            }
        });
        self.pop_scope();
    }

    fn case_value(&mut self, label: ExprId, ty: Ty) -> Option<u64> {
        let value = self.scratch(|sema| {
            let value = sema.data_expr(label);
            if value.is_error() {
                return None;
            }
            if sema.types.numeric(value.ty).is_none_or(|(k, _)| k.is_float()) {
                return Some((None, value.span));
            }
            let bits = sema.convert_quietly(&value, ty);
            Some((sema.constant_bits(bits).map(|b| b.1), value.span))
        });
        match value? {
            (Some(bits), _) => Some(bits),
            (None, span) => {
                self.error(&codes::AQ3037, span, "a label is a constant integer".to_owned());
                None
            }
        }
    }

    /// Whether a `break` of the switch stands in a branch of a statement.
    fn breaks_inside(&self, id: StmtId, branch: bool, depth: usize) -> bool {
        let tree = self.tree;
        if depth > 300 {
            return true;
        }
        match tree.stmts.get(id).map(|s| &s.kind) {
            Some(StmtKind::Break) => branch,
            Some(StmtKind::Block(list)) => list.iter().any(|&s| self.breaks_inside(s, branch, depth + 1)),
            Some(StmtKind::If(_, then, other)) => {
                self.breaks_inside(*then, true, depth + 1)
                    || other.is_some_and(|other| self.breaks_inside(other, true, depth + 1))
            }
            _ => false,
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
