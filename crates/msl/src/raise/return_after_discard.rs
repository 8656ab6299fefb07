//! Makes `discard` end the invocation, with what follows it in its region: `discard_fragment(); return …;` (sheet D9.7).

use aquatint_ir::{Function, Op, RegionId};

/// Cuts each region behind its first `discard`, which becomes `terminate`. Whether there was one.
pub(crate) fn return_after_discard(function: &mut Function) -> bool {
    let mut changed = false;
    let regions: Vec<RegionId> = function.regions.ids().collect();
    for region in regions {
        let insts = &function.regions[region].insts;
        let Some(at) = insts.iter().position(|&i| function.insts[i].op == Op::Discard) else { continue };
        let inst = insts[at];
        function.regions[region].insts.truncate(at + 1);
        function.insts[inst].op = Op::Terminate;
        changed = true;
    }
    changed
}
