//! Empties the functions that the entry point does not reach: what they hold need not be expressible.

use aquatint_ir::{Builder, Function, FunctionId, Module, Op, types};

/// Empties them. Linear.
pub fn drop_unreached(module: &mut Module, entry: FunctionId) {
    if module.functions.len() == 1 {
        return;
    }
    let mut keep = vec![false; module.functions.len()];
    for function in crate::check::reached(module, entry) {
        keep[function.index()] = true;
    }
    let functions: Vec<FunctionId> = module.functions.ids().collect();
    for id in functions.into_iter().filter(|id| !keep[id.index()]) {
        module.functions[id] = Function::new(module.functions[id].name, types::VOID);
        Builder::edit(module, id, |b| b.terminate(Op::Return, &[]));
    }
}
