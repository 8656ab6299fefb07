//! Passes over the intermediate representation, one a file, and the runner that times, prints and checks them.
//!
//! A pass is a function from a module and its options to [`Changed`]. The pipeline is data ([`pipeline`]); the one way to
//! run a pass is [`Runner::pass`]. Each pass is linear in the instructions, or says what else it is bounded by; recursion
//! goes as deep as regions nest, which the verifier bounds (V014). Beside each pass lies its `.case` file: modules before
//! and after it as text.
//!
//! | kind | passes |
//! |---|---|
//! | cleaning, in the default pipeline | [`mem2reg()`], [`split_aggregates()`], [`fold()`], [`combine_shuffles()`], [`simplify_branches()`], [`cse()`], [`dce()`] |
//! | on request | [`inline()`], [`unroll()`] |
//! | expanding what a target lacks | [`expand_legacy()`], [`expand_vector_ops()`], [`split_matrices()`], [`legalise_bounds()`] |
//! | checking | [`check_ops`] |

mod clone;
pub mod combine_shuffles;
pub mod cse;
pub mod dce;
pub mod expand_legacy;
pub mod expand_vector_ops;
pub mod fold;
pub mod inline;
pub mod legalise_bounds;
pub mod mem2reg;
pub mod op_set;
mod paths;
pub mod pipeline;
mod rewrite;
pub mod run;
pub mod simplify_branches;
pub mod split_aggregates;
pub mod split_matrices;
pub mod unroll;

pub use combine_shuffles::combine_shuffles;
pub use cse::cse;
pub use dce::dce;
pub use expand_legacy::expand_legacy;
pub use expand_vector_ops::{expand_scalar_forms, expand_vector_ops};
pub use fold::fold;
pub use inline::{Inline, inline};
pub use legalise_bounds::{LegaliseBounds, legalise_bounds};
pub use mem2reg::mem2reg;
pub use op_set::{NotAllowed, OpSet, check_ops};
pub use pipeline::{Level, PASSES, PassEntry, optimise};
pub use run::Runner;
pub use simplify_branches::simplify_branches;
pub use split_aggregates::split_aggregates;
pub use split_matrices::split_matrices;
pub use unroll::{Unroll, unroll};

/// Whether a pass changed the module.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[must_use]
pub enum Changed {
    /// It is as before.
    #[default]
    No,
    /// It is not.
    Yes,
}

impl Changed {
    /// As a truth value.
    pub const fn yes(self) -> bool {
        matches!(self, Changed::Yes)
    }
}

impl From<bool> for Changed {
    fn from(changed: bool) -> Self {
        if changed { Changed::Yes } else { Changed::No }
    }
}

impl std::ops::BitOr for Changed {
    type Output = Changed;
    fn bitor(self, other: Changed) -> Changed {
        (self.yes() || other.yes()).into()
    }
}

impl std::ops::BitOrAssign for Changed {
    fn bitor_assign(&mut self, other: Changed) {
        *self = *self | other;
    }
}
