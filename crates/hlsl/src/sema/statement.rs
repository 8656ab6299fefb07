//! Statements and function bodies (A12).

use crate::ast::{ExprId, ItemKind, Modifier, Stmt, StmtId, StmtKind, Variables};
use crate::intrinsics::Stages;
use crate::sema::Sema;
use crate::sema::codes;
use crate::sema::operand::{Node, Object, Place};
use crate::sema::scope::{Storage, Symbol};
use crate::types::{self, Kind, Ty, Type};
use aquatint_base::Span;
use aquatint_ir::types::{self as ir, Space};
use aquatint_ir::{Attr, Case, Op, Value};

impl<'a> Sema<'a> {
    /// The statements of a block, in the scope at hand.
    pub(super) fn block(&mut self, list: &'a [StmtId]) {
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

    pub(super) fn scoped(&mut self, id: StmtId) {
        let tree = self.tree;
        let Some(stmt) = tree.stmts.get(id) else { return };
        self.push_scope();
        self.statement(stmt);
        self.pop_scope();
    }

    pub(super) fn statement(&mut self, stmt: &'a Stmt) {
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

    pub(super) fn loop_statement(&mut self, condition: Option<ExprId>, step: Option<ExprId>, body: StmtId) {
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

    pub(super) fn return_statement(&mut self, value: Option<ExprId>, span: Span) {
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
    pub(super) fn local_variables(&mut self, variables: &'a Variables) {
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

    pub(super) fn local_variable(
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
    pub(super) fn once(&mut self, variable: usize, value: Value, ty: Ty, span: Span) {
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
    pub(super) fn object_slot(&mut self, variable: usize, object: Object) {
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
    pub(super) fn switch_statement(&mut self, selector: ExprId, list: &'a [StmtId], span: Span) {
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

    pub(super) fn case_value(&mut self, label: ExprId, ty: Ty) -> Option<u64> {
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
    pub(super) fn breaks_inside(&self, id: StmtId, branch: bool, depth: usize) -> bool {
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
}
