//! `frexp` and `modf` of what is not finite: GLSL.std.450 leaves it open, the IR does not. The fraction of an infinity in
//! `modf` is a zero of its sign, its whole part the infinity; in `frexp` the number is its own fraction, with exponent 0.

use super::replace::{Results, replace, splat_bits};
use aquatint_ir::types::Scalar;
use aquatint_ir::{Attr, Builder, Module, Op, Value};
use aquatint_passes::{Changed, OpSet};

/// Guards both. Linear.
pub fn define_parts(module: &mut Module) -> Changed {
    replace(module, OpSet::of(&[Op::Frexp, Op::Modf]), |b, op, operands, inst| {
        let &[x] = operands else { return None };
        let types: Vec<_> = b.function.results(inst).map(|local| b.function.locals[local].ty).collect();
        if op == Op::Modf {
            return Some(modf(b, x));
        }
        let made = b.push(Op::Frexp, Attr::None, &[x], &types);
        let (fraction, exponent) = (b.result_at(made, 0), b.result_at(made, 1));
        let finite = is_finite(b, x);
        let none = splat_bits(b, exponent, 0);
        let fraction = b.select(finite, fraction, x);
        let exponent = b.select(finite, exponent, none);
        Some(Results::from_slice(&[fraction, exponent]))
    })
}

fn is_finite(b: &mut Builder<'_>, x: Value) -> Value {
    let infinity = super::replace::splat_float(b, x, f64::INFINITY);
    let magnitude = b.op(Op::FAbs, &[x]);
    b.op(Op::FLt, &[magnitude, infinity])
}

/// By its parts: no device need know `ModfStruct`.
fn modf(b: &mut Builder<'_>, x: Value) -> Results {
    let (kind, _) = b.lanes_of(x);
    let whole = b.op(Op::Trunc, &[x]);
    let rest = b.op(Op::FSub, &[x, whole]);
    // Infinity less itself is NaN; NaN stays NaN, as its whole part is.
    let infinity = super::replace::splat_float(b, x, f64::INFINITY);
    let magnitude = b.op(Op::FAbs, &[x]);
    let infinite = b.op(Op::FEq, &[magnitude, infinity]);
    let zero = splat_bits(b, x, 0);
    let rest = b.select(infinite, zero, rest);
    // Both parts have the sign of x, also where they are zero.
    let int = match kind {
        Scalar::F16 => Scalar::U16,
        Scalar::F64 => Scalar::U64,
        _ => Scalar::U32,
    };
    let sign_bit = 1 << (kind.bits() - 1);
    let number = b.bitcast(x, int);
    let mask = splat_bits(b, number, sign_bit);
    let sign = b.op(Op::And, &[number, mask]);
    let signed = |b: &mut Builder<'_>, part: Value| {
        let magnitude = b.op(Op::FAbs, &[part]);
        let bits = b.bitcast(magnitude, int);
        let joined = b.op(Op::Or, &[bits, sign]);
        b.bitcast(joined, kind)
    };
    let fraction = signed(b, rest);
    let whole = signed(b, whole);
    Results::from_slice(&[fraction, whole])
}
