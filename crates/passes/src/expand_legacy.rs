//! Expands the arithmetic of Direct3D 9 (`fmul.legacy`, `rcp.d3d9`, …) into plain operations, for targets that lack it.
//!
//! The formulas are the rows of the op table; each expansion gives the bits that [`aquatint_ir::eval`] gives, where the
//! plain operations do. A writer names the operations that it lacks; an expansion that would use another of them uses the
//! expansion of that one. Linear.

use crate::Changed;
use crate::op_set::OpSet;
use crate::rewrite::{Fate, build_functions, expand};
use aquatint_ir::eval::f16_from_f64;
use aquatint_ir::types::{self, Scalar, TypeId};
use aquatint_ir::{Builder, Module, Op, Value};

/// The operations that this pass expands.
pub const LEGACY: OpSet = OpSet::of(&[
    Op::FMulLegacy,
    Op::FmaLegacy,
    Op::DotLegacy,
    Op::LrpLegacy,
    Op::CrossLegacy,
    Op::RcpD3d9,
    Op::RSqrtD3d9,
    Op::Exp2D3d9,
    Op::Log2D3d9,
    Op::PowD3d9,
    Op::NrmD3d9,
    Op::LitD3d9,
    Op::DstD3d9,
    Op::FractD3d9,
    Op::MinD3d9,
    Op::MaxD3d9,
    Op::SgnD3d9,
]);

/// Expands those of [`LEGACY`] that are in `lacking`.
pub fn expand_legacy(module: &mut Module, lacking: &OpSet) -> Changed {
    let lacking = *lacking;
    build_functions(
        module,
        |function| OpSet::at_most(function).meets(lacking),
        |builder| {
            expand(builder, &mut |builder, inst| {
                let op = builder.function.insts[inst].op;
                if !lacking.has(op) {
                    return Fate::Keep;
                }
                let mut operands = [None; 3];
                for (to, &from) in operands.iter_mut().zip(builder.function.operands(inst)) {
                    *to = Some(from);
                }
                let value = match operands {
                    [Some(a), None, None] => Expansion { builder, lacking }.one(op, a),
                    [Some(a), Some(b), None] => Expansion { builder, lacking }.two(op, a, b),
                    [Some(a), Some(b), Some(c)] => Expansion { builder, lacking }.three(op, a, b, c),
                    _ => None,
                };
                value.map_or(Fate::Keep, Fate::value)
            })
        },
    )
}

/// A float constant in the shape of a scalar or vector type, rounded to its kind.
pub(crate) fn number(builder: &mut Builder<'_>, ty: TypeId, number: f64) -> Value {
    let (kind, lanes) = types::lanes_of(ty).unwrap_or((Scalar::F32, 1));
    let bits = match kind {
        Scalar::F16 => u64::from(f16_from_f64(number)),
        Scalar::F64 => number.to_bits(),
        _ => u64::from((number as f32).to_bits()),
    };
    Value::constant(builder.constants.vector(kind, &[bits; 4][..usize::from(lanes)]))
}

struct Expansion<'b, 'm> {
    builder: &'b mut Builder<'m>,
    lacking: OpSet,
}

impl Expansion<'_, '_> {
    fn number(&mut self, like: Value, number: f64) -> Value {
        let ty = self.builder.type_of(like);
        self::number(self.builder, ty, number)
    }

    fn kind(&self, value: Value) -> Scalar {
        self.builder.lanes_of(value).0
    }

    /// The largest finite number.
    fn max(&mut self, like: Value) -> Value {
        let max = match self.kind(like) {
            Scalar::F16 => 65504.0,
            Scalar::F64 => f64::MAX,
            _ => f64::from(f32::MAX),
        };
        self.number(like, max)
    }

    fn is_zero(&mut self, value: Value) -> Value {
        let zero = self.number(value, 0.0);
        self.builder.op(Op::FEq, &[value, zero])
    }

    /// An operation of one operand that is itself in the set or not.
    fn one_of(&mut self, op: Op, a: Value) -> Value {
        let expanded = if self.lacking.has(op) { self.one(op, a) } else { None };
        match expanded {
            Some(value) => value,
            None => self.builder.op(op, &[a]),
        }
    }

