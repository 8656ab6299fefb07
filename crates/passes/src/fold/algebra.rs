//! The algebraic facts, by operation.

use super::{Simpler, State};
use aquatint_ir::types::{self, Scalar, TypeId};
use aquatint_ir::{Attr, Function, InstId, Op, Value};

/// The special numbers that the rules know, for a float kind.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Number {
    Zero,
    MinusZero,
    One,
    MinusOne,
    Other,
}

fn number(kind: Scalar, bits: u64) -> Number {
    let (one, sign) = match kind {
        Scalar::F16 => (0x3C00, 1 << 15),
        Scalar::F32 => (0x3F80_0000, 1 << 31),
        Scalar::F64 => (0x3FF0_0000_0000_0000, 1 << 63),
        _ => return Number::Other,
    };
    match bits {
        0 => Number::Zero,
        b if b == sign => Number::MinusZero,
        b if b == one => Number::One,
        b if b == one | sign => Number::MinusOne,
        _ => Number::Other,
    }
}

fn ones(kind: Scalar) -> u64 {
    match kind.bits() {
        64 => u64::MAX,
        bits => (1 << bits) - 1,
    }
}

/// The comparison that is true where the other is false. Floats have only two, since the others are false for NaN.
fn inverse(op: Op) -> Option<Op> {
    Some(match op {
        Op::FEq => Op::FNe,
        Op::FNe => Op::FEq,
        Op::IEq => Op::INe,
        Op::INe => Op::IEq,
        Op::ILt => Op::IGe,
        Op::IGe => Op::ILt,
        Op::IGt => Op::ILe,
        Op::ILe => Op::IGt,
        _ => return None,
    })
}

impl State<'_, '_> {
    /// What an instruction is in simpler form, if a rule applies.
    #[inline]
    pub(super) fn simplify(&mut self, function: &Function, inst: InstId) -> Option<Simpler> {
        let data = &function.insts[inst];
        let operands = &function.operands[data.operands.range()];
        match (data.op, operands) {
            (Op::FAdd | Op::FSub | Op::FMul | Op::FDiv, &[a, b]) => self.float(function, data.op, a, b),
            (Op::FNeg | Op::FAbs | Op::Floor | Op::Ceil | Op::Round | Op::Trunc | Op::FSaturate, &[a]) => {
                self.float_one(function, data.op, a)
            }
            (Op::Fma, &[a, b, c]) => self.fma(a, b, c),
            (Op::FMulLegacy | Op::FmaLegacy | Op::LrpLegacy | Op::PowD3d9, _) => {
                self.legacy(function, inst, data.op, operands)
            }
            (Op::FMin | Op::FMax | Op::MinD3d9 | Op::MaxD3d9 | Op::IMin | Op::IMax, &[a, b]) => {
                self.min_max(function, data.op, a, b)
            }
            (Op::FClamp, &[x, low, high]) => {
                let (kind, low) = self.uniform(low)?;
                let (_, high) = self.uniform(high)?;
                let unit = number(kind, low) == Number::Zero && number(kind, high) == Number::One;
                if unit { Simpler::op(Op::FSaturate, &[x]) } else { None }
            }
            (Op::Pow, &[_, b]) => {
                let (kind, bits) = self.uniform(b)?;
                matches!(number(kind, bits), Number::Zero | Number::MinusZero).then_some(())?;
                self.one(function, inst).map(Simpler::Is)
            }
            (
                Op::IAdd | Op::ISub | Op::IMul | Op::IDiv | Op::IRem | Op::Shl | Op::Shr | Op::And | Op::Or | Op::Xor,
                &[a, b],
            ) => self.integer(function, inst, data.op, a, b),
            (Op::INeg | Op::Not, &[a]) => self.integer_one(function, data.op, a),
            (Op::IEq | Op::INe | Op::ILt | Op::ILe | Op::IGt | Op::IGe, &[a, b]) => {
                self.compare(function, inst, data.op, a, b)
            }
            (Op::Select, &[c, a, b]) => self.select(function, c, a, b),
            (Op::Convert | Op::Bitcast, &[a]) => self.convert(function, inst, data.op, a),
            (Op::Any | Op::All, &[a]) => {
                match (types::lanes_of(self.tables.type_of(function, a))?, self.def(function, a)) {
                    ((_, 1), _) => Some(Simpler::Is(a)),
                    (_, Some((Op::Splat, &[one]))) => Some(Simpler::Is(one)),
                    _ => None,
                }
            }
            (Op::ExtractDyn, &[from, index]) => {
                let index = self.tables.constants.get(index.as_constant()?)?.lane(0)? as u32;
                match self.tables.types.step(self.tables.type_of(function, from), index) {
                    Some(_) => Some(Simpler::Becomes(Op::Extract, Attr::Index(index), [from].into_iter().collect())),
                    None => {
                        let ty = self.result_type(function, inst)?;
                        Some(Simpler::Is(Value::constant(self.tables.constants.zero(ty))))
                    }
                }
            }
            (Op::InsertDyn, &[into, part, index]) => {
                let index = self.tables.constants.get(index.as_constant()?)?.lane(0)? as u32;
                match self.tables.types.step(self.tables.type_of(function, into), index) {
                    Some(_) => {
                        Some(Simpler::Becomes(Op::Insert, Attr::Index(index), [into, part].into_iter().collect()))
                    }
                    None => Some(Simpler::Is(into)),
                }
            }
            (Op::Transpose, &[a]) => match self.def(function, a)? {
                (Op::Transpose, &[inner]) => Some(Simpler::Is(inner)),
                _ => None,
            },
            _ => None,
        }
    }

