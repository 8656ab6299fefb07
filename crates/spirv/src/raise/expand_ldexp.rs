//! GLSL.std.450's `Ldexp` is open past the exponents that the type has; the IR's is total. The power of two is applied in
//! three factors, each a float made from its exponent's bits, so that every exponent from the least to the largest number is
//! reached. Only a result below the normal range can be rounded twice, and there devices may flush anyway.

use super::replace::{one, replace, splat_bits};
use aquatint_ir::types::{self, Scalar};
use aquatint_ir::{Attr, Builder, Module, Op, Value};
use aquatint_passes::{Changed, OpSet};

/// Expands every `ldexp`. Linear.
pub fn expand_ldexp(module: &mut Module) -> Changed {
    replace(module, OpSet::of(&[Op::Ldexp]), |b, _, operands, _| {
        let &[x, exponent] = operands else { return None };
        let (kind, lanes) = b.lanes_of(x);
        // f16 is scaled as f32: the range of 16 bits lies within.
        let wide = if kind == Scalar::F16 { b.convert(x, Scalar::F32) } else { x };
        let limit: i32 = if kind == Scalar::F64 { 3 * 1022 } else { 3 * 126 };
        let (low, high) = (splat_bits(b, exponent, -limit as u32 as u64), splat_bits(b, exponent, limit as u64));
        let above = b.op(Op::IMax, &[exponent, low]);
        let bounded = b.op(Op::IMin, &[above, high]);
        let three = splat_bits(b, exponent, 3);
        let third = b.op(Op::IDiv, &[bounded, three]);
        let two = b.op(Op::IAdd, &[third, third]);
        let rest = b.op(Op::ISub, &[bounded, two]);
        // |rest| <= |bounded| / 3 + 2 / 3 * 3: at the limits it is a third exactly.
        let (part, last) = (power(b, third, kind, lanes), power(b, rest, kind, lanes));
        let first = b.op(Op::FMul, &[wide, part]);
        let second = b.op(Op::FMul, &[first, part]);
        let result = b.op(Op::FMul, &[second, last]);
        one(if kind == Scalar::F16 { b.convert(result, Scalar::F16) } else { result })
    })
}

/// 2 to an exponent within the normal range.
fn power(b: &mut Builder<'_>, exponent: Value, kind: Scalar, lanes: u8) -> Value {
    if kind == Scalar::F64 {
        let wide = b.convert(exponent, Scalar::I64);
        let bias = splat_bits(b, wide, 1023);
        let biased = b.op(Op::IAdd, &[wide, bias]);
        let places = splat_bits(b, wide, 52);
        let bits = b.op(Op::Shl, &[biased, places]);
        return b.value(Op::Bitcast, Attr::None, &[bits], types::vector(Scalar::F64, lanes));
    }
    let bias = splat_bits(b, exponent, 127);
    let biased = b.op(Op::IAdd, &[exponent, bias]);
    let places = splat_bits(b, exponent, 23);
    let bits = b.op(Op::Shl, &[biased, places]);
    b.value(Op::Bitcast, Attr::None, &[bits], types::vector(Scalar::F32, lanes))
}
