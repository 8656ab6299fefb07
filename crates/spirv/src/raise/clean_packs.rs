//! `pack.snorm` and `pack.unorm` of NaN: GLSL.std.450 clamps, which leaves NaN open; the IR packs 0.

use super::replace::{one, replace, splat_bits};
use aquatint_ir::{Attr, Module, Op, types};
use aquatint_passes::{Changed, OpSet};

/// Makes zeros of NaN lanes. Linear.
pub fn clean_packs(module: &mut Module) -> Changed {
    const PACKS: OpSet = OpSet::of(&[Op::PackSnorm4x8, Op::PackUnorm4x8, Op::PackSnorm2x16, Op::PackUnorm2x16]);
    replace(module, PACKS, |b, op, operands, _| {
        let &[x] = operands else { return None };
        let nan = b.op(Op::IsNan, &[x]);
        let zero = splat_bits(b, x, 0);
        let clean = b.select(nan, zero, x);
        one(b.value(op, Attr::None, &[clean], types::U32))
    })
}