    fn one(&mut self, function: &Function, inst: InstId) -> Option<Value> {
        let ty = self.result_type(function, inst)?;
        let bits = match types::lanes_of(ty)?.0 {
            Scalar::F16 => 0x3C00,
            Scalar::F32 => 0x3F80_0000,
            Scalar::F64 => 0x3FF0_0000_0000_0000,
            _ => 1,
        };
        self.splat(ty, bits)
    }

    fn negated(&self, function: &Function, value: Value) -> Option<Value> {
        match self.def(function, value)? {
            (Op::FNeg, &[inner]) => Some(inner),
            _ => None,
        }
    }

    fn float(&mut self, function: &Function, op: Op, a: Value, b: Value) -> Option<Simpler> {
        let constant = |state: &Self, v| state.uniform(v).map(|(kind, bits)| (kind, number(kind, bits)));
        if let Some((kind, number)) = constant(self, b) {
            match (op, number) {
                (Op::FAdd, Number::MinusZero) | (Op::FSub, Number::Zero) | (Op::FMul | Op::FDiv, Number::One)
                    if self.passes(kind) =>
                {
                    return Some(Simpler::Is(a));
                }
                (Op::FMul | Op::FDiv, Number::MinusOne) if self.passes(kind) => return Simpler::op(Op::FNeg, &[a]),
                _ => {}
            }
        }
        if let Some((kind, number)) = constant(self, a) {
            match (op, number) {
                (Op::FAdd, Number::MinusZero) | (Op::FMul, Number::One) if self.passes(kind) => {
                    return Some(Simpler::Is(b));
                }
                (Op::FSub, Number::MinusZero) | (Op::FMul, Number::MinusOne) if self.passes(kind) => {
                    return Simpler::op(Op::FNeg, &[b]);
                }
                _ => {}
            }
        }
        let (minus_a, minus_b) = (self.negated(function, a), self.negated(function, b));
        match (op, minus_a, minus_b) {
            (Op::FAdd, _, Some(b)) => Simpler::op(Op::FSub, &[a, b]),
            (Op::FAdd, Some(a), None) => Simpler::op(Op::FSub, &[b, a]),
            (Op::FSub, _, Some(b)) => Simpler::op(Op::FAdd, &[a, b]),
            (Op::FMul | Op::FDiv, Some(a), Some(b)) => Simpler::op(op, &[a, b]),
            _ => None,
        }
    }

