//! GLSL.std.450's `Pow` is open for a base below zero and for 0 to the 0 and below, and devices differ: Mesa's CPU driver gives
//! 0 for 0 to a negative power and for a NaN. exp2(y * log2(x)), to which Vulkan ties the precision of `Pow`, is right there;
//! wrong are only 0 to the 0, NaN to the 0 and 1 to the infinite, where the IR says 1.
//!
//! (Of minus zero to a negative odd power the sign is lost.)

use super::replace::{lanes_are, one, replace, splat_float};
use aquatint_ir::types::Scalar;
use aquatint_ir::{Builder, Module, Op, Value};
use aquatint_passes::{Changed, OpSet};

/// Expands every power. Linear.
pub fn define_powers(module: &mut Module) -> Changed {
    replace(module, OpSet::of(&[Op::Pow]), |b, _, operands, inst| {
        let &[base, exponent] = operands else { return None };
        let relaxed = b.function.insts[inst].relaxed;
        let logarithm = step(b, Op::Log2, &[base], relaxed);
        // Precise, or Mesa's optimiser makes a power of it again.
        let precise = b.set_precise(true);
        let product = step(b, Op::FMul, &[exponent, logarithm], relaxed);
        b.set_precise(precise);
        let power = step(b, Op::Exp2, &[product], relaxed);
        let (magnitude, infinity) = match b.lanes_of(exponent).0 {
            Scalar::F16 => (0x7FFF, 0x7C00),
            _ => (0x7FFF_FFFF, 0x7F80_0000),
        };
        // The common case, a known exponent that is finite and not 0, needs no test.
        if lanes_are(b, exponent, |bits| bits & magnitude != 0 && bits & magnitude < infinity) {
            return one(power);
        }
        let (zero, number) = (splat_float(b, exponent, 0.0), splat_float(b, base, 1.0));
        let mut is_one = b.op(Op::FEq, &[exponent, zero]);
        let number_bits = if magnitude == 0x7FFF { 0x3C00 } else { 0x3F80_0000 };
        // A known base that is not 1 needs no test.
        if !lanes_are(b, base, |bits| bits != number_bits) {
            let base_is_one = b.op(Op::FEq, &[base, number]);
            is_one = b.op(Op::Or, &[is_one, base_is_one]);
        }
        one(b.select(is_one, number, power))
    })
}

fn step(b: &mut Builder<'_>, op: Op, operands: &[Value], relaxed: bool) -> Value {
    let value = b.op(op, operands);
    if let Some(inst) = value.as_local().and_then(|local| b.function.def_inst(local)) {
        b.function.insts[inst].relaxed = relaxed;
    }
    value
}
