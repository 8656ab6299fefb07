//! Names and what they mean: namespaces, block scopes, variables (A4.9, A10.1, A11.1, A13).

use crate::sema::Sema;
use crate::sema::operand::{Base, Expr, Lock, Node, Object, Place};
use crate::types::Ty;
use aquatint_base::{Name, Span};
use aquatint_ir::types::Space;
use aquatint_ir::{GlobalId, GlobalKind, Value};

/// What a name means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Symbol {
    /// A variable, by index.
    Variable(usize),
    /// A function, by index; a name may have several.
    Function(usize),
    /// A type.
    Type(Ty),
    /// A namespace, by index.
    Namespace(usize),
    /// A template, by index.
    Template(usize),
}

/// A namespace. Number 0 is the global one.
#[derive(Debug, Default)]
pub(crate) struct Namespace {
    /// The namespace around it.
    pub(crate) parent: Option<usize>,
    /// Its names, each with when it was declared.
    pub(crate) names: aquatint_base::HashMap<Name, Vec<(Symbol, u32)>>,
    /// The scope of the base, whose names are seen where this one has none.
    pub(crate) base: Option<usize>,
    /// Namespaces whose names are seen as well.
    pub(crate) using: Vec<usize>,
}

/// A variable.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: Name,
    pub(crate) ty: Ty,
    pub(crate) span: Span,
    pub(crate) storage: Storage,
    /// Whether it may not be assigned to.
    pub(crate) constant: bool,
    pub(crate) precise: bool,
    /// The instance that gives a static its first value.
    pub(crate) init: Option<usize>,
}

/// Where a variable is.
#[derive(Clone, Debug)]
pub(crate) enum Storage {
    /// A declaration that failed.
    Error,
    /// A local.
    Local(Value),
    /// A module-scope variable of one invocation; its first value, if it is constant.
    Private(Option<GlobalId>, Option<Value>),
    /// Group-shared memory.
    Shared(Option<GlobalId>),
    /// A constant that is known.
    Constant(Value),
    /// A resource or an array of them.
    Object(Object),
    /// A member of a constant buffer.
    Member(Object, usize),
    /// The push-constant block.
    Push(GlobalId),
    /// A struct that holds objects: its objects by field, and its data.
    Record(Vec<(usize, usize)>),
}

