//! Finding and rewriting the stores of a stage's outputs. A reader stores each output once at each end of the entry
//! function, so the driver's work goes in front of those stores.

use aquatint_ir::types::Space;
use aquatint_ir::{Builder, Builtin, FunctionId, Global, GlobalId, Module, Op, Value};

/// Runs `rewrite` before every store to `global` in the entry functions; what it returns is stored instead.
pub fn before_stores(module: &mut Module, global: GlobalId, mut rewrite: impl FnMut(&mut Builder<'_>, Value) -> Value) {
    let functions: Vec<FunctionId> = module.functions.ids().collect();
    for function in functions {
        Builder::edit(module, function, |b| {
            let regions: Vec<_> = b.function.regions.ids().collect();
            for region in regions {
                let has_store = b.function.regions[region].insts.iter().any(|&i| is_store(b, i, global));
                if !has_store {
                    continue;
                }
                let insts = std::mem::take(&mut b.function.regions[region].insts);
                b.enter(region);
                for inst in insts {
                    if is_store(b, inst, global) {
                        b.span_of(inst);
                        let value = b.function.operands(inst)[1];
                        let replaced = rewrite(b, value);
                        b.function.operands_mut(inst)[1] = replaced;
                    }
                    b.function.regions[region].insts.push(inst);
                }
            }
        });
    }
}

fn is_store(b: &Builder<'_>, inst: aquatint_ir::InstId, global: GlobalId) -> bool {
    b.function.insts[inst].op == Op::Store
        && b.function.operands(inst).first().and_then(|v| v.as_global()) == Some(global)
}

/// Runs `add` before every `return` of the entry functions.
pub fn before_returns(module: &mut Module, mut add: impl FnMut(&mut Builder<'_>)) {
    let functions: Vec<FunctionId> = module.entry_points.iter().map(|e| e.function).collect();
    for function in functions {
        Builder::edit(module, function, |b| {
            let regions: Vec<_> = b.function.regions.ids().collect();
            for region in regions {
                let last = b.function.regions[region].insts.last().copied();
                if let Some(last) = last.filter(|&i| b.function.insts[i].op == Op::Return) {
                    b.function.regions[region].insts.pop();
                    b.enter(region);
                    b.span_of(last);
                    add(b);
                    b.function.regions[region].insts.push(last);
                }
            }
        });
    }
}

/// The colour output of a target.
pub fn color_target(module: &Module, target: u32) -> Option<GlobalId> {
    find(module, Space::Output, |g| g.io().is_some_and(|io| io.location == Some(target) && io.blend_index == 0))
}

/// The output or input with a usage.
pub fn by_usage(module: &Module, space: Space, usage: &str, index: u32) -> Option<GlobalId> {
    let name = module.names.find(usage)?;
    find(module, space, |g| g.io().and_then(|io| io.usage).is_some_and(|u| u.name == name && u.index == index))
}

/// The built-in output or input.
pub fn built_in(module: &Module, space: Space, builtin: Builtin) -> Option<GlobalId> {
    module.find_builtin(builtin, space)
}

fn find(module: &Module, space: Space, matches: impl Fn(&Global) -> bool) -> Option<GlobalId> {
    module.globals.iter().find(|(_, g)| g.space == space && matches(g)).map(|(id, _)| id)
}

/// The pixel stage's driver block, entered if the module has none.
pub fn pixel_extras(module: &mut Module) -> GlobalId {
    with_builder(module, |b| super::extras::find(b).unwrap_or_else(|| super::extras::declare(b)))
}

/// The vertex stage's driver block, entered if the module has none.
pub fn vertex_extras(module: &mut Module) -> GlobalId {
    with_builder(module, |b| super::extras::find(b).unwrap_or_else(|| super::extras::declare_vertex(b)))
}

fn with_builder<R>(module: &mut Module, run: impl FnOnce(&mut Builder<'_>) -> R) -> R {
    let mut scratch = aquatint_ir::Function::new(aquatint_base::Name::EMPTY, aquatint_ir::types::VOID);
    run(&mut Builder::new(module, &mut scratch))
}

/// Loads a member of a uniform block.
pub fn load_member(b: &mut Builder<'_>, block: GlobalId, member: u32) -> Value {
    let index = b.u32(member);
    let place = b.access(Value::global(block), index);
    b.load(place)
}