    fn float_one(&mut self, function: &Function, op: Op, a: Value) -> Option<Simpler> {
        let (inner, operands) = self.def(function, a)?;
        match (op, inner, operands) {
            (Op::FNeg, Op::FNeg, &[x]) => Some(Simpler::Is(x)),
            (Op::FAbs, Op::FNeg, &[x]) => Simpler::op(Op::FAbs, &[x]),
            (Op::FAbs, Op::FAbs, _) | (Op::FSaturate, Op::FSaturate, _) => Some(Simpler::Is(a)),
            (Op::Floor | Op::Ceil | Op::Round | Op::Trunc, Op::Floor | Op::Ceil | Op::Round | Op::Trunc, _) => {
                Some(Simpler::Is(a))
            }
            _ => None,
        }
    }

    fn fma(&mut self, a: Value, b: Value, c: Value) -> Option<Simpler> {
        if let Some((kind, bits)) = self.uniform(a)
            && number(kind, bits) == Number::One
        {
            return Simpler::op(Op::FAdd, &[b, c]);
        }
        if let Some((kind, bits)) = self.uniform(b)
            && number(kind, bits) == Number::One
        {
            return Simpler::op(Op::FAdd, &[a, c]);
        }
        let (kind, bits) = self.uniform(c)?;
        if number(kind, bits) == Number::MinusZero { Simpler::op(Op::FMul, &[a, b]) } else { None }
    }

    /// Direct3D 9's products are +0 where an operand is a zero, so a product with 1 is not the other operand: that could
    /// be -0.
    fn legacy(&mut self, function: &Function, inst: InstId, op: Op, operands: &[Value]) -> Option<Simpler> {
        let is_zero = |state: &Self, v| {
            state.uniform(v).is_some_and(|(k, bits)| matches!(number(k, bits), Number::Zero | Number::MinusZero))
        };
        let ty = self.result_type(function, inst)?;
        match (op, operands) {
            (Op::FMulLegacy, &[a, b]) if is_zero(self, a) || is_zero(self, b) => self.splat(ty, 0).map(Simpler::Is),
            (Op::FmaLegacy, &[a, b, c]) => {
                if is_zero(self, a) || is_zero(self, b) {
                    let zero = self.splat(ty, 0)?;
                    return Simpler::op(Op::FAdd, &[zero, c]);
                }
                let (kind, bits) = self.uniform(c)?;
                if number(kind, bits) == Number::MinusZero && self.passes(kind) {
                    return Simpler::op(Op::FMulLegacy, &[a, b]);
                }
                None
            }
            (Op::LrpLegacy, &[a, _, c]) if is_zero(self, a) => {
                let zero = self.splat(ty, 0)?;
                Simpler::op(Op::FAdd, &[c, zero])
            }
            (Op::PowD3d9, &[_, b]) if is_zero(self, b) => self.one(function, inst).map(Simpler::Is),
            _ => None,
        }
    }

    fn min_max(&mut self, function: &Function, op: Op, a: Value, b: Value) -> Option<Simpler> {
        if a == b {
            return Some(Simpler::Is(a));
        }
        if op != Op::FMin {
            return None;
        }
        // fmin(fmax(x, 0), 1), in either order of operands. The other way round NaN would give 1.
        let is = |state: &Self, v, wanted| state.uniform(v).is_some_and(|(k, bits)| number(k, bits) == wanted);
        let inner = match (is(self, a, Number::One), is(self, b, Number::One)) {
            (_, true) => a,
            (true, _) => b,
            _ => return None,
        };
        match self.def(function, inner)? {
            (Op::FMax, &[x, low]) if is(self, low, Number::Zero) => Simpler::op(Op::FSaturate, &[x]),
            (Op::FMax, &[low, x]) if is(self, low, Number::Zero) => Simpler::op(Op::FSaturate, &[x]),
            _ => None,
        }
    }

