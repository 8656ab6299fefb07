//! Makes moves of lanes short: shuffles of shuffles, parts of vectors that were just built, vectors built from the lanes of
//! one vector, inserts that cover each other.
//!
//! Each instruction is looked at once, after its operands were made short, so a look back of a few steps finds where a
//! lane comes from. No value is computed, so precision does not matter. Linear.

use crate::Changed;
use crate::rewrite::{Replacements, Tables, become_op, each_function, rename};
use aquatint_ir::types::{self, Scalar, Type};
use aquatint_ir::{Attr, Function, InstId, Lanes, LocalId, Module, Op, RegionId, Value};
use smallvec::SmallVec;
use std::mem;

/// Shortens chains of operations that only move lanes or parts.
pub fn combine_shuffles(module: &mut Module) -> Changed {
    each_function(module, |tables, function| {
        let mut state = State { tables, replace: Replacements::lazy(), changed: false };
        state.region(function, function.body);
        state.changed
    })
}

/// How far a look back goes: chains are short once they were made short.
const STEPS: usize = 8;

/// A lane of a value; lane 0 of a scalar is the scalar.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Origin {
    value: Value,
    lane: u8,
}

struct State<'a, 'm> {
    tables: &'a mut Tables<'m>,
    replace: Replacements,
    changed: bool,
}

impl State<'_, '_> {
    fn region(&mut self, function: &mut Function, region: RegionId) {
        let mut insts = mem::take(&mut function.regions[region].insts);
        let mut kept = 0;
        for index in 0..insts.len() {
            let inst = insts[index];
            self.replace.rewrite(function, inst);
            let data = function.insts[inst];
            let value = match data.op {
                Op::Shuffle | Op::Construct | Op::Splat | Op::Extract | Op::Insert => self.visit(function, inst),
                _ => None,
            };
            if let Some(value) = value {
                let local = LocalId::new(data.results.start as usize);
                self.replace.set(local, value);
                rename(function, local, value);
                self.changed = true;
                continue;
            }
            for owned in data.regions.range() {
                self.region(function, function.owned[owned]);
            }
            insts[kept] = inst;
            kept += 1;
        }
        insts.truncate(kept);
        function.regions[region].insts = insts;
    }

    fn lanes_of(&self, function: &Function, value: Value) -> Option<(Scalar, u8)> {
        types::lanes_of(self.tables.type_of(function, value))
    }

    /// The value that the result equals, or `None` after the instruction was rewritten in place or left alone.
    fn visit(&mut self, function: &mut Function, inst: InstId) -> Option<Value> {
        let data = function.insts[inst];
        let ty = function.locals.get(LocalId::new(data.results.start as usize))?.ty;
        let Some((_, count)) = types::lanes_of(ty) else { return self.part(function, inst) };
        if data.op == Op::Extract {
            let &[from] = function.operands(inst) else { return None };
            // A row, element or member that happens to be a vector or scalar.
            if self.lanes_of(function, from).is_none() {
                return self.part(function, inst);
            }
        }
        let mut origins: SmallVec<[Origin; 4]> = SmallVec::new();
        for lane in 0..count {
            origins.push(self.origin_in(function, inst, lane)?);
        }
        let first = *origins.first()?;
        let (_, from_count) = self.lanes_of(function, first.value)?;
        if origins.iter().all(|o| o.value == first.value) {
            return self.one_source(function, inst, first.value, from_count, &origins);
        }
        match data.op {
            Op::Construct => self.construct(function, inst, &origins),
            Op::Insert => self.insert(function, inst, &origins),
            Op::Shuffle => {
                if let Some(scalars) = self.scalars(function, &origins) {
                    self.become_op(function, inst, Op::Construct, Attr::None, &scalars);
                }
                None
            }
            // A look through would make it longer.
            _ => None,
        }
    }

