//! Branches, loops and subroutines (sheet 2.7). Subroutines share all registers with their caller, so calls are expanded.

use super::arithmetic::comparison_op;
use super::lanes::{self, Lane};
use super::state::{RETURNED, Slot, State, WriteSet, kind_of, mask_lanes};
use super::{Lower, Next};
use crate::codes;
use crate::tokens::structure::Program;
use crate::tokens::{Comparison, Instruction, Opcode, RegisterKind, Shader, Source, SourceModifier};
use aquatint_base::Diagnostic;
use aquatint_ir::types::{self, Scalar, TypeId};
use aquatint_ir::{Attr, Op, RegionId, Value};
use smallvec::SmallVec;

/// The structure of the program, and what its subroutines write.
pub struct Blocks<'a> {
    program: &'a Program,
    /// By subroutine, callees included.
    writes: Vec<WriteSet>,
    /// By subroutine: whether a `ret` stands inside its flow control.
    returns_inside: Vec<bool>,
}

/// A loop being lowered, or a subroutine that returns from inside.
pub struct LoopScope {
    /// What `break` and `continue` carry: slots and lanes.
    carried: Vec<(Slot, u8)>,
    /// Whether it is the one-trip loop around a subroutine.
    subroutine: bool,
    /// Whether a `ret` of the subroutine stands inside.
    returned: bool,
}

/// Calls deeper than this are refused; hardware allowed 4.
const CALL_DEPTH: usize = 64;

impl<'a> Blocks<'a> {
    /// Finds what the subroutines of a shader write.
    pub fn find(shader: &'a Shader) -> Self {
        let program = &shader.program;
        let returns_inside = program
            .subroutines
            .iter()
            .map(|sub| program.early_returns.iter().any(|at| sub.body.contains(at)))
            .collect();
        let writes = vec![WriteSet::default(); program.subroutines.len()];
        let mut blocks = Blocks { program, writes, returns_inside };
        for &index in &program.callees_first {
            let Some(body) = program.subroutines.get(index as usize).map(|sub| sub.body.clone()) else { continue };
            let set = blocks.writes(shader, body.start as usize, body.end as usize);
            if let Some(place) = blocks.writes.get_mut(index as usize) {
                *place = set;
            }
        }
        blocks
    }

    /// Instructions of the main program.
    pub fn main(&self) -> (usize, usize) {
        (self.program.main.start as usize, self.program.main.end as usize)
    }

    /// The end or the `else` that belongs to an instruction.
    fn partner(&self, at: usize) -> usize {
        self.program.partner(at as u32).map_or(at, |partner| partner as usize)
    }

    /// What a range of instructions writes, callees included.
    fn writes(&self, shader: &Shader, from: usize, to: usize) -> WriteSet {
        let mut set = WriteSet::default();
        for instruction in shader.instructions.get(from..to).unwrap_or(&[]) {
            match instruction.opcode {
                Opcode::Call | Opcode::CallNz => {
                    let sub = self.program.subroutine(label_of(instruction));
                    if let Some(writes) = sub.and_then(|sub| self.writes.get(sub as usize)) {
                        set.merge(writes);
                    }
                }
                Opcode::Ret => set.0[RETURNED] |= 1,
                _ => set.add(instruction),
            }
        }
        set
    }
}

fn label_of(instruction: &Instruction) -> u16 {
    instruction.sources.first().map_or(0, |source| source.register.index)
}

impl Lower<'_, '_> {
    /// Lowers a flow-control instruction.
    pub fn flow(&mut self, at: usize, instruction: &Instruction) -> Next {
        use Opcode::*;
        if !matches!(instruction.opcode, If | IfC | Loop | Rep | CallNz) {
            return self.flow_here(at, instruction);
        }
        // The decoder bounds what nests in one body. Calls are written out where they stand, so that it adds up.
        if self.nesting >= self.options.limits.nesting {
            let limit = self.options.limits.nesting;
            self.fail(instruction, &codes::E_NEST, &format!("with calls written out, blocks nest deeper than {limit}"));
            return Next::Ended;
        }
        self.nesting += 1;
        let next = self.flow_here(at, instruction);
        self.nesting -= 1;
        next
    }