    fn integer(&mut self, function: &Function, inst: InstId, op: Op, a: Value, b: Value) -> Option<Simpler> {
        let ty = self.result_type(function, inst)?;
        if a == b {
            match op {
                Op::ISub | Op::Xor => return self.splat(ty, 0).map(Simpler::Is),
                Op::And | Op::Or => return Some(Simpler::Is(a)),
                _ => {}
            }
        }
        match op {
            Op::ISub | Op::IDiv | Op::IRem | Op::Shl | Op::Shr => {}
            _ => {
                if let Some((kind, bits)) = self.uniform(a)
                    && let Some(simpler) = self.neutral(op, kind, bits, a, b)
                {
                    return Some(simpler);
                }
            }
        }
        if matches!(op, Op::Shl | Op::Shr)
            && let Some((_, 0)) = self.uniform(a)
        {
            return Some(Simpler::Is(a));
        }
        let (kind, bits) = self.uniform(b)?;
        match (op, bits) {
            (Op::IRem, 1) => return self.splat(ty, 0).map(Simpler::Is),
            (Op::Shl | Op::Shr, _) if bits % u64::from(kind.bits()) == 0 => return Some(Simpler::Is(a)),
            (Op::ISub, 0) | (Op::IDiv, 1) => return Some(Simpler::Is(a)),
            (Op::IAdd | Op::ISub, 1..) => {
                if let Some(simpler) = self.sum(function, ty, op, a, bits, kind) {
                    return Some(simpler);
                }
            }
            _ => {}
        }
        match op {
            Op::ISub | Op::IDiv | Op::IRem | Op::Shl | Op::Shr => None,
            _ => self.neutral(op, kind, bits, b, a),
        }
    }

    /// Commutative operations with a constant whose lanes are all `bits`.
    fn neutral(&mut self, op: Op, kind: Scalar, bits: u64, constant: Value, other: Value) -> Option<Simpler> {
        let all = ones(kind);
        match (op, bits) {
            (Op::IAdd | Op::Or | Op::Xor, 0) | (Op::IMul, 1) => Some(Simpler::Is(other)),
            (Op::And, bits) if bits == all => Some(Simpler::Is(other)),
            (Op::IMul | Op::And, 0) => Some(Simpler::Is(constant)),
            (Op::Or, bits) if bits == all => Some(Simpler::Is(constant)),
            (Op::Xor, bits) if bits == all => Simpler::op(Op::Not, &[other]),
            _ => None,
        }
    }

    /// `(x + k) + bits` is `x + (k + bits)`: sums wrap.
    fn sum(&mut self, function: &Function, ty: TypeId, op: Op, a: Value, bits: u64, kind: Scalar) -> Option<Simpler> {
        let (Op::IAdd, &[x, k]) = self.def(function, a)? else { return None };
        let (_, inner) = self.uniform(k)?;
        let sum = if op == Op::IAdd { inner.wrapping_add(bits) } else { inner.wrapping_sub(bits) };
        let sum = self.splat(ty, sum & ones(kind))?;
        Simpler::op(Op::IAdd, &[x, sum])
    }

    fn integer_one(&mut self, function: &Function, op: Op, a: Value) -> Option<Simpler> {
        let (inner, operands) = self.def(function, a)?;
        match (op, inner, operands) {
            (Op::INeg, Op::INeg, &[x]) | (Op::Not, Op::Not, &[x]) => Some(Simpler::Is(x)),
            (Op::INeg, Op::ISub, &[x, y]) => Simpler::op(Op::ISub, &[y, x]),
            (Op::Not, compare, operands) => Simpler::op(inverse(compare)?, operands),
            _ => None,
        }
    }

