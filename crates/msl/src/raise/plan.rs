//! Where values go: the decisions that [`super::place_values`] makes and printing follows.

use aquatint_base::{HashMap, HashSet};
use aquatint_ir::{InstId, LocalId};
use smallvec::SmallVec;

/// Where a value goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Place {
    /// Nothing uses it and nothing is lost without it.
    #[default]
    Dead,
    /// A `const`-like local at its definition.
    Named,
    /// In the one expression that uses it.
    Inline,
    /// In each expression that uses it.
    Free,
    /// A path to memory: written out at each use.
    Path,
    /// A parameter of a region or function, or a result of a structured instruction: declared there, assigned elsewhere.
    Variable,
}

/// What to know about a loop.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoopPlan {
    /// Whether the continuing region is written before each `continue`, with its parameters replaced by the operands.
    pub inline_continuing: bool,
    /// For each result where it comes from.
    pub results: SmallVec<[LoopResult; 4]>,
}

/// Where a loop's result comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LoopResult {
    /// No `break` was met.
    Unset,
    /// From this parameter of the body at every `break`: the two share a variable.
    Param(LocalId),
    /// It has a variable of its own.
    Own,
}

/// The decisions about one function.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    pub(super) places: Vec<Place>,
    /// The loops.
    pub loops: HashMap<InstId, LoopPlan>,
    /// Switches with a `break` of an enclosing loop in them: they need a flag.
    pub flagged: HashSet<InstId>,
    /// Whether arithmetic in the function is precise.
    pub precise: bool,
    /// Whether outputs must be zeroed at the start: on some path one is not written whole.
    pub zero_outputs: bool,
    /// Whether whole arrays are copied, so that array variables must be values.
    pub array_values: bool,
}

impl Plan {
    /// Where a value goes.
    #[inline]
    pub fn place(&self, local: LocalId) -> Place {
        self.places[local.index()]
    }
}