    fn flow_here(&mut self, at: usize, instruction: &Instruction) -> Next {
        match instruction.opcode {
            Opcode::If | Opcode::IfC => {
                let other = self.blocks.partner(at);
                let (then, otherwise, next) = match self.shader.instructions.get(other).map(|i| i.opcode) {
                    Some(Opcode::Else) => {
                        let end = self.blocks.partner(other);
                        ((at + 1, other), (other + 1, end), end + 1)
                    }
                    _ => ((at + 1, other), (other, other), other + 1),
                };
                let condition = self.condition(instruction);
                match self.branch(
                    condition,
                    |lower| lower.range(then.0, then.1),
                    |lower| lower.range(otherwise.0, otherwise.1),
                ) {
                    true => Next::Ended,
                    false => Next::Go(next),
                }
            }
            Opcode::Loop | Opcode::Rep => {
                let end = self.blocks.partner(at);
                match self.counted_loop(instruction, at + 1, end) {
                    true => Next::Ended,
                    false => Next::Go(end + 1),
                }
            }
            Opcode::Break | Opcode::BreakC | Opcode::BreakP => {
                if self.loops.last().is_none_or(|l| l.subroutine) {
                    self.fail(instruction, &codes::E_BREAK, "it stands in no loop");
                    return Next::Ended;
                }
                if instruction.opcode == Opcode::Break {
                    self.leave_loop();
                    return Next::Ended;
                }
                let condition = self.condition(instruction);
                let ended = self.branch(
                    condition,
                    |lower| {
                        lower.leave_loop();
                        true
                    },
                    |_| false,
                );
                if ended { Next::Ended } else { Next::Go(at + 1) }
            }
            Opcode::Call => match self.call(instruction) {
                true => Next::Ended,
                false => Next::Go(at + 1),
            },
            Opcode::CallNz => {
                let condition = instruction.sources.get(1).copied().map(|source| self.bool_source(&source));
                let Some(condition) = condition else { return Next::Go(at + 1) };
                match self.branch(condition, |lower| lower.call(instruction), |_| false) {
                    true => Next::Ended,
                    false => Next::Go(at + 1),
                }
            }
            Opcode::Ret => {
                self.return_now();
                Next::Ended
            }
            _ => Next::Go(at + 1),
        }
    }

    /// The condition of `if`, `if_OP`, `break_OP` and `breakp`.
    fn condition(&mut self, instruction: &Instruction) -> Value {
        match (instruction.comparison, instruction.sources.as_slice()) {
            (Some(comparison), [a, b, ..]) => {
                if let Some(known) = self.known_comparison(comparison, a, b) {
                    return self.b.bool(known);
                }
                let (a, b) = (self.read_lane(a, 0), self.read_lane(b, 0));
                self.b.op(comparison_op(comparison), &[a, b])
            }
            (_, [source, ..]) => {
                let source = *source;
                self.bool_source(&source)
            }
            _ => self.b.bool(false),
        }
    }

    /// The result of a comparison of constants: fxc spells an unconditional break `break_ne c.w, -c.w`.
    fn known_comparison(&mut self, comparison: Comparison, a: &Source, b: &Source) -> Option<bool> {
        let known = |source: &Source| {
            if source.register.kind != RegisterKind::Const || source.relative.is_some() {
                return None;
            }
            let bits = self.files.float_def(source.register.index)?[usize::from(source.swizzle.lane(0))];
            match source.modifier {
                SourceModifier::None => Some(f32::from_bits(bits)),
                SourceModifier::Negate => Some(-f32::from_bits(bits)),
                _ => None,
            }
        };
        let (a, b) = (known(a)?, known(b)?);
        Some(match comparison {
            Comparison::Gt => a > b,
            Comparison::Eq => a == b,
            Comparison::Ge => a >= b,
            Comparison::Lt => a < b,
            Comparison::Ne => a != b,
            Comparison::Le => a <= b,
        })
    }

    /// A bool: b# or a lane of p0, maybe negated.
    fn bool_source(&mut self, source: &Source) -> Value {
        let negate = source.modifier == SourceModifier::Not;
        let value = match source.register.kind {
            RegisterKind::Predicate => {
                let lane = self.state.slots[super::state::PREDICATE][usize::from(source.swizzle.lane(0))];
                lanes::gather(&mut self.b, &[lane])
            }
            _ => self.bool_constant(source.register.index),
        };
        if !negate {
            return value;
        }
        match lanes::constant_lane(&self.b, Lane::scalar(value)) {
            Some(bits) => self.b.bool(bits == 0),
            None => self.b.op(Op::Not, &[value]),
        }
    }