    fn mul(&mut self, a: Value, b: Value) -> Value {
        if !self.lacking.has(Op::FMulLegacy) {
            return self.builder.op(Op::FMulLegacy, &[a, b]);
        }
        let product = self.builder.op(Op::FMul, &[a, b]);
        let zero = self.number(a, 0.0);
        let either = match (self.never_zero(a), self.never_zero(b), a == b) {
            (true, true, _) => return product,
            (true, false, _) | (false, false, true) => self.is_zero(b),
            (false, true, _) => self.is_zero(a),
            (false, false, false) => {
                let (x, y) = (self.is_zero(a), self.is_zero(b));
                self.builder.op(Op::Or, &[x, y])
            }
        };
        self.builder.select(either, zero, product)
    }

    /// Whether it is a constant without a zero.
    fn never_zero(&self, value: Value) -> bool {
        let (kind, lanes) = self.builder.lanes_of(value);
        let magnitude = (1u64 << (kind.bits() - 1)) - 1;
        value.as_constant().and_then(|id| self.builder.constants.get(id)).is_some_and(|constant| {
            (0..usize::from(lanes)).all(|lane| constant.lane(lane).is_some_and(|bits| bits & magnitude != 0))
        })
    }

    /// Infinity becomes the largest finite number.
    fn finite(&mut self, value: Value) -> Value {
        let infinity = self.number(value, f64::INFINITY);
        let over = self.builder.op(Op::FEq, &[value, infinity]);
        let max = self.max(value);
        self.builder.select(over, max, value)
    }

    /// `dot.legacy` of the first `lanes` lanes.
    fn dot(&mut self, a: Value, b: Value, lanes: u8) -> Value {
        let (_, count) = self.builder.lanes_of(a);
        if lanes == count && !self.lacking.has(Op::DotLegacy) {
            return self.builder.op(Op::DotLegacy, &[a, b]);
        }
        let (mut x, mut y) = (a, b);
        if lanes < count {
            x = self.builder.shuffle(a, &[0, 1, 2, 3][..usize::from(lanes)]);
            y = if a == b { x } else { self.builder.shuffle(b, &[0, 1, 2, 3][..usize::from(lanes)]) };
            return self.dot(x, y, lanes);
        }
        let products = self.mul(x, y);
        if count == 1 {
            return products;
        }
        let mut sum = self.builder.extract(products, 0);
        for lane in 1..lanes {
            let product = self.builder.extract(products, u32::from(lane));
            sum = self.builder.op(Op::FAdd, &[sum, product]);
        }
        sum
    }

