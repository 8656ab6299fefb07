//! What an entry point reaches: functions, and the globals that each needs itself or through its callees (sheet D2.2).

use crate::order::Order;
use aquatint_base::HashSet;
use aquatint_ir::walk::Step;
use aquatint_ir::{Attr, EntryPoint, Function, FunctionId, GlobalId, Module, Op, ValueKind};
use smallvec::SmallVec;

/// One yes or no for each function, global or type; few modules have so many that it takes memory of its own.
pub(crate) type Flags = SmallVec<[bool; 64]>;

/// What an entry point reaches.
#[derive(Debug)]
pub(crate) struct Reach {
    /// The entry point.
    pub entry: EntryPoint,
    /// Functions, callees first; the entry's is the last.
    pub functions: SmallVec<[FunctionId; 4]>,
    /// For each of `functions` the globals that it needs, in declaration order.
    pub needs: SmallVec<[Vec<GlobalId>; 1]>,
    /// For each of `functions` its instructions in order.
    pub orders: SmallVec<[Order; 1]>,
    /// By global: its index as a resource.
    pub indices: Vec<u32>,
    /// By function: the position in `functions`.
    positions: SmallVec<[Option<u32>; 4]>,
}

impl Reach {
    /// The globals that the entry needs.
    pub fn globals(&self) -> &[GlobalId] {
        self.needs.last().map_or(&[], Vec::as_slice)
    }

    /// The globals that a function needs.
    pub fn needs_of(&self, function: FunctionId) -> &[GlobalId] {
        self.position(function).and_then(|i| self.needs.get(i)).map_or(&[], Vec::as_slice)
    }

    /// Where a function stands in the list.
    pub fn position(&self, function: FunctionId) -> Option<usize> {
        self.positions.get(function.index()).copied().flatten().map(|position| position as usize)
    }
}

/// What is found in a function before its callees are known.
struct Found {
    used: Flags,
    callees: SmallVec<[FunctionId; 4]>,
    order: Order,
}

/// Computes it. Linear in the size of the functions reached, and in globals times functions. Recursion, which no
/// verified module has, is cut where it closes.
pub(crate) fn reach(module: &Module, entry: &EntryPoint, indices: Vec<u32>) -> Reach {
    let mut result = Reach {
        entry: entry.clone(),
        functions: SmallVec::new(),
        needs: SmallVec::new(),
        orders: SmallVec::new(),
        indices,
        positions: SmallVec::from_elem(None, module.functions.len()),
    };
    let mut seen = Flags::from_elem(false, module.functions.len());
    // An explicit stack: a function is finished when it comes up for the second time.
    let mut stack: SmallVec<[(FunctionId, Option<Found>); 2]> = SmallVec::new();
    stack.push((entry.function, None));
    while let Some((id, found)) = stack.pop() {
        if let Some(Found { mut used, callees, order }) = found {
            for callee in callees {
                for global in result.needs_of(callee) {
                    used[global.index()] = true;
                }
            }
            result.positions[id.index()] = Some(result.functions.len() as u32);
            result.functions.push(id);
            result.orders.push(order);
            let mut needs = Vec::with_capacity(used.iter().filter(|&&used| used).count());
            needs.extend(module.globals.ids().filter(|g| used[g.index()]));
            result.needs.push(needs);
        } else if let Some(function) = module.functions.get(id)
            && !std::mem::replace(&mut seen[id.index()], true)
        {
            let found = find(module, function);
            let callees = found.callees.clone();
            stack.push((id, Some(found)));
            stack.extend(callees.into_iter().rev().map(|callee| (callee, None)));
        }
    }
    result
}

fn find(module: &Module, function: &Function) -> Found {
    let order = Order::new(function);
    let mut used = Flags::from_elem(false, module.globals.len());
    let mut callees = SmallVec::new();
    let mut seen = HashSet::default();
    for step in order.iter() {
        let Step::Inst(inst) = step else { continue };
        if function.insts[inst].op == Op::Call
            && let Attr::Function(callee) = function.insts[inst].attr
            && seen.insert(callee)
        {
            callees.push(callee);
        }
        for value in function.operands(inst) {
            if let ValueKind::Global(global) = value.kind()
                && let Some(used) = used.get_mut(global.index())
            {
                *used = true;
            }
        }
    }
    Found { used, callees, order }
}
