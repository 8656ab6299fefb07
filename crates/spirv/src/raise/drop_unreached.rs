//! Empties the functions that the entry point does not reach: what they hold need not be expressible.

use aquatint_ir::{Builder, Function, FunctionId, Module, Op, types};
use aquatint_passes::Changed;

/// Empties them. Linear.
pub fn drop_unreached(module: &mut Module, entry: FunctionId) -> Changed {
    if module.functions.len() == 1 {
        return Changed::No;
    }
    let mut changed = Changed::No;
    let mut keep = vec![false; module.functions.len()];
    for function in crate::check::reached(module, entry) {
        keep[function.index()] = true;
    }
    let functions: Vec<FunctionId> = module.functions.ids().collect();
    for id in functions.into_iter().filter(|id| !keep[id.index()]) {
        module.functions[id] = Function::new(module.functions[id].name, types::VOID);
        Builder::edit(module, id, |b| b.terminate(Op::Return, &[]));
        changed = Changed::Yes;
    }
    changed
}
