//! The passes as data, and the default pipeline.

use crate::{
    Changed, Inline, LegaliseBounds, OpSet, Runner, Unroll, combine_shuffles, cse, dce, expand_legacy,
    expand_vector_ops, fold, inline, legalise_bounds, mem2reg, simplify_branches, split_aggregates, split_matrices,
    unroll,
};
use aquatint_ir::{Module, Op};

/// A pass with its default options.
#[derive(Clone, Copy)]
pub struct PassEntry {
    /// Its name, also that of its file, its case file and its function.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// The operations without one of which it has nothing to do.
    pub needs: OpSet,
    /// Runs it.
    pub run: fn(&mut Module) -> Changed,
}

impl std::fmt::Debug for PassEntry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// All passes that run on any module, by name; with options, those that do the most.
pub static PASSES: &[PassEntry] = &[
    PassEntry {
        name: "inline",
        about: "puts bodies of functions where they are called",
        needs: OpSet::of(&[Op::Call]),
        run: |m| inline(m, &Inline::all()),
    },
    PassEntry {
        name: "split_aggregates",
        about: "splits local structs and arrays",
        needs: OpSet::of(&[Op::Var]),
        run: split_aggregates,
    },
    PassEntry {
        name: "mem2reg",
        about: "turns local variables into values",
        needs: OpSet::of(&[Op::Var]),
        run: mem2reg,
    },
    PassEntry { name: "fold", about: "computes constants, simplifies arithmetic", needs: OpSet::ALL, run: fold },
    PassEntry { name: "combine_shuffles", about: "shortens moves of lanes", needs: MOVES, run: combine_shuffles },
    PassEntry {
        name: "simplify_branches",
        about: "decides and merges branches",
        needs: BRANCHES,
        run: simplify_branches,
    },
    PassEntry {
        name: "unroll",
        about: "unrolls loops of known trips",
        needs: OpSet::of(&[Op::Loop]),
        run: |m| unroll(m, &Unroll::default()),
    },
    PassEntry { name: "cse", about: "computes equal things once", needs: OpSet::ALL, run: cse },
    PassEntry { name: "dce", about: "removes what nothing needs", needs: OpSet::ALL, run: dce },
    PassEntry {
        name: "expand_legacy",
        about: "expands Direct3D 9 arithmetic",
        needs: crate::expand_legacy::LEGACY,
        run: |m| expand_legacy(m, &crate::expand_legacy::LEGACY),
    },
    PassEntry {
        name: "expand_vector_ops",
        about: "expands compound operations",
        needs: crate::expand_vector_ops::COMPOUND,
        run: |m| expand_vector_ops(m, &crate::expand_vector_ops::COMPOUND),
    },
    PassEntry {
        name: "split_matrices",
        about: "splits matrix arithmetic into rows",
        needs: OpSet::ALL,
        run: split_matrices,
    },
    PassEntry {
        name: "legalise_bounds",
        about: "guards dynamic indices",
        needs: crate::legalise_bounds::CONCERNED,
        run: |m| legalise_bounds(m, &LegaliseBounds::ALL),
    },
];

/// The pass of that name.
pub fn find(name: &str) -> Option<&'static PassEntry> {
    PASSES.iter().find(|entry| entry.name == name)
}

/// How much is optimised.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Level {
    /// Nothing.
    None,
    /// What makes the output short at little cost: [`CLEANING`], [`AGAIN`], [`FINISHING`].
    #[default]
    Default,
}

/// What [`simplify_branches`] decides.
const BRANCHES: OpSet = OpSet::of(&[Op::If, Op::Loop, Op::Switch]);

/// What [`combine_shuffles`] shortens.
const MOVES: OpSet = OpSet::of(&[Op::Construct, Op::Splat, Op::Extract, Op::Insert, Op::Shuffle]);

/// The default pipeline, in order. A pass is left out where the module has nothing that it works on.
pub static CLEANING: &[&str] = &[
    // Before mem2reg, which promotes the parts.
    "split_aggregates",
    // Before everything else: what follows sees values, not memory.
    "mem2reg",
    // Before combine_shuffles, which leaves moves of constants to it.
    "fold",
    "combine_shuffles",
    // After fold, which decides conditions.
    "simplify_branches",
];

/// What runs next, once more while branches fall away, as more is constant then.
pub static AGAIN: &[&str] = &["fold", "simplify_branches"];

/// What runs at the end: dce, as the passes before leave what they replaced; then cse, as of what is left nothing becomes dead by
/// being computed once.
pub static FINISHING: &[&str] = &["dce", "cse"];

/// The most rounds of [`AGAIN`].
const ROUNDS: usize = 2;

/// Runs the pipeline of the level. Linear, as its passes are and the rounds are few.
pub fn optimise(level: Level, run: &mut Runner<'_>) -> Changed {
    let mut changed = Changed::No;
    if level == Level::None {
        return changed;
    }
    let mut used = OpSet::NONE;
    for (_, function) in run.module().functions.iter() {
        used = used.with(OpSet::at_most(function));
    }
    // Promoted lanes of variables become moves. Otherwise no pass brings in what a later one needs.
    if used.has(Op::Var) {
        used = used.with(MOVES);
    }
    // Whether the last pass of the list changed anything.
    let mut all = |list: &[&str]| {
        let mut last = Changed::No;
        for &name in list {
            let Some(entry) = find(name).filter(|entry| entry.needs.meets(used)) else { continue };
            last = run.pass(entry.name, entry.run);
            changed |= last;
        }
        last
    };
    let mut branches = all(CLEANING).yes() && used.meets(BRANCHES);
    for _ in 0..ROUNDS {
        if !branches {
            break;
        }
        branches = all(AGAIN).yes();
    }
    let _ = all(FINISHING);
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_name_passes_that_exist() {
        for name in CLEANING.iter().chain(AGAIN).chain(FINISHING) {
            assert!(find(name).is_some(), "{name}");
        }
    }
}
