//! Whether two modules say the same.

use crate::constants::{ConstantId, ConstantValue};
use crate::function::{Attr, Function, Inst, LocalId, RegionId, Slice, Value, ValueKind};
use crate::globals::{Global, GlobalKind, Io};
use crate::module::Module;
use crate::text::print::workgroup_size;
use crate::types::{Type, TypeId};
use aquatint_base::{HashMap, Name};

/// Whether two modules are equal but for the numbering of types, constants, names and of what functions hold, for
/// entries that nothing reaches, for names of values, and for positions. Tables whose order shows (structs, globals,
/// functions, entry points, specialisation constants) have the same order.
pub fn equal(a: &Module, b: &Module) -> bool {
    Comparison { a, b, types: HashMap::default(), constants: HashMap::default() }.modules()
}

struct Comparison<'m> {
    a: &'m Module,
    b: &'m Module,
    types: HashMap<TypeId, TypeId>,
    constants: HashMap<ConstantId, ConstantId>,
}

impl Comparison<'_> {
    fn modules(&mut self) -> bool {
        let (a, b) = (self.a, self.b);
        a.denormals == b.denormals
            && same(a.types.structs.as_slice(), b.types.structs.as_slice(), |s, t| {
                self.names(s.name, t.name)
                    && s.size == t.size
                    && same(&s.members, &t.members, |m, n| {
                        self.names(m.name, n.name) && m.layout == n.layout && self.types(m.ty, n.ty)
                    })
            })
            && same(a.globals.as_slice(), b.globals.as_slice(), |g, h| self.globals(g, h))
            && same(&a.spec_constants, &b.spec_constants, |s, t| {
                s.id == t.id && s.global == t.global && self.constants(s.default, t.default)
            })
            && same(&a.entry_points, &b.entry_points, |e, f| {
                self.names(e.name, f.name)
                    && e.stage == f.stage
                    && e.function == f.function
                    && workgroup_size(e) == workgroup_size(f)
                    && e.depth == f.depth
                    && e.early_tests == f.early_tests
            })
            && same(a.functions.as_slice(), b.functions.as_slice(), |f, g| self.functions(f, g))
    }

    fn names(&self, a: Name, b: Name) -> bool {
        self.a.names.get(a) == self.b.names.get(b)
    }

    fn types(&mut self, a: TypeId, b: TypeId) -> bool {
        let (mut a, mut b) = (a, b);
        loop {
            if let Some(&known) = self.types.get(&a) {
                return known == b;
            }
            self.types.insert(a, b);
            let (inner_a, inner_b) = match (self.a.types.get(a), self.b.types.get(b)) {
                (
                    Type::Array { element, length, stride },
                    Type::Array { element: element_b, length: length_b, stride: stride_b },
                ) if length == length_b && stride == stride_b => (element, element_b),
                (Type::Pointer { space, pointee }, Type::Pointer { space: space_b, pointee: pointee_b })
                    if space == space_b =>
                {
                    (pointee, pointee_b)
                }
                // Structs are compared as a table, in order.
                (Type::Struct(s), Type::Struct(t)) => return s == t,
                (x, y) => return x == y,
            };
            (a, b) = (inner_a, inner_b);
        }
    }

    fn constants(&mut self, a: ConstantId, b: ConstantId) -> bool {
        if let Some(&known) = self.constants.get(&a) {
            return known == b;
        }
        self.constants.insert(a, b);
        let (Some(x), Some(y)) = (self.a.constants.get(a), self.b.constants.get(b)) else { return false };
        self.types(x.ty, y.ty)
            && match (&x.value, &y.value) {
                (ConstantValue::Composite(p), ConstantValue::Composite(q)) => {
                    same(p, q, |&part_a, &part_b| self.constants(part_a, part_b))
                }
                (p, q) => p == q,
            }
    }

    fn globals(&mut self, a: &Global, b: &Global) -> bool {
        let kinds = match (a.kind, b.kind) {
            (GlobalKind::Input(x), GlobalKind::Input(y)) | (GlobalKind::Output(x), GlobalKind::Output(y)) => {
                let usages = match (x.usage, y.usage) {
                    (Some(u), Some(v)) => u.index == v.index && self.names(u.name, v.name),
                    (None, None) => true,
                    _ => false,
                };
                usages && Io { usage: None, ..x } == Io { usage: None, ..y }
            }
            (GlobalKind::Private(Some(x)), GlobalKind::Private(Some(y))) => self.constants(x, y),
            (x, y) => x == y,
        };
        kinds
            && self.names(a.name, b.name)
            && self.types(a.ty, b.ty)
            && self.types(a.value_ty, b.value_ty)
            && a.space == b.space
    }

    fn functions(&mut self, a: &Function, b: &Function) -> bool {
        if !self.names(a.name, b.name) || !self.types(a.result, b.result) {
            return false;
        }
        let mut locals = HashMap::default();
        let mut seen = vec![false; a.regions.len()];
        let mut stack = vec![(a.body, b.body)];
        // Inner regions are compared after the region that they are in: all its values are known by then.
        while let Some((x, y)) = stack.pop() {
            let (Some(r), Some(s)) = (a.regions.get(x), b.regions.get(y)) else { return false };
            if std::mem::replace(&mut seen[x.index()], true) {
                return false;
            }
            if r.insts.len() != s.insts.len() || !self.define(&mut locals, (a, r.params), (b, s.params)) {
                return false;
            }
            for (&i, &j) in r.insts.iter().zip(&s.insts) {
                let (Some(i), Some(j)) = (a.insts.get(i), b.insts.get(j)) else { return false };
                if !self.insts(&mut locals, (a, i), (b, j)) {
                    return false;
                }
                let owned = (regions(a, i), regions(b, j));
                if owned.0.len() != owned.1.len() {
                    return false;
                }
                stack.extend(owned.0.iter().copied().zip(owned.1.iter().copied()));
            }
        }
        true
    }

    fn define(
        &mut self,
        locals: &mut HashMap<LocalId, LocalId>,
        (f, a): (&Function, Slice),
        (g, b): (&Function, Slice),
    ) -> bool {
        a.len == b.len
            && a.range().zip(b.range()).all(|(i, j)| {
                let (i, j) = (LocalId::new(i), LocalId::new(j));
                locals.insert(i, j);
                match (f.locals.get(i), g.locals.get(j)) {
                    (Some(x), Some(y)) => self.types(x.ty, y.ty),
                    _ => false,
                }
            })
    }

    fn insts(
        &mut self,
        locals: &mut HashMap<LocalId, LocalId>,
        (f, a): (&Function, &Inst),
        (g, b): (&Function, &Inst),
    ) -> bool {
        let attrs = match (a.attr, b.attr) {
            (Attr::Cases(x), Attr::Cases(y)) => f.cases.get(x) == g.cases.get(y),
            (x, y) => x == y,
        };
        let x = f.operands.get(a.operands.range()).unwrap_or(&[]);
        let y = g.operands.get(b.operands.range()).unwrap_or(&[]);
        attrs
            && (a.op, a.precise, a.relaxed) == (b.op, b.precise, b.relaxed)
            && same(x, y, |&v, &w| self.values(locals, v, w))
            && self.define(locals, (f, a.results), (g, b.results))
    }

    fn values(&mut self, locals: &HashMap<LocalId, LocalId>, a: Value, b: Value) -> bool {
        match (a.kind(), b.kind()) {
            (ValueKind::Local(x), ValueKind::Local(y)) => locals.get(&x) == Some(&y),
            (ValueKind::Constant(x), ValueKind::Constant(y)) => self.constants(x, y),
            (ValueKind::Global(x), ValueKind::Global(y)) => x == y,
            _ => false,
        }
    }
}

fn regions<'f>(function: &'f Function, inst: &Inst) -> &'f [RegionId] {
    function.owned.get(inst.regions.range()).unwrap_or(&[])
}

fn same<T>(a: &[T], b: &[T], mut equal: impl FnMut(&T, &T) -> bool) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| equal(x, y))
}