    /// Lowers both sides of a branch and merges what they wrote; whether the current region has ended.
    fn branch(
        &mut self,
        condition: Value,
        then: impl FnOnce(&mut Self) -> bool,
        otherwise: impl FnOnce(&mut Self) -> bool,
    ) -> bool {
        if let Some(bits) = lanes::constant_lane(&self.b, Lane::scalar(condition)) {
            return if bits != 0 { then(self) } else { otherwise(self) };
        }
        let before = self.state.clone();
        let (then_region, other_region) = (self.b.new_region(&[]), self.b.new_region(&[]));
        let outer = self.b.enter(then_region);
        let then_ended = self.apart(then);
        // The region may have changed hands inside; merging continues where the branch left off.
        let then_state = std::mem::replace(&mut self.state, before.clone());
        self.b.enter(other_region);
        let other_ended = self.apart(otherwise);
        let other_state = std::mem::replace(&mut self.state, before);
        let results =
            self.merge_branches((then_region, then_ended, then_state), (other_region, other_ended, other_state));
        self.b.enter(outer);
        let inst = self.b.push_if(condition, then_region, other_region, &results.types);
        for (index, &(slot, mask)) in results.slots.iter().enumerate() {
            let value = self.b.result_at(inst, index);
            for (position, lane) in mask_lanes(mask).enumerate() {
                self.state.slots[slot][lane] = Lane::new(value, position as u8);
            }
        }
        if then_ended && other_ended {
            self.b.terminate(Op::Unreachable, &[]);
            return true;
        }
        false
    }

    /// Lowers what goes to a region of its own. Rows that `texm*pad` keeps there are good there only, and no row comes in.
    fn apart(&mut self, body: impl FnOnce(&mut Self) -> bool) -> bool {
        let rows = std::mem::take(&mut self.pads);
        let ended = body(self);
        self.pads = rows;
        ended
    }

    fn merge_branches(&mut self, then: (RegionId, bool, State), other: (RegionId, bool, State)) -> Merged {
        let (then_region, then_ended, then_state) = then;
        let (other_region, other_ended, other_state) = other;
        let mut merged = Merged::default();
        if then_ended && other_ended {
            return merged;
        }
        let mut values: [SmallVec<[Value; 8]>; 2] = Default::default();
        for slot in 0..super::state::SLOTS {
            let mut mask = 0u8;
            for lane in 0..4 {
                let (a, b) = (then_state.slots[slot][lane], other_state.slots[slot][lane]);
                let differs = match (then_ended, other_ended) {
                    (false, false) => a != b,
                    // Only one side goes on: what it wrote must leave its region, unless it holds everywhere.
                    (false, true) => a != self.state.slots[slot][lane] && a.value.as_local().is_some(),
                    _ => b != self.state.slots[slot][lane] && b.value.as_local().is_some(),
                };
                if differs {
                    mask |= 1 << lane;
                } else if !then_ended {
                    self.state.slots[slot][lane] = a;
                } else {
                    self.state.slots[slot][lane] = b;
                }
            }
            if mask == 0 {
                continue;
            }
            let kind = kind_of(slot);
            merged.types.push(types::vector(kind, mask.count_ones() as u8));
            merged.slots.push((slot, mask));
            let sides = [(then_region, then_ended, &then_state), (other_region, other_ended, &other_state)];
            for ((region, ended, state), values) in sides.into_iter().zip(&mut values) {
                if !ended {
                    self.b.enter(region);
                    values.push(carried_value(&mut self.b, state, slot, mask));
                }
            }
        }
        for ((region, ended), values) in
            [(then_region, then_ended), (other_region, other_ended)].into_iter().zip(&values)
        {
            if !ended {
                self.b.enter(region);
                self.b.terminate(Op::Yield, values);
            }
        }
        merged
    }

    /// The carried values of the innermost loop as they are now.
    fn carried_values(&mut self) -> SmallVec<[Value; 8]> {
        let carried = self.loops.last().map(|l| l.carried.clone()).unwrap_or_default();
        carried.iter().map(|&(slot, mask)| carried_value(&mut self.b, &self.state, slot, mask)).collect()
    }

    fn leave_loop(&mut self) {
        let values = self.carried_values();
        self.b.terminate(Op::Break, &values);
    }

