//! The passes that turn a module into what the encoder takes, in order.
//!
//! | pass | what for |
//! |---|---|
//! | `drop_unreached` | functions that the entry point does not reach may hold anything |
//! | `inline` | pointers to parts and handles cannot be arguments (logical addressing) |
//! | `split_matrices`, `gather_rows` | products of matrices in our order of operations; a matrix from scalars |
//! | `expand_legacy` | Direct3D 9's arithmetic |
//! | `expand_vector_ops` | [`LOOSE`]: operations whose GLSL.std.450 form leaves open what ours defines |
//! | `define_powers`, `expand_ldexp`, `guard_division`, `define_parts`, `clean_packs` | the same, by passes of our own |
//! | `legalise_bounds` | indices are not checked |
//! | `spill_parts` | dynamic parts of arrays and matrices are read in memory |
//! | `saturate_converts` | conversions to integers are open out of range |
//! | `dce` | what the passes before left unused |
//! | `wrap_globals` | a buffer is a struct, a sample mask an array |

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

use crate::codes::AQ5003;
use aquatint_base::{Diagnostic, Diags};
use aquatint_ir::types::Type;
use aquatint_ir::{FunctionId, Module, Op};
use aquatint_passes::expand_legacy::LEGACY;
use aquatint_passes::{
    Inline, LegaliseBounds, OpSet, Runner, check_ops, dce, expand_legacy, expand_scalar_forms, expand_vector_ops,
    inline, legalise_bounds, split_matrices,
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

/// Of scalars they have no instruction.
const VECTORS_ONLY: OpSet = OpSet::of(&[Op::Dot]);

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

/// Raises a module in place, for one entry function. False, with messages, if a pass broke the module or left an operation
/// that the encoder does not take: bugs, both.
pub fn raise(module: &mut Module, entry: FunctionId, diags: &mut Diags) -> bool {
    // First: what follows need not look at the rest.
    let _ = drop_unreached::drop_unreached(module, entry);
    let by_pointer = passes_pointers(module);
    let mut run = Runner::new(module);
    if by_pointer {
        let _ = run.pass("inline", |m| inline(m, &Inline::all()));
        let _ = run.pass("drop_unreached", |m| drop_unreached::drop_unreached(m, entry));
    }
    let _ = run.pass("split_matrices", split_matrices);
    // After split_matrices, which looks at what constructs matrices.
    let _ = run.pass("gather_rows", gather_rows::gather_rows);
    // After split_matrices, which makes sums of products; before define_powers, as it makes powers.
    let _ = run.pass("expand_legacy", |m| expand_legacy(m, &LEGACY));
    let _ = run.pass("expand_vector_ops", |m| expand_vector_ops(m, &LOOSE));
    let _ = run.pass("expand_scalar_forms", |m| expand_scalar_forms(m, &VECTORS_ONLY));
    let _ = run.pass("define_powers", define_powers::define_powers);
    let _ = run.pass("expand_ldexp", expand_ldexp::expand_ldexp);
    // After expand_ldexp, which divides.
    let _ = run.pass("guard_division", guard_division::guard_division);
    let _ = run.pass("define_parts", define_parts::define_parts);
    let _ = run.pass("clean_packs", clean_packs::clean_packs);
    let _ = run.pass("legalise_bounds", |m| legalise_bounds(m, &LegaliseBounds::ALL));
    // After legalise_bounds, which makes their indices safe.
    let _ = run.pass("spill_parts", spill_parts::spill_parts);
    let _ = run.pass("saturate_converts", saturate_converts::saturate_converts);
    let _ = run.pass("dce", dce);
    let failed = run.failed();
    let (_, found) = run.finish();
    diags.append(found);
    if failed {
        return false;
    }
    // Last, as it leaves types that only this target has: the verifier would refuse a sample mask that is an array.
    wrap_globals::wrap_globals(module);
    match check_ops(module, &ENCODES) {
        Ok(()) => true,
        Err(left) => {
            diags.push(Diagnostic::error(&AQ5003, left.to_string()));
            false
        }
    }
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
