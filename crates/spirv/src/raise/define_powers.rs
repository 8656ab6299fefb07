//! GLSL.std.450's `Pow` is open for a base below zero and for 0 to the 0 and below. Most devices compute exp2(y * log2(x)),
//! which makes NaN of 0 to the 0, of NaN to the 0 and of 1 to the infinite, where the IR says 1; Mesa's CPU driver gives 0
//! for 0 to a negative power, where the IR says infinity. (Of minus zero to a negative odd power the sign is lost.)

use super::replace::{lanes_are, one, replace, splat_float};
use aquatint_ir::types::Scalar;
use aquatint_ir::{Builder, Module, Op, Value};
use aquatint_passes::OpSet;

/// Guards every power. Linear.
pub fn define_powers(module: &mut Module) {
    replace(module, OpSet::of(&[Op::Pow]), |b, _, operands, inst| {
        let &[base, exponent] = operands else { return None };
        let (sign_bit, infinity) = match b.lanes_of(exponent).0 {
            Scalar::F16 => (0x8000, 0x7C00),
            _ => (0x8000_0000, 0x7F80_0000),
        };
        let is_power = |bits: u64| bits & (sign_bit - 1) != 0 && bits & (sign_bit - 1) < infinity;
        // The common case: x to a known positive power is what every device makes of it.
        if lanes_are(b, exponent, |bits| is_power(bits) && bits & sign_bit == 0) {
            return None;
        }
        let relaxed = b.function.insts[inst].relaxed;
        let (zero, number) = (splat_float(b, base, 0.0), splat_float(b, base, 1.0));
        let mut result = b.op(Op::Pow, &[base, exponent]);
        mark_relaxed(b, result, relaxed);
        if !lanes_are(b, base, |bits| bits & (sign_bit - 1) != 0) {
            let (none, below) = (b.op(Op::FEq, &[base, zero]), b.op(Op::FLt, &[exponent, zero]));
            let pole = b.op(Op::And, &[none, below]);
            let infinite = splat_float(b, base, f64::INFINITY);
            result = b.select(pole, infinite, result);
        }
        if lanes_are(b, exponent, is_power) {
            return one(result);
        }
        let mut is_one = b.op(Op::FEq, &[exponent, zero]);
        // A known base that is not 1 needs no test.
        if base.as_constant().is_none() {
            let base_is_one = b.op(Op::FEq, &[base, number]);
            is_one = b.op(Op::Or, &[is_one, base_is_one]);
        }
        one(b.select(is_one, number, result))
    });
}

fn mark_relaxed(b: &mut Builder<'_>, value: Value, relaxed: bool) {
    if let Some(inst) = value.as_local().and_then(|local| b.function.def_inst(local)) {
        b.function.insts[inst].relaxed = relaxed;
    }
}