    /// `ret`: ends the main program, or leaves the subroutine by way of the loops around.
    fn return_now(&mut self) {
        match self.loops.iter().rposition(|l| l.subroutine) {
            None => {
                self.epilogue();
                self.b.terminate(Op::Return, &[]);
            }
            Some(wrapper) => {
                if wrapper + 1 < self.loops.len() {
                    let yes = Lane::scalar(self.b.bool(true));
                    self.state.slots[RETURNED][0] = yes;
                    self.loops[wrapper + 1..].iter_mut().for_each(|l| l.returned = true);
                }
                self.leave_loop();
            }
        }
    }

    /// `rep` and `loop`.
    fn counted_loop(&mut self, instruction: &Instruction, from: usize, to: usize) -> bool {
        let is_loop = instruction.opcode == Opcode::Loop;
        let register = instruction.sources.last().map_or(0, |source| source.register.index);
        let constant = self.int_constant(register);
        let count = lanes::gather(&mut self.b, &constant[..1]);
        let zero = self.b.i32(0);
        if lanes::constant_lane(&self.b, Lane::scalar(count)).is_some_and(|bits| bits as u32 as i32 <= 0) {
            return false;
        }
        let (start, step) = match is_loop {
            true => (lanes::gather(&mut self.b, &constant[1..2]), lanes::gather(&mut self.b, &constant[2..3])),
            false => (zero, zero),
        };
        let carried: Vec<(Slot, u8)> = self.blocks.writes(self.shader, from, to).iter().collect();
        let mut first: SmallVec<[Value; 8]> = SmallVec::from_slice(&[zero]);
        if is_loop {
            first.push(start);
        }
        let counters = first.len();
        let mut param_types: SmallVec<[TypeId; 8]> = std::iter::repeat_n(types::I32, counters).collect();
        for &(slot, mask) in &carried {
            first.push(carried_value(&mut self.b, &self.state, slot, mask));
            param_types.push(types::vector(kind_of(slot), mask.count_ones() as u8));
        }
        let body = self.b.new_region(&param_types);
        let continuing = self.b.new_region(&param_types);
        let outer = self.b.enter(body);
        let outer_counter = self.loop_counter;
        let trip = self.b.param(body, 0);
        if is_loop {
            self.loop_counter = Some(self.b.param(body, 1));
        }
        self.take_carried(&carried, |lower, index| lower.b.param(body, counters + index));
        self.loops.push(LoopScope { carried: carried.clone(), subroutine: false, returned: false });
        // The test at the head of each pass.
        let go = self.b.op(Op::ILt, &[trip, count]);
        let (stay, leave) = (self.b.new_region(&[]), self.b.new_region(&[]));
        self.b.enter(stay);
        self.b.terminate(Op::Yield, &[]);
        self.b.enter(leave);
        self.leave_loop();
        self.b.enter(body);
        self.b.push_if(go, stay, leave, &[]);
        let counter = self.loop_counter;
        if !self.apart(|lower| lower.range(from, to)) {
            let mut values: SmallVec<[Value; 8]> = SmallVec::from_slice(&[trip]);
            if is_loop {
                values.extend(counter);
            }
            values.extend(self.carried_values());
            self.b.terminate(Op::Continue, &values);
        }
        self.loop_counter = outer_counter;
        let scope = self.loops.pop();
        self.next_pass(continuing, is_loop.then_some(step), param_types.len());
        self.b.enter(outer);
        let result_types = &param_types[counters..];
        let inst = self.b.push_loop(&first, body, continuing, result_types);
        self.take_carried(&carried, |lower, index| lower.b.result_at(inst, index));
        if scope.is_some_and(|s| s.returned) {
            return self.leave_if_returned();
        }
        false
    }

    /// The continuing region: the trip count goes up by one, aL by its step, all else goes through.
    fn next_pass(&mut self, continuing: RegionId, step: Option<Value>, params: usize) {
        self.b.enter(continuing);
        let one = self.b.i32(1);
        let trip = self.b.param(continuing, 0);
        let mut values: SmallVec<[Value; 8]> = SmallVec::new();
        values.push(self.b.op(Op::IAdd, &[trip, one]));
        if let Some(step) = step {
            let counter = self.b.param(continuing, 1);
            values.push(self.b.op(Op::IAdd, &[counter, step]));
        }
        for index in values.len()..params {
            values.push(self.b.param(continuing, index));
        }
        self.b.terminate(Op::Next, &values);
    }

    /// After a loop in which a subroutine may have returned.
    fn leave_if_returned(&mut self) -> bool {
        let lane = self.state.slots[RETURNED][0];
        let returned = lanes::gather(&mut self.b, &[lane]);
        self.branch(
            returned,
            |lower| {
                lower.leave_loop();
                true
            },
            |_| false,
        )
    }