    fn one(&mut self, op: Op, x: Value) -> Option<Value> {
        let value = match op {
            Op::RcpD3d9 => {
                let (zero, max) = (self.is_zero(x), self.max(x));
                let plain = self.builder.op(Op::Rcp, &[x]);
                self.builder.select(zero, max, plain)
            }
            Op::RSqrtD3d9 => {
                let (zero, max) = (self.is_zero(x), self.max(x));
                let positive = self.builder.op(Op::FAbs, &[x]);
                let plain = self.builder.op(Op::RSqrt, &[positive]);
                self.builder.select(zero, max, plain)
            }
            Op::Exp2D3d9 => {
                let plain = self.builder.op(Op::Exp2, &[x]);
                self.finite(plain)
            }
            Op::Log2D3d9 => {
                let zero = self.is_zero(x);
                let positive = self.builder.op(Op::FAbs, &[x]);
                let plain = self.builder.op(Op::Log2, &[positive]);
                let largest = match self.kind(x) {
                    Scalar::F16 => 65504.0,
                    Scalar::F64 => f64::MAX,
                    _ => f64::from(f32::MAX),
                };
                let least = self.number(x, -largest);
                self.builder.select(zero, least, plain)
            }
            Op::NrmD3d9 => {
                let (kind, lanes) = self.builder.lanes_of(x);
                let square = if lanes == 1 { self.mul(x, x) } else { self.dot(x, x, lanes.min(3)) };
                let scale = self.one_of(Op::RSqrtD3d9, square);
                let scales = self.builder.splat(scale, lanes);
                let scaled = self.mul(x, scales);
                let none = self.is_zero(square);
                let zero = Value::constant(self.builder.constants.vector(kind, &[0; 4][..usize::from(lanes)]));
                self.builder.select(none, zero, scaled)
            }
            Op::LitD3d9 => {
                let lane = |e: &mut Self, index| e.builder.extract(x, index);
                let (diffuse, specular, power) = (lane(self, 0), lane(self, 1), lane(self, 3));
                let (zero, one) = (self.number(diffuse, 0.0), self.number(diffuse, 1.0));
                let (low, high) = (self.number(power, -127.9961), self.number(power, 127.9961));
                let power = self.builder.op(Op::FClamp, &[power, low, high]);
                let y = self.builder.op(Op::FMax, &[diffuse, zero]);
                let raised = self.builder.op(Op::Pow, &[specular, power]);
                let lit = self.builder.op(Op::FGt, &[diffuse, zero]);
                let shines = self.builder.op(Op::FGt, &[specular, zero]);
                let both = self.builder.op(Op::And, &[lit, shines]);
                let z = self.builder.select(both, raised, zero);
                let ty = self.builder.type_of(x);
                self.builder.construct(ty, &[one, y, z, one])
            }
            Op::FractD3d9 => {
                let floor = self.builder.op(Op::Floor, &[x]);
                let plain = self.builder.op(Op::FSub, &[x, floor]);
                let digits = match self.kind(x) {
                    Scalar::F16 => 11,
                    Scalar::F64 => 53,
                    _ => 24,
                };
                let below_one = self.number(x, 1.0 - (-f64::from(digits)).exp2());
                let over = self.builder.op(Op::FGt, &[plain, below_one]);
                self.builder.select(over, below_one, plain)
            }
            Op::SgnD3d9 => {
                let (zero, one, minus) = (self.number(x, 0.0), self.number(x, 1.0), self.number(x, -1.0));
                let (below, none) = (self.builder.op(Op::FLt, &[x, zero]), self.is_zero(x));
                let rest = self.builder.select(none, zero, one);
                self.builder.select(below, minus, rest)
            }
            _ => return None,
        };
        Some(value)
    }

    fn two(&mut self, op: Op, a: Value, b: Value) -> Option<Value> {
        let value = match op {
            Op::FMulLegacy => self.mul(a, b),
            Op::DotLegacy => {
                let (_, lanes) = self.builder.lanes_of(a);
                self.dot(a, b, lanes)
            }
            Op::CrossLegacy => {
                let (yzx, zxy) = ([1, 2, 0], [2, 0, 1]);
                let (a1, b1) = (self.builder.shuffle(a, &yzx), self.builder.shuffle(b, &zxy));
                let (a2, b2) = (self.builder.shuffle(a, &zxy), self.builder.shuffle(b, &yzx));
                let (left, right) = (self.mul(a1, b1), self.mul(a2, b2));
                self.builder.op(Op::FSub, &[left, right])
            }
            Op::PowD3d9 => {
                let positive = self.builder.op(Op::FAbs, &[a]);
                let plain = self.builder.op(Op::Pow, &[positive, b]);
                self.finite(plain)
            }
            Op::DstD3d9 => {
                let (ay, by) = (self.builder.extract(a, 1), self.builder.extract(b, 1));
                let (z, w) = (self.builder.extract(a, 2), self.builder.extract(b, 3));
                let y = self.mul(ay, by);
                let one = self.number(y, 1.0);
                let ty = self.builder.type_of(a);
                self.builder.construct(ty, &[one, y, z, w])
            }
            Op::MinD3d9 => {
                let below = self.builder.op(Op::FLt, &[a, b]);
                self.builder.select(below, a, b)
            }
            Op::MaxD3d9 => {
                let above = self.builder.op(Op::FGe, &[a, b]);
                self.builder.select(above, a, b)
            }
            _ => return None,
        };
        Some(value)
    }

    fn three(&mut self, op: Op, a: Value, b: Value, c: Value) -> Option<Value> {
        match op {
            Op::FmaLegacy => {
                let product = self.mul(a, b);
                Some(self.builder.op(Op::FAdd, &[product, c]))
            }
            Op::LrpLegacy => {
                let difference = self.builder.op(Op::FSub, &[b, c]);
                let product = self.mul(a, difference);
                Some(self.builder.op(Op::FAdd, &[c, product]))
            }
            _ => None,
        }
    }
}
