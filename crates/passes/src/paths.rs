//! Steps of paths that became constants out of range.
//!
//! A dynamic step may be out of range: what is loaded there is zero, what is stored is dropped. A constant step may not
//! (V007). So where a pass puts a constant in the place of a dynamic step, the loads and stores behind a path that now
//! leads nowhere have to become what they mean. Linear; run only where it happened.

use crate::rewrite::Replacements;
use aquatint_base::Arena;
use aquatint_ir::constants::Constants;
use aquatint_ir::module::{Parts, value_type};
use aquatint_ir::types::{Space, Type, Types};
use aquatint_ir::{Attr, Function, Global, InstId, LocalId, Op, RegionId, Value};
use std::mem;

/// Removes what goes through paths with a constant step out of range.
pub(crate) fn settle_paths(
    types: &mut Types,
    constants: &mut Constants,
    globals: &Arena<Global>,
    function: &mut Function,
) {
    let nowhere = vec![false; function.locals.len()];
    let mut state = State { types, constants, globals, nowhere, replace: Replacements::lazy() };
    state.region(function, function.body);
}

struct State<'a> {
    types: &'a mut Types,
    constants: &'a mut Constants,
    globals: &'a Arena<Global>,
    /// By local: pointers that lead nowhere.
    nowhere: Vec<bool>,
    replace: Replacements,
}

impl State<'_> {
    fn region(&mut self, function: &mut Function, region: RegionId) {
        let insts = mem::take(&mut function.regions[region].insts);
        let mut kept = Vec::with_capacity(insts.len());
        for inst in insts {
            self.replace.rewrite(function, inst);
            let first = function.operands(inst).first().copied();
            let leads_nowhere = first.is_some_and(|pointer| self.is_nowhere(pointer));
            let op = function.insts[inst].op;
            match op {
                Op::Access if leads_nowhere || self.is_outside(function, inst) => {
                    self.mark(function, inst);
                    continue;
                }
                Op::Load | Op::Atomic if leads_nowhere => {
                    if let Some(result) = function.result(inst) {
                        let zero = self.constants.zero(function.locals[result].ty);
                        self.replace.set(result, Value::constant(zero));
                    }
                    continue;
                }
                Op::Store if leads_nowhere => continue,
                Op::Call => self.arguments(function, inst, &mut kept),
                _ => {}
            }
            kept.push(inst);
            for owned in function.insts[inst].regions.range() {
                self.region(function, function.owned[owned]);
            }
        }
        function.regions[region].insts = kept;
    }

    fn is_nowhere(&self, pointer: Value) -> bool {
        pointer.as_local().is_some_and(|local| self.nowhere.get(local.index()) == Some(&true))
    }

    fn mark(&mut self, function: &Function, inst: InstId) {
        if let Some(slot) = function.result(inst).and_then(|result| self.nowhere.get_mut(result.index())) {
            *slot = true;
        }
    }

    /// Whether a constant step is out of range. One into an array of handles, which there is no zero of, becomes 0.
    fn is_outside(&mut self, function: &mut Function, inst: InstId) -> bool {
        let parts = Parts { constants: self.constants, globals: self.globals };
        let range = function.insts[inst].operands.range();
        let Some(&base) = function.operands.get(range.start).filter(|_| !range.is_empty()) else { return false };
        let base_type = value_type(parts, function, base);
        let (mut at, handles) = match self.types.get(base_type) {
            Type::Pointer { pointee, .. } => (pointee, false),
            _ => (base_type, true),
        };
        for place in range.start + 1..range.end {
            let constant = function.operands[place].as_constant().and_then(|id| self.constants.get(id));
            let (kind, index) = match constant {
                Some(constant) => (aquatint_ir::types::lanes_of(constant.ty), constant.lane(0).unwrap_or(0) as u32),
                None => (None, 0),
            };
            at = match (self.types.step(at, index), self.types.step(at, 0)) {
                (Some(part), _) => part,
                (None, Some(first)) if handles => {
                    let kind = kind.map_or(aquatint_ir::Scalar::U32, |(kind, _)| kind);
                    function.operands[place] = Value::constant(self.constants.scalar(kind, 0));
                    first
                }
                _ => return true,
            };
        }
        false
    }

    /// A call needs some pointer: a new variable is zero, and nobody else sees what is stored there.
    fn arguments(&mut self, function: &mut Function, inst: InstId, kept: &mut Vec<InstId>) {
        for place in function.insts[inst].operands.range() {
            let pointer = function.operands[place];
            if !self.is_nowhere(pointer) {
                continue;
            }
            let Some(local) = pointer.as_local() else { continue };
            let ty = function.locals[local].ty;
            if !matches!(self.types.get(ty), Type::Pointer { space: Space::Function, .. }) {
                continue;
            }
            let var = InstId::new(function.insts.len());
            let result = function.locals.push(aquatint_ir::Local { ty, def: aquatint_ir::Def::Result(var, 0) });
            let results = aquatint_ir::function::Slice { start: LocalId::index(result) as u32, len: 1 };
            let call = function.insts[inst];
            let none = Default::default();
            function.insts.push(aquatint_ir::Inst {
                op: Op::Var,
                attr: Attr::None,
                operands: none,
                results,
                regions: none,
                ..call
            });
            function.operands[place] = Value::local(result);
            kept.push(var);
        }
    }
}