    fn compare(&mut self, function: &Function, inst: InstId, op: Op, a: Value, b: Value) -> Option<Simpler> {
        let ty = self.result_type(function, inst)?;
        if a == b {
            return self.splat(ty, u64::from(matches!(op, Op::IEq | Op::ILe | Op::IGe))).map(Simpler::Is);
        }
        // Bools compared with constants are themselves or their opposite.
        let (Scalar::Bool, bits) = self.uniform(b)? else { return None };
        match (op, bits) {
            (Op::IEq, 1) | (Op::INe, 0) => Some(Simpler::Is(a)),
            (Op::IEq, 0) | (Op::INe, 1) => Simpler::op(Op::Not, &[a]),
            _ => None,
        }
    }

    fn select(&mut self, function: &Function, c: Value, a: Value, b: Value) -> Option<Simpler> {
        if a == b {
            return Some(Simpler::Is(a));
        }
        if let Some((_, bits)) = self.uniform(c) {
            return Some(Simpler::Is(if bits == 0 { b } else { a }));
        }
        if let Some((Op::Not, &[inner])) = self.def(function, c) {
            return Simpler::op(Op::Select, &[inner, b, a]);
        }
        // Bools of the condition's own shape.
        let shape = self.tables.type_of(function, c);
        if self.tables.type_of(function, a) != shape {
            return None;
        }
        let bits = |state: &Self, v| state.uniform(v).map(|(_, bits)| bits);
        match (bits(self, a), bits(self, b)) {
            (Some(1), Some(0)) => Some(Simpler::Is(c)),
            (Some(0), Some(1)) => Simpler::op(Op::Not, &[c]),
            (Some(1), None) => Simpler::op(Op::Or, &[c, b]),
            (None, Some(0)) => Simpler::op(Op::And, &[c, a]),
            _ => None,
        }
    }

    fn convert(&mut self, function: &Function, inst: InstId, op: Op, a: Value) -> Option<Simpler> {
        let ty = self.result_type(function, inst)?;
        let inner_ty = self.tables.type_of(function, a);
        if ty == inner_ty {
            return Some(Simpler::Is(a));
        }
        let (inner, &[x]) = self.def(function, a)? else { return None };
        if inner != op {
            return None;
        }
        let from_ty = self.tables.type_of(function, x);
        if op == Op::Bitcast {
            return Simpler::op(Op::Bitcast, &[x]);
        }
        let (from, via, to) = (types::lanes_of(from_ty)?.0, types::lanes_of(inner_ty)?.0, types::lanes_of(ty)?.0);
        if !chain_is_direct(from, via, to) {
            return None;
        }
        if from == to { Some(Simpler::Is(x)) } else { Simpler::op(Op::Convert, &[x]) }
    }
}

/// Whether a conversion through `via` is the one from `from` to `to`.
fn chain_is_direct(from: Scalar, via: Scalar, to: Scalar) -> bool {
    if from == Scalar::Bool {
        return via != Scalar::Bool;
    }
    // Every value of `from` is one of `via`.
    let exact = match (from.is_float(), via.is_float()) {
        (true, true) => via.bits() >= from.bits(),
        (true, false) => false,
        (false, true) => {
            let mantissa = match via {
                Scalar::F16 => 11,
                Scalar::F32 => 24,
                _ => 53,
            };
            from.bits() - u32::from(from.is_signed()) <= mantissa && !(via == Scalar::F16 && from.bits() >= 16)
        }
        (false, false) if via == Scalar::Bool => false,
        (false, false) => {
            let widens = via.bits() > from.bits() && (via.is_signed() || !from.is_signed());
            widens || (via.bits() == from.bits() && via.is_signed() == from.is_signed())
        }
    };
    if !exact {
        // Low bits stay low bits, whatever the signs are on the way.
        return from.is_integer()
            && via.is_integer()
            && to.is_integer()
            && via.bits() >= to.bits()
            && from.bits() >= to.bits();
    }
    // From a float to an integer saturates, from an integer it wraps: not the same by way of a float.
    !(from.is_integer() && via.is_float() && to.is_integer()) || from == to
}
