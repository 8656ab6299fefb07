//! Makes out-of-range indices harmless in so many words, for targets whose buffers and arrays are not checked.
//!
//! A dynamic step of a path is clamped into the range, and whether it was in range goes with the pointer: a load through it
//! gives zero where it was not, a store or atomic is guarded by an `if`. Pointers that go to a call are clamped only.
//! `load.bytes` and `store.bytes` are guarded by the length of their buffer; `extract.dyn` and `insert.dyn` are treated as
//! loads and stores are. Linear.

use crate::Changed;
use crate::op_set::OpSet;
use crate::rewrite::{Fate, build_functions, expand};
use aquatint_base::HashMap;
use aquatint_ir::types::{self, Scalar, Space, Type};
use aquatint_ir::{Attr, Builder, Function, InstId, LocalId, Module, Op, TypeId, Value};
use smallvec::SmallVec;

/// Which memory the target does not check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LegaliseBounds {
    /// Local, private and workgroup variables.
    pub variables: bool,
    /// Uniform and push-constant blocks.
    pub uniforms: bool,
    /// Storage buffers, with `load.bytes`, `store.bytes` and atomics.
    pub storage: bool,
    /// Stage inputs and outputs.
    pub io: bool,
    /// Dynamic parts of values, and arrays of handles.
    pub values: bool,
}

impl LegaliseBounds {
    /// Everything.
    pub const ALL: Self = Self { variables: true, uniforms: true, storage: true, io: true, values: true };

    const fn guards(&self, space: Space) -> bool {
        match space {
            Space::Function | Space::Private | Space::Workgroup => self.variables,
            Space::Uniform | Space::Push => self.uniforms,
            Space::Storage => self.storage,
            Space::Input | Space::Output => self.io,
            Space::Handle => self.values,
        }
    }
}

/// What may have a dynamic index.
pub(crate) const CONCERNED: OpSet =
    OpSet::of(&[Op::Access, Op::ExtractDyn, Op::InsertDyn, Op::LoadBytes, Op::StoreBytes]);

/// Clamps dynamic indices and guards what goes through them.
pub fn legalise_bounds(module: &mut Module, options: &LegaliseBounds) -> Changed {
    // Most modules have no index that could be out of range; looking costs less than rebuilding.
    let concerned: SmallVec<[bool; 16]> = module.functions.iter().map(|(_, f)| is_concerned(module, f)).collect();
    let mut concerned = concerned.into_iter();
    build_functions(
        module,
        |_| concerned.next().unwrap_or(true),
        |builder| {
            let mut guarded = HashMap::default();
            expand(builder, &mut |builder, inst| {
                Guard { b: builder, options, guarded: &mut guarded }.visit(inst).unwrap_or(Fate::Keep)
            })
        },
    )
}

/// Whether a function has a dynamic index, or a constant one past the end.
fn is_concerned(module: &Module, function: &Function) -> bool {
    OpSet::at_most(function).meets(CONCERNED)
        && function.insts.iter().any(|(id, inst)| match inst.op {
            Op::Access => !is_inside(module, function, function.operands(id)),
            op => CONCERNED.has(op),
        })
}

/// Whether all steps of a path are constants in range.
fn is_inside(module: &Module, function: &Function, path: &[Value]) -> bool {
    let Some((&base, steps)) = path.split_first() else { return true };
    let base = module.type_of(function, base);
    let mut at = match module.types.get(base) {
        Type::Pointer { pointee, .. } => pointee,
        _ => base,
    };
    steps.iter().all(|step| {
        let fixed = step.as_constant().and_then(|c| module.constants.get(c)).and_then(|c| c.lane(0));
        // A runtime array ends where its buffer does.
        let sized = !matches!(module.types.get(at), Type::Array { length: None, .. });
        match fixed.and_then(|bits| u32::try_from(bits).ok()).and_then(|index| module.types.step(at, index)) {
            Some(part) if sized => {
                at = part;
                true
            }
            _ => false,
        }
    })
}

struct Guard<'g, 'm> {
    b: &'g mut Builder<'m>,
    options: &'g LegaliseBounds,
    /// For each pointer with a clamped step: whether all its steps were in range.
    guarded: &'g mut HashMap<LocalId, Value>,
}

