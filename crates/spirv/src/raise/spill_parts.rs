//! Dynamic parts of arrays and matrices: SPIR-V reads those only in memory, so they are put there.

use super::replace::{one, replace};
use aquatint_ir::{Module, Op, types};
use aquatint_passes::{Changed, OpSet};

/// Spills them. Linear, but each spill copies the whole.
pub fn spill_parts(module: &mut Module) -> Changed {
    replace(module, OpSet::of(&[Op::ExtractDyn, Op::InsertDyn]), |b, op, operands, _| {
        let whole = *operands.first()?;
        let ty = b.type_of(whole);
        if types::lanes_of(ty).is_some() {
            return None;
        }
        let place = b.var(ty);
        b.store(place, whole);
        let part = b.access(place, *operands.last()?);
        if op == Op::ExtractDyn {
            return one(b.load(part));
        }
        b.store(part, operands[1]);
        one(b.load(place))
    })
}
