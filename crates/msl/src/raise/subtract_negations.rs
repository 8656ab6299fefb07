//! `a + -b` becomes `a - b`: the same number, and what a person writes.

use aquatint_ir::{Function, LocalId, Op};

/// Rewrites `fadd` of an `fneg`. The sum keeps its flags; the negation is dropped when nothing else uses it.
pub(crate) fn subtract_negations(function: &mut Function) {
    for id in function.insts.ids() {
        if function.insts[id].op != Op::FAdd {
            continue;
        }
        let &[a, b] = function.operands(id) else { continue };
        let negated = |local: Option<LocalId>| {
            let inst = function.def_inst(local?)?;
            (function.insts[inst].op == Op::FNeg).then(|| function.operands(inst).first().copied()).flatten()
        };
        let (from, what) = match (negated(a.as_local()), negated(b.as_local())) {
            (_, Some(b)) => (a, b),
            (Some(a), None) => (b, a),
            (None, None) => continue,
        };
        function.insts[id].op = Op::FSub;
        function.operands_mut(id).copy_from_slice(&[from, what]);
    }
}
