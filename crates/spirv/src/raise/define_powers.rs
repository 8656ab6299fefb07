//! GLSL.std.450's `Pow` is open for a base below zero and for 0 to the 0 and below; most devices compute exp2(y * log2(x)),
//! which makes NaN of 0 to the 0, of NaN to the 0 and of 1 to the infinite. The IR says 1 there, and NaN below zero.

use super::replace::{lanes_are, one, replace, splat_float};
use aquatint_ir::types::Scalar;
use aquatint_ir::{Builder, Module, Op, Value};
use aquatint_passes::OpSet;

/// Guards every power. Linear.
pub fn define_powers(module: &mut Module) {
    replace(module, OpSet::of(&[Op::Pow]), |b, _, operands, inst| {
        let &[base, exponent] = operands else { return None };
        let finite_exponent = finite_and_not_zero(b, exponent);
        if finite_exponent {
            return None;
        }
        let data = b.function.insts[inst];
        let plain = b.op(Op::Pow, &[base, exponent]);
        mark_relaxed(b, plain, data.relaxed);
        let (zero, number) = (splat_float(b, exponent, 0.0), splat_float(b, base, 1.0));
        let mut is_one = b.op(Op::FEq, &[exponent, zero]);
        // A known base that is not 1 needs no test.
        if base.as_constant().is_none() {
            let base_is_one = b.op(Op::FEq, &[base, number]);
            is_one = b.op(Op::Or, &[is_one, base_is_one]);
        }
        one(b.select(is_one, number, plain))
    });
}

fn finite_and_not_zero(b: &Builder<'_>, exponent: Value) -> bool {
    let magnitude = match b.lanes_of(exponent).0 {
        Scalar::F16 => (0x7FFF, 0x7C00),
        _ => (0x7FFF_FFFF, 0x7F80_0000),
    };
    lanes_are(b, exponent, |bits| bits & magnitude.0 != 0 && bits & magnitude.0 < magnitude.1)
}

fn mark_relaxed(b: &mut Builder<'_>, value: Value, relaxed: bool) {
    if let Some(inst) = value.as_local().and_then(|local| b.function.def_inst(local)) {
        b.function.insts[inst].relaxed = relaxed;
    }
}
