//! What an entry point reaches: functions, and the globals that each needs itself or through its callees (sheet D2.2).

use crate::order::Order;
use aquatint_base::{HashMap, HashSet};
use aquatint_ir::walk::Step;
use aquatint_ir::{Attr, EntryPoint, Function, FunctionId, GlobalId, Module, Op, ValueKind};

/// What an entry point reaches.
#[derive(Debug)]
pub(crate) struct Reach {
    /// The entry point.
    pub entry: EntryPoint,
    /// Functions, callees first; the entry's is the last.
    pub functions: Vec<FunctionId>,
    /// For each of `functions` the globals that it needs, in declaration order.
    pub needs: Vec<Vec<GlobalId>>,
    /// For each of `functions` its instructions in order.
    pub orders: Vec<Order>,
    /// The position in `functions` of each function reached.
    positions: HashMap<FunctionId, usize>,
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
        self.positions.get(&function).copied()
    }
}

/// Computes it. Linear in the size of the functions reached, and in globals times functions. Recursion, which no
/// verified module has, is cut where it closes.
pub(crate) fn reach(module: &Module, entry: &EntryPoint) -> Reach {
    let mut result = Reach {
        entry: entry.clone(),
        functions: Vec::new(),
        needs: Vec::new(),
        orders: Vec::new(),
        positions: HashMap::default(),
    };
    let mut seen = HashSet::default();
    // An explicit stack: a function is finished when it comes up for the second time.
    let mut stack = vec![(entry.function, false)];
    let mut own: HashMap<FunctionId, (Vec<bool>, Vec<FunctionId>, Order)> = HashMap::default();
    while let Some((id, finished)) = stack.pop() {
        if finished {
            let Some((mut used, callees, order)) = own.remove(&id) else { continue };
            for callee in callees {
                if let Some(&index) = result.positions.get(&callee) {
                    for global in &result.needs[index] {
                        used[global.index()] = true;
                    }
                }
            }
            result.positions.insert(id, result.functions.len());
            result.functions.push(id);
            result.orders.push(order);
            result.needs.push(module.globals.ids().filter(|g| used[g.index()]).collect());
        } else if seen.insert(id) {
            let Some(function) = module.functions.get(id) else { continue };
            let order = Order::new(function);
            let (used, callees) = uses(module, function, &order);
            stack.push((id, true));
            stack.extend(callees.iter().rev().map(|&callee| (callee, false)));
            own.insert(id, (used, callees, order));
        }
    }
    result
}

fn uses(module: &Module, function: &Function, order: &Order) -> (Vec<bool>, Vec<FunctionId>) {
    let mut used = vec![false; module.globals.len()];
    let mut callees = Vec::new();
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
    (used, callees)
}
