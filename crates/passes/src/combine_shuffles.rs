//! Makes moves of lanes short: shuffles of shuffles, parts of vectors that were just built, vectors built from the lanes of
//! one vector, inserts that cover each other.
//!
//! Each instruction is looked at once, after its operands were made short. A table says for each local whose lanes come
//! from one value which lanes of which; through others a look back of a few steps finds where a lane comes from. No value is computed, so precision does not matter. Linear.

use crate::Changed;
use crate::rewrite::{Replacements, Tables, become_op, each_function, rename};
use aquatint_ir::types::{self, Scalar, Type};
use aquatint_ir::{Attr, Function, InstId, Lanes, LocalId, Module, Op, RegionId, Value};
use smallvec::SmallVec;
use std::mem;

/// Shortens chains of operations that only move lanes or parts.
pub fn combine_shuffles(module: &mut Module) -> Changed {
    each_function(module, |tables, function| {
        let moves = vec![Move::default(); function.locals.len()];
        let mut state = State { tables, replace: Replacements::lazy(), moves, changed: false };
        state.region(function, function.body);
        let State { tables, replace, changed, .. } = state;
        replace.settle(tables.types, tables.constants, tables.globals, function);
        changed
    })
}

/// How far a look back through vectors of several values goes: chains are short once they were made short.
const STEPS: usize = 8;

/// A lane of a value; lane 0 of a scalar is the scalar.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Origin {
    value: Value,
    lane: u8,
}

/// What is known of where a local's lanes come from.
#[derive(Clone, Copy, Default)]
struct Move {
    /// The one value that they all come from, which moves nothing itself.
    from: Option<Value>,
    /// The lanes of that value, or [`SEVERAL`].
    lanes: [u8; 4],
}

/// In a [`Move`] without a value: the local is put together from several values.
const SEVERAL: [u8; 4] = [u8::MAX; 4];

struct State<'a, 'm> {
    tables: &'a mut Tables<'m>,
    replace: Replacements,
    /// By local.
    moves: Vec<Move>,
    changed: bool,
}

impl State<'_, '_> {
    fn region(&mut self, function: &mut Function, region: RegionId) {
        let mut insts = mem::take(&mut function.regions[region].insts);
        let mut kept = 0;
        for index in 0..insts.len() {
            let inst = insts[index];
            self.replace.rewrite(function, inst);
            let data = &function.insts[inst];
            let (op, owned, result) = (data.op, data.regions, data.results.start as usize);
            if matches!(op, Op::Shuffle | Op::Construct | Op::Splat | Op::Extract | Op::Insert)
                && let Some(value) = self.visit(function, inst)
            {
                self.replace.set(LocalId::new(result), value);
                rename(function, LocalId::new(result), value);
                self.changed = true;
                continue;
            }
            for owned in owned.range() {
                self.region(function, function.owned[owned]);
            }
            insts[kept] = inst;
            kept += 1;
        }
        insts.truncate(kept);
        function.regions[region].insts = insts;
    }

    #[inline]
    fn lanes_of(&self, function: &Function, value: Value) -> Option<(Scalar, u8)> {
        types::lanes_of(self.tables.type_of(function, value))
    }

    /// The value that the result equals, or `None` after the instruction was rewritten in place or left alone.
    fn visit(&mut self, function: &mut Function, inst: InstId) -> Option<Value> {
        let data = &function.insts[inst];
        let (op, attr, result) = (data.op, data.attr, LocalId::new(data.results.start as usize));
        let operands = &function.operands[data.operands.range()];
        let Some((_, count)) = types::lanes_of(function.locals.get(result)?.ty) else {
            return self.part(function, inst);
        };
        // A row, element or member that happens to be a vector or scalar.
        if op == Op::Extract && self.lanes_of(function, *operands.first()?).is_none() {
            return self.part(function, inst);
        }
        if self.is_short(function, op, attr, operands, count, result) {
            return None;
        }
        let first = self.origin(function, self.step(function, op, attr, operands, 0)?);
        let mut origins = [first; 4];
        for lane in 1..count {
            origins[usize::from(lane)] = self.origin(function, self.step(function, op, attr, operands, lane)?);
        }
        let origins = &origins[..usize::from(count)];
        if origins.iter().all(|o| o.value == first.value) {
            return self.one_source(function, inst, first.value, origins);
        }
        self.moves[result.index()].lanes = SEVERAL;
        match op {
            Op::Construct => self.construct(function, inst, origins),
            Op::Insert => self.insert(function, inst, origins),
            Op::Shuffle => {
                if let Some(scalars) = self.scalars(function, origins) {
                    self.become_op(function, inst, Op::Construct, Attr::None, &scalars);
                }
            }
            // A look through would make it longer.
            _ => {}
        }
        None
    }

    /// Most moves take lanes of what is no move. Enters that and says so.
    #[inline]
    fn is_short(
        &mut self,
        function: &Function,
        op: Op,
        attr: Attr,
        operands: &[Value],
        count: u8,
        result: LocalId,
    ) -> bool {
        let &[value] = operands else { return false };
        let Some(known) = value.as_local().and_then(|local| self.moves.get(local.index())) else { return false };
        if known.from.is_some() || known.lanes == SEVERAL {
            return false;
        }
        let mut taken = [0; 4];
        match (op, attr) {
            (Op::Extract, Attr::Index(index @ 0..4)) => taken[0] = index as u8,
            (Op::Shuffle, Attr::Lanes(lanes)) if count > 1 => {
                if lanes.is_identity() && self.lanes_of(function, value).is_none_or(|(_, width)| width == count) {
                    return false;
                }
                taken[..lanes.as_slice().len()].copy_from_slice(lanes.as_slice());
            }
            _ => return false,
        }
        self.moves[result.index()] = Move { from: Some(value), lanes: taken };
        true
    }

