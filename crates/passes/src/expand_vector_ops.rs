//! Expands operations on vectors and compound scalar operations into smaller ones, for targets that lack them: `reflect`,
//! `smoothstep`, `length`, `fsaturate`, `bits.extract` and their like.
//!
//! The formulas are the rows of the op table, in the order of operations in which [`aquatint_ir::eval`] computes them. A
//! writer names what it lacks; an expansion that would use another of them uses the expansion of that one. Linear.

use crate::Changed;
use crate::expand_legacy::number;
use crate::op_set::OpSet;
use crate::rewrite::{Fate, build_functions, expand};
use aquatint_ir::module::{Parts, value_type};
use aquatint_ir::types::{self, Scalar};
use aquatint_ir::{Attr, Builder, Function, InstId, Module, Op, TypeId, Value};
use smallvec::SmallVec;

/// The operations that this pass expands.
pub const COMPOUND: OpSet = OpSet::of(&[
    Op::Dot,
    Op::Cross,
    Op::Length,
    Op::Distance,
    Op::Normalize,
    Op::Reflect,
    Op::Refract,
    Op::FaceForward,
    Op::Smoothstep,
    Op::Mix,
    Op::Step,
    Op::FClamp,
    Op::FSaturate,
    Op::FSign,
    Op::Fract,
    Op::Rcp,
    Op::IsNan,
    Op::IsInf,
    Op::IsFinite,
    Op::IClamp,
    Op::ISign,
    Op::IAbs,
    Op::IAddCarry,
    Op::ISubBorrow,
    Op::BitsExtract,
    Op::BitsInsert,
]);

/// Expands those of [`COMPOUND`] that are in `lacking`.
pub fn expand_vector_ops(module: &mut Module, lacking: &OpSet) -> Changed {
    let wanted = |function: &Function| OpSet::at_most(function).meets(*lacking);
    expand_those(module, *lacking, wanted, |builder, inst| lacking.has(builder.function.insts[inst].op))
}

/// Expands those of [`COMPOUND`] that are in `lacking`, where they work on scalars: for a target that has them of vectors only.
pub fn expand_scalar_forms(module: &mut Module, lacking: &OpSet) -> Changed {
    let is_scalar = |parts: Parts<'_>, function: &Function, inst: InstId| {
        let shape = function.operands(inst).first().and_then(|&v| types::lanes_of(value_type(parts, function, v)));
        lacking.has(function.insts[inst].op) && shape.is_some_and(|(_, lanes)| lanes == 1)
    };
    // They are rare; looking costs less than rebuilding.
    let any = |(_, f): (_, &Function)| {
        OpSet::at_most(f).meets(*lacking) && f.insts.ids().any(|inst| is_scalar(module.parts(), f, inst))
    };
    let any: SmallVec<[bool; 16]> = module.functions.iter().map(any).collect();
    let mut any = any.into_iter();
    expand_those(
        module,
        *lacking,
        |_| any.next().unwrap_or(true),
        |builder, inst| {
            is_scalar(Parts { constants: builder.constants, globals: builder.globals }, builder.function, inst)
        },
    )
}

