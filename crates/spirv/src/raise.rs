//! The passes that turn a module into what the encoder takes, in order.
//!
//! | pass | what for |
//! |---|---|
//! | `drop_unreached` | functions that the entry point does not reach may hold anything |
//! | `inline` | pointers to parts and handles cannot be arguments (logical addressing) |
//! | `wrap_globals` | a buffer is a struct, a sample mask an array |
//! | `split_matrices`, `gather_rows` | products of matrices in our order of operations; a matrix from scalars |
//! | `expand_legacy` | Direct3D 9's arithmetic |
//! | `expand_vector_ops` | [`LOOSE`]: operations whose GLSL.std.450 form leaves open what ours defines |
//! | `define_powers`, `guard_division`, `expand_ldexp`, `define_parts`, `clean_packs` | the same, by passes of our own |
//! | `legalise_bounds` | indices are not checked |
//! | `spill_parts` | dynamic parts of arrays and matrices are read in memory |
//! | `saturate_converts` | conversions to integers are open out of range |
//! | `dce` | what the passes before left unused |

mod clean_packs;
mod define_parts;
mod define_powers;
mod drop_unreached;
mod expand_ldexp;
mod gather_rows;
mod guard_division;
mod replace;
mod saturate_converts;
mod spill_parts;
mod wrap_globals;

use aquatint_ir::types::Type;
use aquatint_ir::{FunctionId, Module, Op};
use aquatint_passes::expand_legacy::LEGACY;
use aquatint_passes::{
    Inline, LegaliseBounds, OpSet, dce, expand_legacy, expand_vector_ops, inline, legalise_bounds, split_matrices,
};

/// Compound operations that are expanded, since GLSL.std.450 says less of them than the IR does: `FSign` and `Step` of NaN,
/// `SmoothStep` of crossed edges, clamps with crossed bounds, bit fields that reach past the end; and `Mix`, whose
/// formula is another one.
pub const LOOSE: OpSet = OpSet::of(&[
    Op::FSign,
    Op::Step,
    Op::Smoothstep,
    Op::Fract,
    Op::Mix,
    Op::FClamp,
    Op::Rcp,
    Op::IClamp,
    Op::IsFinite,
    Op::BitsExtract,
    Op::BitsInsert,
]);

/// Operations on matrices: rows are added, multiplied and so on.
const MATRIX: OpSet = OpSet::of(&[Op::Transpose, Op::Determinant, Op::MulMv, Op::MulVm, Op::MulMm]);

/// What [`crate::check`] refuses.
pub const REFUSED: OpSet =
    OpSet::of(&[Op::WaveOp, Op::QuadOp, Op::CounterAdd, Op::LoadBytes, Op::StoreBytes, Op::Msad4, Op::ImageAtomic]);

/// What the encoder encodes.
pub const ENCODES: OpSet = OpSet::ALL
    .without(LEGACY)
    .without(LOOSE)
    .without(MATRIX)
    .without(REFUSED)
    .without(OpSet::of(&[Op::Ldexp, Op::Pow, Op::Modf]));

/// Raises a module in place, for one entry function.
pub fn raise(module: &mut Module, entry: FunctionId) {
    // First: what follows need not look at the rest.
    drop_unreached::drop_unreached(module, entry);
    if passes_pointers(module) {
        let _ = inline(module, &Inline::all());
        drop_unreached::drop_unreached(module, entry);
    }
    // Before legalise_bounds, which asks for lengths of runtime arrays by their path.
    wrap_globals::wrap_globals(module);
    let _ = split_matrices(module);
    // After split_matrices, which looks at what constructs matrices.
    gather_rows::gather_rows(module);
    // After split_matrices, which makes sums of products; before define_powers, as it makes powers.
    let _ = expand_legacy(module, &LEGACY);
    let _ = expand_vector_ops(module, &LOOSE);
    define_powers::define_powers(module);
    guard_division::guard_division(module);
    expand_ldexp::expand_ldexp(module);
    define_parts::define_parts(module);
    clean_packs::clean_packs(module);
    let _ = legalise_bounds(module, &LegaliseBounds::ALL);
    // After legalise_bounds, which makes their indices safe.
    spill_parts::spill_parts(module);
    saturate_converts::saturate_converts(module);
    let _ = dce(module);
}

/// Whether a function takes a pointer or a handle.
fn passes_pointers(module: &Module) -> bool {
    module.functions.iter().any(|(_, function)| {
        function.params(function.body).any(|param| {
            let ty = function.locals[param].ty;
            matches!(module.types.get(ty), Type::Pointer { .. }) || module.types.is_handle(ty)
        })
    })
}
