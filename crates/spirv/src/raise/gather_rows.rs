//! A matrix from its scalars becomes a matrix from its rows: SPIR-V has only that.

use super::replace::{one, replace};
use aquatint_ir::types::{self, Type};
use aquatint_ir::{Module, Op, Value};
use aquatint_passes::{Changed, OpSet};
use smallvec::SmallVec;

/// Gathers them. Linear.
pub fn gather_rows(module: &mut Module) -> Changed {
    if !module.types.iter_more().any(|(_, ty)| matches!(ty, Type::Matrix { .. })) {
        return Changed::No;
    }
    replace(module, OpSet::of(&[Op::Construct]), |b, _, operands, inst| {
        let ty = b.function.result(inst).map(|local| b.function.locals[local].ty)?;
        let Type::Matrix { scalar, rows, columns } = b.types.get(ty) else { return None };
        if operands.len() != usize::from(rows) * usize::from(columns) || columns == 1 {
            return None;
        }
        let row = types::vector(scalar, columns);
        let rows: SmallVec<[Value; 4]> =
            operands.chunks(usize::from(columns)).map(|part| b.construct(row, part)).collect();
        one(b.construct(ty, &rows))
    })
}