fn expand_those(
    module: &mut Module,
    lacking: OpSet,
    wanted: impl FnMut(&Function) -> bool,
    expands: impl Fn(&Builder<'_>, InstId) -> bool,
) -> Changed {
    build_functions(module, wanted, |builder| {
        expand(builder, &mut |builder, inst| {
            let op = builder.function.insts[inst].op;
            if !expands(builder, inst) {
                return Fate::Keep;
            }
            let operands: SmallVec<[Value; 4]> = SmallVec::from_slice(builder.function.operands(inst));
            let mut expansion = Expansion { b: builder, lacking };
            if let (Op::IAddCarry | Op::ISubBorrow, &[x, y]) = (op, operands.as_slice()) {
                return Fate::Replace(expansion.carry(op, x, y));
            }
            expansion.value(op, &operands).map_or(Fate::Keep, Fate::value)
        })
    })
}

struct Expansion<'b, 'm> {
    b: &'b mut Builder<'m>,
    lacking: OpSet,
}

impl Expansion<'_, '_> {
    fn number(&mut self, like: Value, value: f64) -> Value {
        let ty = self.b.type_of(like);
        number(self.b, ty, value)
    }

    fn integer(&mut self, like: Value, bits: u64) -> Value {
        let (kind, lanes) = self.b.lanes_of(like);
        Value::constant(self.b.constants.vector(kind, &[bits; 4][..usize::from(lanes)]))
    }

    /// An operation that may itself be one to expand.
    fn op(&mut self, op: Op, operands: &[Value]) -> Value {
        let expanded = if self.lacking.has(op) { self.value(op, operands) } else { None };
        match expanded {
            Some(value) => value,
            None => self.b.op(op, operands),
        }
    }

    fn splat_like(&mut self, value: Value, like: Value) -> Value {
        let (_, lanes) = self.b.lanes_of(like);
        self.b.splat(value, lanes)
    }

    fn value(&mut self, op: Op, operands: &[Value]) -> Option<Value> {
        match *operands {
            [a] => self.one(op, a),
            [a, b] => self.two(op, a, b),
            [a, b, c] => self.three(op, a, b, c),
            [base, insert, offset, count] if op == Op::BitsInsert => {
                Some(self.bits_insert(base, insert, offset, count))
            }
            _ => None,
        }
    }

    fn one(&mut self, op: Op, x: Value) -> Option<Value> {
        Some(match op {
            Op::Length => {
                let square = self.op(Op::Dot, &[x, x]);
                self.op(Op::Sqrt, &[square])
            }
            Op::Normalize => {
                let square =
                    if self.b.lanes_of(x).1 == 1 { self.op(Op::FMul, &[x, x]) } else { self.op(Op::Dot, &[x, x]) };
                let scale = self.op(Op::RSqrt, &[square]);
                let scales = self.splat_like(scale, x);
                self.op(Op::FMul, &[x, scales])
            }
            Op::FSaturate => {
                let (zero, one) = (self.number(x, 0.0), self.number(x, 1.0));
                let low = self.op(Op::FMax, &[x, zero]);
                self.op(Op::FMin, &[low, one])
            }
            Op::FSign => {
                let (zero, one, minus) = (self.number(x, 0.0), self.number(x, 1.0), self.number(x, -1.0));
                let (below, above) = (self.op(Op::FLt, &[x, zero]), self.op(Op::FGt, &[x, zero]));
                let positive = self.b.select(above, one, zero);
                self.b.select(below, minus, positive)
            }
            Op::Fract => {
                let floor = self.op(Op::Floor, &[x]);
                self.op(Op::FSub, &[x, floor])
            }
            Op::Rcp => {
                let one = self.number(x, 1.0);
                self.op(Op::FDiv, &[one, x])
            }
            Op::IsNan => self.op(Op::FNe, &[x, x]),
            Op::IsInf | Op::IsFinite => {
                let infinity = self.number(x, f64::INFINITY);
                let magnitude = self.op(Op::FAbs, &[x]);
                self.op(if op == Op::IsInf { Op::FEq } else { Op::FLt }, &[magnitude, infinity])
            }
            Op::IAbs => {
                let minus = self.op(Op::INeg, &[x]);
                self.op(Op::IMax, &[x, minus])
            }
            Op::ISign => {
                let (minus, one) = (self.integer(x, u64::MAX), self.integer(x, 1));
                let low = self.op(Op::IMax, &[x, minus]);
                self.op(Op::IMin, &[low, one])
            }
            _ => return None,
        })
    }

    fn two(&mut self, op: Op, a: Value, b: Value) -> Option<Value> {
        Some(match op {
            Op::Dot => {
                let products = self.op(Op::FMul, &[a, b]);
                let (_, lanes) = self.b.lanes_of(products);
                if lanes == 1 {
                    return Some(products);
                }
                let mut sum = self.b.extract(products, 0);
                for lane in 1..lanes {
                    let product = self.b.extract(products, u32::from(lane));
                    sum = self.op(Op::FAdd, &[sum, product]);
                }
                sum
            }
            Op::Cross => {
                let (yzx, zxy) = ([1, 2, 0], [2, 0, 1]);
                let (a1, b1) = (self.b.shuffle(a, &yzx), self.b.shuffle(b, &zxy));
                let (a2, b2) = (self.b.shuffle(a, &zxy), self.b.shuffle(b, &yzx));
                let (left, right) = (self.op(Op::FMul, &[a1, b1]), self.op(Op::FMul, &[a2, b2]));
                self.op(Op::FSub, &[left, right])
            }
            Op::Distance => {
                let difference = self.op(Op::FSub, &[a, b]);
                self.op(Op::Length, &[difference])
            }
            Op::Reflect => {
                let dot =
                    if self.b.lanes_of(a).1 == 1 { self.op(Op::FMul, &[b, a]) } else { self.op(Op::Dot, &[b, a]) };
                let two = self.number(dot, 2.0);
                let twice = self.op(Op::FMul, &[two, dot]);
                let twice = self.splat_like(twice, b);
                let away = self.op(Op::FMul, &[twice, b]);
                self.op(Op::FSub, &[a, away])
            }
            Op::Step => {
                let (zero, one) = (self.number(b, 0.0), self.number(b, 1.0));
                let below = self.op(Op::FLt, &[b, a]);
                self.b.select(below, zero, one)
            }
            _ => return None,
        })
    }

    fn three(&mut self, op: Op, a: Value, b: Value, c: Value) -> Option<Value> {
        Some(match op {
            Op::Mix => {
                let difference = self.op(Op::FSub, &[b, a]);
                let part = self.op(Op::FMul, &[c, difference]);
                self.op(Op::FAdd, &[a, part])
            }
            Op::FClamp => {
                let low = self.op(Op::FMax, &[a, b]);
                self.op(Op::FMin, &[low, c])
            }
            Op::IClamp => {
                let low = self.op(Op::IMax, &[a, b]);
                self.op(Op::IMin, &[low, c])
            }
            Op::Smoothstep => {
                let (above, span) = (self.op(Op::FSub, &[c, a]), self.op(Op::FSub, &[b, a]));
                let part = self.op(Op::FDiv, &[above, span]);
                let t = self.op(Op::FSaturate, &[part]);
                let square = self.op(Op::FMul, &[t, t]);
                let (two, three) = (self.number(t, 2.0), self.number(t, 3.0));
                let twice = self.op(Op::FMul, &[two, t]);
                let rest = self.op(Op::FSub, &[three, twice]);
                self.op(Op::FMul, &[square, rest])
            }
            Op::Refract => self.refract(a, b, c),
            Op::FaceForward => {
                let dot =
                    if self.b.lanes_of(a).1 == 1 { self.op(Op::FMul, &[b, c]) } else { self.op(Op::Dot, &[b, c]) };
                let zero = self.number(dot, 0.0);
                let facing = self.op(Op::FLt, &[dot, zero]);
                let minus = self.op(Op::FNeg, &[a]);
                self.b.select(facing, a, minus)
            }
            Op::BitsExtract => self.bits_extract(a, b, c),
            _ => return None,
        })
    }

    fn refract(&mut self, i: Value, n: Value, eta: Value) -> Value {
        let dot = self.op(Op::Dot, &[n, i]);
        let (zero, one) = (self.number(dot, 0.0), self.number(dot, 1.0));
        let square = self.op(Op::FMul, &[dot, dot]);
        let rest = self.op(Op::FSub, &[one, square]);
        let etas = self.op(Op::FMul, &[eta, eta]);
        let part = self.op(Op::FMul, &[etas, rest]);
        let k = self.op(Op::FSub, &[one, part]);
        let root = self.op(Op::Sqrt, &[k]);
        let bent = self.op(Op::FMul, &[eta, dot]);
        let along = self.op(Op::FAdd, &[bent, root]);
        let (eta, along) = (self.splat_like(eta, i), self.splat_like(along, i));
        let (left, right) = (self.op(Op::FMul, &[eta, i]), self.op(Op::FMul, &[along, n]));
        let refracted = self.op(Op::FSub, &[left, right]);
        let total = self.op(Op::FLt, &[k, zero]);
        let none = self.number(i, 0.0);
        self.b.select(total, none, refracted)
    }

    fn carry(&mut self, op: Op, a: Value, b: Value) -> SmallVec<[Value; 2]> {
        let (one, zero) = (self.integer(a, 1), self.integer(a, 0));
        let (result, over) = if op == Op::IAddCarry {
            let sum = self.op(Op::IAdd, &[a, b]);
            (sum, self.op(Op::ILt, &[sum, a]))
        } else {
            (self.op(Op::ISub, &[a, b]), self.op(Op::ILt, &[a, b]))
        };
        let carry = self.b.select(over, one, zero);
        SmallVec::from_slice(&[result, carry])
    }

    /// Offset and count, clamped to the width and to what is left above the offset, in the kind and shape of `base`.
    fn field(&mut self, base: Value, offset: Value, count: Value) -> (Value, Value) {
        let (kind, lanes) = self.b.lanes_of(base);
        let mut shaped = Vec::with_capacity(2);
        let width = self.integer(offset, u64::from(kind.bits()));
        let offset = self.op(Op::IMin, &[offset, width]);
        let left = self.op(Op::ISub, &[width, offset]);
        let count = self.op(Op::IMin, &[count, left]);
        for value in [offset, count] {
            let converted = self.b.convert(value, kind);
            shaped.push(if self.b.lanes_of(converted).1 == lanes { converted } else { self.b.splat(converted, lanes) });
        }
        (shaped[0], shaped[1])
    }

    /// Shifts by at most the width: by the whole width everything goes.
    fn shift(&mut self, op: Op, value: Value, by: Value) -> Value {
        let (kind, _) = self.b.lanes_of(value);
        let width = self.integer(value, u64::from(kind.bits()));
        let zero = self.integer(value, 0);
        let shifted = self.op(op, &[value, by]);
        let all = self.op(Op::IEq, &[by, width]);
        self.b.select(all, zero, shifted)
    }

    fn bits_extract(&mut self, base: Value, offset: Value, count: Value) -> Value {
        let (kind, _) = self.b.lanes_of(base);
        let (offset, count) = self.field(base, offset, count);
        let width = self.integer(base, u64::from(kind.bits()));
        let zero = self.integer(base, 0);
        let above = self.op(Op::ISub, &[width, offset]);
        let up = self.op(Op::ISub, &[above, count]);
        let down = self.op(Op::ISub, &[width, count]);
        // With a count above zero, neither shift is by the width.
        let high = self.op(Op::Shl, &[base, up]);
        let low = self.op(Op::Shr, &[high, down]);
        let empty = self.op(Op::IEq, &[count, zero]);
        self.b.select(empty, zero, low)
    }

    fn bits_insert(&mut self, base: Value, insert: Value, offset: Value, count: Value) -> Value {
        let (offset, count) = self.field(base, offset, count);
        let ones = self.integer(base, u64::MAX);
        // `count` ones, moved up.
        let above = self.shift(Op::Shl, ones, count);
        let low = self.op(Op::Not, &[above]);
        let mask = self.shift(Op::Shl, low, offset);
        let moved = self.shift(Op::Shl, insert, offset);
        let new = self.op(Op::And, &[moved, mask]);
        let outside = self.op(Op::Not, &[mask]);
        let old = self.op(Op::And, &[base, outside]);
        self.op(Op::Or, &[old, new])
    }
}

/// The type of a vector of the kind, or of the scalar for one lane. Keeps lane counts that no vector has out.
pub(crate) fn vector_type(kind: Scalar, lanes: u8) -> TypeId {
    types::vector(kind, lanes.clamp(1, 4))
}

/// A part of a vector, matrix, array or struct of a type that the caller knows.
pub(crate) fn part(builder: &mut Builder<'_>, whole: Value, index: u32, ty: TypeId) -> Value {
    builder.value(Op::Extract, Attr::Index(index), &[whole], ty)
}