    /// All lanes come from one value.
    fn one_source(
        &mut self,
        function: &mut Function,
        inst: InstId,
        from: Value,
        from_count: u8,
        origins: &[Origin],
    ) -> Option<Value> {
        let count = origins.len() as u8;
        if let Some(constant) = from.as_constant() {
            let (kind, _) = self.lanes_of(function, from)?;
            let constants = &mut *self.tables.constants;
            let bits: Option<SmallVec<[u64; 4]>> =
                origins.iter().map(|o| constants.get(constant)?.lane(usize::from(o.lane))).collect();
            return Some(Value::constant(constants.vector(kind, &bits?)));
        }
        if count == from_count && origins.iter().enumerate().all(|(i, o)| usize::from(o.lane) == i) {
            return Some(from);
        }
        let (op, attr) = match (from_count, count) {
            (1, _) => (Op::Splat, Attr::None),
            (_, 1) => (Op::Extract, Attr::Index(u32::from(origins[0].lane))),
            _ => {
                let mut lanes = [0; 4];
                for (lane, origin) in lanes.iter_mut().zip(origins) {
                    *lane = origin.lane;
                }
                (Op::Shuffle, Attr::Lanes(Lanes::new(&lanes[..origins.len()])))
            }
        };
        self.become_op(function, inst, op, attr, &[from]);
        None
    }

    fn become_op(&mut self, function: &mut Function, inst: InstId, op: Op, attr: Attr, operands: &[Value]) {
        self.changed |= become_op(function, inst, op, attr, operands);
    }

    /// Lanes of several values: whole vectors stay together, other parts are scalars or stay as they are.
    fn construct(&mut self, function: &mut Function, inst: InstId, origins: &[Origin]) -> Option<Value> {
        let mut parts: SmallVec<[Value; 4]> = SmallVec::new();
        let mut lane = 0;
        // The operand that the construct has for each lane now, and that operand's first lane.
        let mut operands: SmallVec<[(Value, usize, usize); 4]> = SmallVec::new();
        for &operand in function.operands(inst) {
            let (_, width) = self.lanes_of(function, operand)?;
            operands.push((operand, lane, usize::from(width)));
            lane += usize::from(width);
        }
        lane = 0;
        while let Some(&origin) = origins.get(lane) {
            let (_, width) = self.lanes_of(function, origin.value)?;
            let width = usize::from(width);
            let whole = origins.get(lane..lane + width).is_some_and(|lanes| {
                lanes.iter().enumerate().all(|(i, o)| o.value == origin.value && usize::from(o.lane) == i)
            });
            if whole {
                parts.push(origin.value);
                lane += width;
                continue;
            }
            // No shorter way: the operand as it is, if this lane is its first.
            let &(operand, _, width) = operands.iter().find(|&&(_, first, _)| first == lane)?;
            parts.push(operand);
            lane += width;
        }
        if lane != origins.len() {
            return None;
        }
        self.become_op(function, inst, Op::Construct, Attr::None, &parts);
        None
    }

    /// The values that the lanes come from, if all of them are scalars.
    fn scalars(&self, function: &Function, origins: &[Origin]) -> Option<SmallVec<[Value; 4]>> {
        let scalar = |o: &Origin| self.lanes_of(function, o.value).filter(|&(_, lanes)| lanes == 1).map(|_| o.value);
        origins.iter().map(scalar).collect()
    }

    /// An insert into a vector: none of its lanes may be left, or the one before it may be covered.
    fn insert(&mut self, function: &mut Function, inst: InstId, origins: &[Origin]) -> Option<Value> {
        if let Some(scalars) = self.scalars(function, origins) {
            self.become_op(function, inst, Op::Construct, Attr::None, &scalars);
            return None;
        }
        let (&[into, part], attr) = (function.operands(inst), function.insts[inst].attr) else { return None };
        if let Some((Op::Insert, before_attr, &[first, _])) = def(function, into)
            && before_attr == attr
        {
            self.become_op(function, inst, Op::Insert, attr, &[first, part]);
        }
        None
    }