impl Guard<'_, '_> {
    /// `None` where the instruction stays.
    fn visit(&mut self, inst: InstId) -> Option<Fate> {
        let data = self.b.function.insts[inst];
        let operands: SmallVec<[Value; 4]> = SmallVec::from_slice(self.b.function.operands(inst));
        let ty = self.b.function.result(inst).map(|local| self.b.function.locals[local].ty);
        match (data.op, operands.as_slice()) {
            (Op::Access, [base, steps @ ..]) => self.access(inst, *base, steps, ty?),
            (Op::Load, &[pointer]) => {
                let inside = self.inside(pointer)?;
                Some(Fate::value(self.guarded_value(inside, Op::Load, Attr::None, &[pointer], ty?)))
            }
            (Op::Atomic, [pointer, ..]) => {
                let inside = self.inside(*pointer)?;
                Some(Fate::value(self.branch(inside, data.op, data.attr, &operands, ty?)))
            }
            (Op::Store, [pointer, ..]) => {
                let inside = self.inside(*pointer)?;
                self.when(inside, Op::Store, &operands);
                Some(Fate::gone())
            }
            (Op::LoadBytes, &[buffer, offset]) if self.options.storage => {
                let inside = self.bytes_inside(buffer, offset, ty?)?;
                Some(Fate::value(self.branch(inside, data.op, data.attr, &operands, ty?)))
            }
            (Op::StoreBytes, &[buffer, offset, value]) if self.options.storage => {
                let inside = self.bytes_inside(buffer, offset, self.b.type_of(value))?;
                self.when(inside, Op::StoreBytes, &operands);
                Some(Fate::gone())
            }
            (Op::ExtractDyn, &[whole, index]) if self.options.values => {
                let count = self.count(self.b.type_of(whole))?;
                let (clamped, inside) = self.clamp(index, count)?;
                let part = self.b.value(Op::ExtractDyn, Attr::None, &[whole, clamped], ty?);
                Some(Fate::value(self.or_zero(inside, part, ty?)))
            }
            (Op::InsertDyn, &[whole, part, index]) if self.options.values => {
                let count = self.count(self.b.type_of(whole))?;
                let (clamped, inside) = self.clamp(index, count)?;
                // Out of range, the part that is there is put back.
                let part_type = self.b.type_of(part);
                let old = self.b.value(Op::ExtractDyn, Attr::None, &[whole, clamped], part_type);
                let part = self.choose(inside, part, old);
                Some(Fate::value(self.b.value(Op::InsertDyn, Attr::None, &[whole, part, clamped], ty?)))
            }
            _ => None,
        }
    }

    fn inside(&self, pointer: Value) -> Option<Value> {
        self.guarded.get(&pointer.as_local()?).copied()
    }

    /// The number of parts of a vector, matrix or sized array.
    fn count(&self, ty: TypeId) -> Option<u32> {
        match self.b.types.get(ty) {
            Type::Vector(_, lanes) => Some(u32::from(lanes)),
            Type::Matrix { rows, .. } => Some(u32::from(rows)),
            Type::Array { length, .. } => length,
            _ => None,
        }
    }

    /// An index of any 32-bit kind as u32: below zero becomes far too large.
    fn unsigned(&mut self, index: Value) -> Value {
        match self.b.lanes_of(index) {
            (Scalar::I32, 1) => self.b.bitcast(index, Scalar::U32),
            (Scalar::U32, 1) => index,
            // Narrower ones are extended by their sign, so what is below zero is too large as well.
            _ => self.b.convert(index, Scalar::U32),
        }
    }

    /// The index clamped below `count`, and whether it was; `None` where a constant is in range.
    fn clamp(&mut self, index: Value, count: u32) -> Option<(Value, Value)> {
        if let Some(bits) = index.as_constant().and_then(|c| self.b.constants.get(c)).and_then(|c| c.lane(0)) {
            if (bits as u32) < count {
                return None;
            }
            return Some((self.b.u32(0), self.b.bool(false)));
        }
        let index = self.unsigned(index);
        let (count, last) = (self.b.u32(count), self.b.u32(count.saturating_sub(1)));
        let inside = self.b.op(Op::ILt, &[index, count]);
        Some((self.b.op(Op::IMin, &[index, last]), inside))
    }

    fn both(&mut self, a: Option<Value>, b: Value) -> Value {
        match a {
            Some(a) => self.b.op(Op::And, &[a, b]),
            None => b,
        }
    }

    fn access(&mut self, inst: InstId, base: Value, steps: &[Value], ty: TypeId) -> Option<Fate> {
        let mut all = self.inside(base);
        let before = all;
        let base_type = self.b.type_of(base);
        let (space, mut at) = match self.b.types.get(base_type) {
            Type::Pointer { space, pointee } => (space, pointee),
            _ => (Space::Handle, base_type),
        };
        let mut path: SmallVec<[Value; 8]> = SmallVec::new();
        path.push(base);
        let mut changed = false;
        for &step in steps {
            let clamped = match (self.options.guards(space), self.b.types.get(at)) {
                (true, Type::Array { length: None, .. }) => self.clamp_runtime(&path, step, at),
                (true, _) => self.count(at).and_then(|count| self.clamp(step, count)),
                (false, _) => None,
            };
            let step = match clamped {
                Some((step, inside)) => {
                    changed = true;
                    all = Some(self.both(all, inside));
                    step
                }
                None => step,
            };
            path.push(step);
            let fixed = step.as_constant().and_then(|c| self.b.constants.get(c)).and_then(|c| c.lane(0));
            at = self.b.types.step(at, fixed.unwrap_or(0) as u32)?;
        }
        if !changed {
            if let (Some(inside), Some(result)) = (before, self.b.function.result(inst)) {
                self.guarded.insert(result, inside);
            }
            return None;
        }
        let pointer = self.b.value(Op::Access, Attr::None, &path, ty);
        if space != Space::Handle
            && let (Some(local), Some(inside)) = (pointer.as_local(), all)
        {
            self.guarded.insert(local, inside);
        }
        Some(Fate::value(pointer))
    }

