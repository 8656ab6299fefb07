//! Integer division: by zero it is open in SPIR-V, as is MIN / -1, and Vulkan leaves remainders of negative numbers open. The
//! IR gives all ones for division by zero, MIN and 0 for MIN / -1, and remainders the sign of the first operand.

use super::replace::{lanes_are, one, replace, splat_bits};
use aquatint_ir::{Module, Op};
use aquatint_passes::{Changed, OpSet};

/// Guards every division. Linear.
pub fn guard_division(module: &mut Module) -> Changed {
    replace(module, OpSet::of(&[Op::IDiv, Op::IRem]), |b, op, operands, _| {
        let &[a, by] = operands else { return None };
        let (kind, _) = b.lanes_of(by);
        let all_ones = u64::MAX >> (64 - kind.bits());
        let harmless = lanes_are(b, by, |bits| bits != 0 && !(kind.is_signed() && bits == all_ones));
        if harmless && (op == Op::IDiv || !kind.is_signed()) {
            return None;
        }
        let (zero, unit, ones) = (splat_bits(b, by, 0), splat_bits(b, by, 1), splat_bits(b, by, all_ones));
        let by_zero = b.op(Op::IEq, &[by, zero]);
        let mut unsafe_ = by_zero;
        if kind.is_signed() {
            let least = splat_bits(b, by, 1 << (kind.bits() - 1));
            let (is_least, is_minus) = (b.op(Op::IEq, &[a, least]), b.op(Op::IEq, &[by, ones]));
            let overflows = b.op(Op::And, &[is_least, is_minus]);
            unsafe_ = b.op(Op::Or, &[by_zero, overflows]);
        }
        // By 1 instead, MIN / -1 comes out right as well: MIN, and a remainder of 0.
        let by = if harmless { by } else { b.select(unsafe_, unit, by) };
        let plain = match (op, kind.is_signed()) {
            (Op::IRem, true) => {
                let quotient = b.op(Op::IDiv, &[a, by]);
                let whole = b.op(Op::IMul, &[quotient, by]);
                b.op(Op::ISub, &[a, whole])
            }
            _ => b.op(op, &[a, by]),
        };
        one(if harmless { plain } else { b.select(by_zero, ones, plain) })
    })
}