    /// `extract` of a part that is no lane, or `construct` of something that is no vector.
    fn part(&mut self, function: &mut Function, inst: InstId) -> Option<Value> {
        let data = function.insts[inst];
        match (data.op, data.attr) {
            (Op::Extract, Attr::Index(index)) => {
                let &[mut from] = function.operands(inst) else { return None };
                for _ in 0..STEPS {
                    match def(function, from) {
                        Some((Op::Construct, _, parts)) => {
                            return parts.get(index as usize).copied().filter(|&part| {
                                self.tables.type_of(function, part)
                                    == function.locals[LocalId::new(data.results.start as usize)].ty
                            });
                        }
                        Some((Op::Insert, Attr::Index(at), &[into, part])) => {
                            if at == index {
                                return Some(part);
                            }
                            from = into;
                        }
                        _ => break,
                    }
                }
                self.become_op(function, inst, Op::Extract, data.attr, &[from]);
                None
            }
            (Op::Construct, _) => {
                // All parts of one value in order are that value.
                let operands = function.operands(inst);
                let mut whole = None;
                for (i, &operand) in operands.iter().enumerate() {
                    match def(function, operand) {
                        Some((Op::Extract, Attr::Index(index), &[from]))
                            if index as usize == i && whole.is_none_or(|w| w == from) =>
                        {
                            whole = Some(from);
                        }
                        _ => return None,
                    }
                }
                let ty = function.locals[LocalId::new(data.results.start as usize)].ty;
                let parts = match self.tables.types.get(ty) {
                    Type::Matrix { rows, .. } => usize::from(rows),
                    Type::Array { length, .. } => length? as usize,
                    Type::Struct(id) => self.tables.types.structs.get(id)?.members.len(),
                    _ => return None,
                };
                whole.filter(|&w| parts == operands.len() && self.tables.type_of(function, w) == ty)
            }
            _ => None,
        }
    }

    /// Where a lane of the result of `inst` comes from.
    fn origin_in(&self, function: &Function, inst: InstId, lane: u8) -> Option<Origin> {
        let data = &function.insts[inst];
        let step = self.step(function, data.op, data.attr, function.operands(inst), lane)?;
        Some(self.origin(function, step))
    }

    /// Follows a lane back through moves.
    fn origin(&self, function: &Function, mut at: Origin) -> Origin {
        for _ in 0..STEPS {
            let Some((op, attr, operands)) = def(function, at.value) else { break };
            match self.step(function, op, attr, operands, at.lane) {
                Some(next) => at = next,
                None => break,
            }
        }
        at
    }

    /// One step back through a move; `None` for other operations.
    fn step(&self, function: &Function, op: Op, attr: Attr, operands: &[Value], lane: u8) -> Option<Origin> {
        match (op, attr, operands) {
            (Op::Shuffle, Attr::Lanes(lanes), &[value]) => {
                Some(Origin { value, lane: *lanes.as_slice().get(usize::from(lane))? })
            }
            (Op::Splat, _, &[value]) => Some(Origin { value, lane: 0 }),
            (Op::Extract, Attr::Index(index), &[value]) => {
                let (_, count) = self.lanes_of(function, value)?;
                (index < u32::from(count)).then_some(Origin { value, lane: index as u8 })
            }
            (Op::Insert, Attr::Index(index), &[into, part]) => {
                self.lanes_of(function, into)?;
                let value = if index == u32::from(lane) {
                    Origin { value: part, lane: 0 }
                } else {
                    Origin { value: into, lane }
                };
                Some(value)
            }
            (Op::Construct, _, parts) => {
                let mut first = 0;
                for &value in parts {
                    let (_, width) = self.lanes_of(function, value)?;
                    if lane < first + width {
                        return Some(Origin { value, lane: lane - first });
                    }
                    first += width;
                }
                None
            }
            _ => None,
        }
    }
}

/// The instruction that defines a value, if one does.
fn def(function: &Function, value: Value) -> Option<(Op, Attr, &[Value])> {
    let inst = function.def_inst(value.as_local()?)?;
    let data = &function.insts[inst];
    Some((data.op, data.attr, &function.operands[data.operands.range()]))
}