    /// A step into a runtime array that the path so far leads to.
    fn clamp_runtime(&mut self, path: &[Value], step: Value, array: TypeId) -> Option<(Value, Value)> {
        let index = self.unsigned(step);
        let pointer = match *path {
            [base] => base,
            _ => {
                let ty = self.b.types.pointer(Space::Storage, array);
                self.b.value(Op::Access, Attr::None, path, ty)
            }
        };
        let length = self.b.value(Op::ArrayLength, Attr::None, &[pointer], types::U32);
        let inside = self.b.op(Op::ILt, &[index, length]);
        let zero = self.b.u32(0);
        Some((self.b.select(inside, index, zero), inside))
    }

    /// Whether a value of the type lies within a buffer of words at a byte offset.
    fn bytes_inside(&mut self, buffer: Value, offset: Value, ty: TypeId) -> Option<Value> {
        let (kind, lanes) = types::lanes_of(ty)?;
        let words = (kind.bytes() * u32::from(lanes)).div_ceil(4);
        let (words, two) = (self.b.u32(words), self.b.u32(2));
        let length = self.b.value(Op::ArrayLength, Attr::None, &[buffer], types::U32);
        let offset = self.unsigned(offset);
        let first = self.b.op(Op::Shr, &[offset, two]);
        let fits = self.b.op(Op::IGe, &[length, words]);
        let last = self.b.op(Op::ISub, &[length, words]);
        let early = self.b.op(Op::ILe, &[first, last]);
        Some(self.b.op(Op::And, &[fits, early]))
    }

    fn selectable(&self, ty: TypeId) -> bool {
        types::lanes_of(ty).is_some()
    }

    fn or_zero(&mut self, inside: Value, value: Value, ty: TypeId) -> Value {
        let zero = self.b.zero(ty);
        self.choose(inside, value, zero)
    }

    /// One of two values that are both there already.
    fn choose(&mut self, condition: Value, yes: Value, no: Value) -> Value {
        let ty = self.b.type_of(yes);
        if self.selectable(ty) {
            return self.b.select(condition, yes, no);
        }
        let (then, other) = (self.b.new_region(&[]), self.b.new_region(&[]));
        let outside = self.b.enter(then);
        self.b.terminate(Op::Yield, &[yes]);
        self.b.enter(other);
        self.b.terminate(Op::Yield, &[no]);
        self.b.enter(outside);
        let made = self.b.push_if(condition, then, other, &[ty]);
        self.b.result(made)
    }

    fn guarded_value(&mut self, inside: Value, op: Op, attr: Attr, operands: &[Value], ty: TypeId) -> Value {
        if !self.selectable(ty) {
            return self.branch(inside, op, attr, operands, ty);
        }
        let value = self.b.value(op, attr, operands, ty);
        self.or_zero(inside, value, ty)
    }

    /// The operation where `inside` holds, else zero.
    fn branch(&mut self, inside: Value, op: Op, attr: Attr, operands: &[Value], ty: TypeId) -> Value {
        let (then, other) = (self.b.new_region(&[]), self.b.new_region(&[]));
        let outside = self.b.enter(then);
        let value = self.b.value(op, attr, operands, ty);
        self.b.terminate(Op::Yield, &[value]);
        self.b.enter(other);
        let zero = self.b.zero(ty);
        self.b.terminate(Op::Yield, &[zero]);
        self.b.enter(outside);
        let made = self.b.push_if(inside, then, other, &[ty]);
        self.b.result(made)
    }

    /// The operation, without results, only where `inside` holds.
    fn when(&mut self, inside: Value, op: Op, operands: &[Value]) {
        let (then, other) = (self.b.new_region(&[]), self.b.new_region(&[]));
        let outside = self.b.enter(then);
        self.b.push(op, Attr::None, operands, &[]);
        self.b.terminate(Op::Yield, &[]);
        self.b.enter(other);
        self.b.terminate(Op::Yield, &[]);
        self.b.enter(outside);
        self.b.push_if(inside, then, other, &[]);
    }
}