impl Sema<'_> {
    /// Enters a block.
    pub(crate) fn push_scope(&mut self) {
        self.cur.scopes.push(Vec::new());
    }

    /// Leaves a block: its names mean again what they meant before.
    pub(crate) fn pop_scope(&mut self) {
        for name in self.cur.scopes.pop().unwrap_or_default() {
            if let Some(stack) = self.cur.locals.get_mut(&name) {
                stack.pop();
            }
        }
    }

    /// Declares a name in the innermost block. Whether it is new there.
    pub(crate) fn declare_local(&mut self, name: Name, symbol: Symbol) -> bool {
        let Some(scope) = self.cur.scopes.last_mut() else { return true };
        let new = !scope.contains(&name) || matches!(symbol, Symbol::Function(_));
        scope.push(name);
        self.cur.locals.entry(name).or_default().push(symbol);
        new
    }

    /// Declares a name in a namespace.
    pub(crate) fn declare_in(&mut self, namespace: usize, name: Name, symbol: Symbol) {
        let order = self.order;
        self.namespaces[namespace].names.entry(name).or_default().push((symbol, order));
    }

    /// What a name means at this place: locals, then members (the caller asks), then namespaces inside out.
    pub(crate) fn lookup_local(&self, name: Name) -> Option<Symbol> {
        self.cur.locals.get(&name).and_then(|stack| stack.last()).copied()
    }

    /// The symbols of a name in one namespace and those that it uses.
    pub(crate) fn lookup_in(&self, namespace: usize, name: Name) -> Vec<Symbol> {
        let mut found = Vec::new();
        let mut todo = vec![namespace];
        let mut seen = 0;
        while let Some(at) = todo.pop() {
            seen += 1;
            if seen > 64 {
                break;
            }
            let Some(space) = self.namespaces.get(at) else { continue };
            if let Some(symbols) = space.names.get(&name) {
                found.extend(symbols.iter().filter(|s| s.1 <= self.cur.order).map(|s| s.0));
            }
            if found.is_empty() || at == namespace {
                todo.extend(space.using.iter().copied());
            }
            if found.is_empty() {
                todo.extend(space.base);
            }
        }
        found
    }

    /// The symbols of a name in the namespaces around this place.
    pub(crate) fn lookup_global(&self, name: Name) -> Vec<Symbol> {
        let mut at = Some(self.cur.namespace);
        while let Some(namespace) = at {
            let found = self.lookup_in(namespace, name);
            if !found.is_empty() {
                return found;
            }
            at = self.namespaces.get(namespace).and_then(|n| n.parent);
        }
        Vec::new()
    }

    /// Whether the name is declared anywhere later (A11.1).
    pub(crate) fn declared_later(&self, name: Name) -> bool {
        self.namespaces.iter().any(|n| n.names.contains_key(&name))
    }

    /// Enters a variable.
    pub(crate) fn add_variable(&mut self, name: Name, ty: Ty, span: Span, storage: Storage) -> usize {
        self.variables.push(Variable { name, ty, span, storage, constant: false, precise: false, init: None });
        self.variables.len() - 1
    }

    /// A variable as an expression.
    pub(crate) fn variable(&mut self, index: usize, span: Span) -> Expr {
        let variable = self.variables[index].clone();
        let ty = variable.ty;
        let lock = variable.constant.then_some(Lock::Const);
        let precise = variable.precise;
        match variable.storage {
            Storage::Error => Expr::error(span),
            Storage::Local(pointer) => Expr::place(ty, Place { lock, precise, ..Place::pointer(pointer) }, span),
            Storage::Constant(value) => Expr::value(ty, value, span),
            Storage::Object(mut object) => {
                if let (Some(_), Some(&(_, slot))) = (object.index, self.object_slots.get(&index)) {
                    object.index = Some(self.load_pointer(slot));
                }
                Expr { ty, node: Node::Object(object), span }
            }
            Storage::Member(object, field) => {
                let Some(resource) = object.resource else { return Expr::error(span) };
                let element = self.resources[resource].element;
                let rule = self.resources[resource].rule;
                let Some(&global) = self.resources[resource].globals.first() else { return Expr::error(span) };
                let place = Place { rule, lock: Some(Lock::ReadOnly), ..Place::pointer(Value::global(global)) };
                let block = Expr::place(element, place, span);
                self.field(&block, field, span)
            }
            Storage::Push(global) => {
                let rule = Some(self.options.layout.rule(crate::layout::Use::Push));
                let place = Place { rule, lock: Some(Lock::ReadOnly), ..Place::pointer(Value::global(global)) };
                Expr::place(ty, place, span)
            }
            Storage::Private(global, first) => {
                let global = global.unwrap_or_else(|| {
                    let first = first.and_then(Value::as_constant);
                    let id = self.module_variable(index, Space::Private, GlobalKind::Private(first));
                    self.variables[index].storage = Storage::Private(Some(id), None);
                    id
                });
                self.use_static(index);
                let place = Place { lock, precise, ..Place::pointer(Value::global(global)) };
                Expr::place(ty, place, span)
            }
            Storage::Shared(global) => {
                let global = global.unwrap_or_else(|| {
                    let id = self.module_variable(index, Space::Workgroup, GlobalKind::Workgroup);
                    self.variables[index].storage = Storage::Shared(Some(id));
                    id
                });
                self.note_compute("groupshared memory", span);
                let place =
                    Place { base: Base::Pointer(Value::global(global)), lock, ..Place::pointer(Value::global(global)) };
                Expr::place(ty, place, span)
            }
            Storage::Record(..) => Expr { ty, node: Node::Record(index), span },
        }
    }

    fn use_static(&mut self, index: usize) {
        if self.variables[index].init.is_some() && !self.cur.statics.contains(&index) {
            self.cur.statics.push(index);
        }
    }

    fn module_variable(&mut self, index: usize, space: Space, kind: GlobalKind) -> GlobalId {
        let (name, ty, span) = {
            let variable = &self.variables[index];
            (variable.name, variable.ty, variable.span)
        };
        let held = self.value_type(ty);
        let text = self.module.names.get(name).to_owned();
        let id = self.module.add_global(&text, held, space, kind);
        self.module.globals[id].span = span;
        id
    }
}