    fn take_carried(&mut self, carried: &[(Slot, u8)], value: impl Fn(&mut Self, usize) -> Value) {
        for (index, &(slot, mask)) in carried.iter().enumerate() {
            let value = value(self, index);
            for (position, lane) in mask_lanes(mask).enumerate() {
                self.state.slots[slot][lane] = Lane::new(value, position as u8);
            }
        }
    }

    /// Expands a call; whether the current region has ended.
    fn call(&mut self, instruction: &Instruction) -> bool {
        let label = label_of(instruction);
        let blocks = self.blocks;
        let index = blocks.program.subroutine(label).map_or(usize::MAX, |index| index as usize);
        let Some(sub) = blocks.program.subroutines.get(index) else {
            self.fail(instruction, &codes::E_LABEL, &format!("there is no subroutine l{label}"));
            return true;
        };
        if self.calls.contains(&label) {
            self.fail(instruction, &codes::E_CALL, &format!("l{label} calls itself"));
            return true;
        }
        if self.calls.len() >= CALL_DEPTH {
            self.fail(instruction, &codes::E_CALL, &format!("calls nest deeper than {CALL_DEPTH}"));
            return true;
        }
        self.calls.push(label);
        let (from, to) = (sub.body.start as usize, sub.body.end as usize);
        let ended = match blocks.returns_inside.get(index) {
            Some(true) => self.call_in_loop(from, to, &blocks.writes[index]),
            _ => self.range(from, to),
        };
        self.calls.pop();
        ended
    }

    /// A subroutine that returns from inside flow control: the body of a loop that runs once, left by `break`.
    fn call_in_loop(&mut self, from: usize, to: usize, writes: &WriteSet) -> bool {
        let mut writes = writes.clone();
        writes.0[RETURNED] |= 1;
        let no = Lane::scalar(self.b.bool(false));
        let outer_returned = self.state.slots[RETURNED][0];
        self.state.slots[RETURNED][0] = no;
        let carried: Vec<(Slot, u8)> = writes.iter().collect();
        let result_types: SmallVec<[TypeId; 8]> =
            carried.iter().map(|&(slot, mask)| types::vector(kind_of(slot), mask.count_ones() as u8)).collect();
        let body = self.b.new_region(&[]);
        let continuing = self.b.new_region(&[]);
        let outer = self.b.enter(body);
        self.loops.push(LoopScope { carried: carried.clone(), subroutine: true, returned: false });
        if !self.apart(|lower| lower.range(from, to)) {
            self.leave_loop();
        }
        self.loops.pop();
        self.b.enter(continuing);
        self.b.terminate(Op::Next, &[]);
        self.b.enter(outer);
        let inst = self.b.push_structured(Op::Loop, Attr::None, &[], &result_types, &[body, continuing]);
        self.take_carried(&carried, |lower, index| lower.b.result_at(inst, index));
        self.state.slots[RETURNED][0] = outer_returned;
        false
    }

    /// Records an error that ends the lowering.
    pub fn fail(&mut self, instruction: &Instruction, code: &'static aquatint_base::Code, message: &str) {
        let name = instruction.opcode.row().name;
        self.failed = Some(
            Diagnostic::error(code, format!("'{name}': {message}")).at(self.shader.instruction_span(instruction), ""),
        );
    }

    /// Records that calls, or definitions under relative addresses, expand beyond the bound.
    pub fn fail_expansion(&mut self, instruction: &Instruction) {
        let limit = self.options.limits.instructions;
        let message = format!("calls and relative constants expand to more than {limit} instructions");
        self.fail(instruction, &codes::E_CALL, &message);
    }
}

/// What a branch hands out.
#[derive(Default)]
struct Merged {
    slots: Vec<(Slot, u8)>,
    types: Vec<TypeId>,
}

/// The lanes of a slot as one value of their kind.
fn carried_value(b: &mut aquatint_ir::Builder<'_>, state: &State, slot: Slot, mask: u8) -> Value {
    let lanes: SmallVec<[Lane; 4]> = mask_lanes(mask).map(|lane| state.slots[slot][lane]).collect();
    debug_assert!(matches!(kind_of(slot), Scalar::F32 | Scalar::I32 | Scalar::Bool));
    lanes::gather(b, &lanes)
}