    /// All lanes come from one value.
    fn one_source(&mut self, function: &mut Function, inst: InstId, from: Value, origins: &[Origin]) -> Option<Value> {
        let (kind, from_count) = self.lanes_of(function, from)?;
        let count = origins.len() as u8;
        if let Some(constant) = from.as_constant() {
            let constants = &mut *self.tables.constants;
            let mut bits = [0; 4];
            for (bits, origin) in bits.iter_mut().zip(origins) {
                *bits = constants.get(constant)?.lane(usize::from(origin.lane))?;
            }
            return Some(Value::constant(constants.vector(kind, &bits[..origins.len()])));
        }
        let mut lanes = [0; 4];
        for (lane, origin) in lanes.iter_mut().zip(origins) {
            *lane = origin.lane;
        }
        if count == from_count && [0, 1, 2, 3].starts_with(&lanes[..origins.len()]) {
            return Some(from);
        }
        let result = function.insts[inst].results.start as usize;
        self.moves[result] = Move { from: Some(from), lanes };
        let (op, attr) = match (from_count, count) {
            (1, _) => (Op::Splat, Attr::None),
            (_, 1) => (Op::Extract, Attr::Index(u32::from(lanes[0]))),
            _ => (Op::Shuffle, Attr::Lanes(Lanes::new(&lanes[..origins.len()]))),
        };
        self.become_op(function, inst, op, attr, &[from]);
        None
    }

    fn become_op(&mut self, function: &mut Function, inst: InstId, op: Op, attr: Attr, operands: &[Value]) {
        self.changed |= become_op(function, inst, op, attr, operands);
    }

    /// Lanes of several values: whole vectors stay together, other parts are scalars or stay as they are.
    fn construct(&mut self, function: &mut Function, inst: InstId, origins: &[Origin]) {
        let mut parts = [origins[0].value; 4];
        let mut count = 0;
        let mut lane = 0;
        // The operand that the construct has now where this lane starts, and the lane where the next one starts.
        let mut operands = function.operands(inst).iter();
        let mut at = None;
        let mut next = 0;
        while let Some(&origin) = origins.get(lane) {
            while next <= lane {
                let Some(&operand) = operands.next() else { return };
                let Some((_, width)) = self.lanes_of(function, operand) else { return };
                at = (next == lane).then_some((operand, usize::from(width)));
                next += usize::from(width);
            }
            let width = if origin.lane == 0 { self.lanes_of(function, origin.value).map_or(0, |(_, w)| w) } else { 0 };
            let width = usize::from(width);
            let whole = width > 0
                && origins.get(lane..lane + width).is_some_and(|lanes| {
                    lanes.iter().enumerate().all(|(i, o)| o.value == origin.value && usize::from(o.lane) == i)
                });
            let (part, width) = match (whole, at) {
                (true, _) => (origin.value, width),
                // No shorter way: the operand as it is, if this lane is its first.
                (false, Some(operand)) => operand,
                (false, None) => return,
            };
            parts[count] = part;
            count += 1;
            lane += width;
            at = None;
        }
        if lane == origins.len() {
            self.become_op(function, inst, Op::Construct, Attr::None, &parts[..count]);
        }
    }

    /// The values that the lanes come from, if all of them are scalars.
    fn scalars(&self, function: &Function, origins: &[Origin]) -> Option<SmallVec<[Value; 4]>> {
        let scalar = |o: &Origin| self.lanes_of(function, o.value).filter(|&(_, lanes)| lanes == 1).map(|_| o.value);
        origins.iter().map(scalar).collect()
    }

    /// An insert into a vector: none of its lanes may be left, or the one before it may be covered.
    fn insert(&mut self, function: &mut Function, inst: InstId, origins: &[Origin]) {
        if let Some(scalars) = self.scalars(function, origins) {
            return self.become_op(function, inst, Op::Construct, Attr::None, &scalars);
        }
        let (&[into, part], attr) = (function.operands(inst), function.insts[inst].attr) else { return };
        if let Some((Op::Insert, before_attr, &[first, _])) = def(function, into)
            && before_attr == attr
        {
            self.become_op(function, inst, Op::Insert, attr, &[first, part]);
        }
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

    /// Follows a lane back through moves.
    #[inline]
    fn origin(&self, function: &Function, mut at: Origin) -> Origin {
        for _ in 0..STEPS {
            let Some(known) = at.value.as_local().and_then(|local| self.moves.get(local.index())) else { break };
            if let Some(value) = known.from {
                return Origin { value, lane: known.lanes.get(usize::from(at.lane)).copied().unwrap_or(0) };
            }
            if known.lanes != SEVERAL {
                break;
            }
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
                if let &[_, _, _, _] = parts {
                    // Four parts of at most four lanes are scalars.
                    return parts.get(usize::from(lane)).map(|&value| Origin { value, lane: 0 });
                }
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
