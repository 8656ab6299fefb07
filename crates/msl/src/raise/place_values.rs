//! Decides for each value whether it gets a name or stands in the expression that uses it (sheet D9.5).
//!
//! A pure value with one use in its own region is written where it is used, if nothing that it depends on can change in
//! between and the line does not get too long. What costs nothing (inputs, uniform members, swizzles of names) is repeated
//! at each use. Everything else is named where it is computed. Linear in the size of the function.

use crate::Options;
use crate::order::Order;
use crate::raise::helpers::{Helpers, Operand, helper_of};
use crate::raise::plan::{LoopPlan, LoopResult, Place, Plan};
use crate::reach::Flags;
use aquatint_base::HashMap;
use aquatint_ir::types::{Scalar, Space, Type, lanes_of};
use aquatint_ir::walk::Step;
use aquatint_ir::{Effect, Function, GlobalId, GlobalKind, InstId, LocalId, Module, Op, RegionId, Value, ValueKind};
use smallvec::SmallVec;

/// Characters that an expression may take before a part of it is named.
const WIDTH: u32 = 84;
/// The region of paths whose indices are all named: good everywhere.
const ANYWHERE: u32 = u32::MAX;
/// Instructions of a continuing region that may be written more than once.
const REPEATED: usize = 16;

#[derive(Clone, Copy, Default)]
struct Info {
    uses: u32,
    region: u32,
    /// The state of memory and control that it depends on; 0 for none.
    epoch: u32,
    width: u16,
    /// For a path: whether each step is constant.
    fixed: bool,
}

struct State<'a> {
    module: &'a Module,
    function: &'a Function,
    strict: bool,
    plan: Plan,
    info: Vec<Info>,
    epoch: u32,
    outputs_read: bool,
    owner: SmallVec<[Option<InstId>; 8]>,
    continues: HashMap<InstId, usize>,
    /// The loops around the instruction.
    loops: SmallVec<[InstId; 8]>,
    /// The globals that are specialisation constants, sorted.
    specs: &'a [GlobalId],
}

/// Decides.
pub(crate) fn place_values(
    module: &Module,
    function: &Function,
    order: &Order,
    specs: &[GlobalId],
    options: &Options,
    helpers: &mut Helpers,
) -> Plan {
    let mut state = State {
        module,
        function,
        strict: options.strict,
        plan: Plan { places: vec![Place::Dead; function.locals.len()], ..Plan::default() },
        info: vec![Info::default(); function.locals.len()],
        epoch: 1,
        outputs_read: false,
        owner: SmallVec::from_elem(None, function.regions.len()),
        continues: HashMap::default(),
        loops: SmallVec::new(),
        specs,
    };
    state.collect(order);
    state.count(order);
    state.place(order, helpers);
    state.plan
}

impl State<'_> {
    /// Owners of regions, `continue`s of loops, switches that need a flag.
    fn collect(&mut self, order: &Order) {
        let mut stack: SmallVec<[Option<InstId>; 16]> = SmallVec::new();
        let mut whole = Flags::from_elem(false, self.module.globals.len());
        let mut early = false;
        for step in order.iter() {
            match step {
                Step::Enter(region, _) => stack.push(self.owner[region.index()]),
                Step::Leave(_) => {
                    stack.pop();
                }
                Step::Inst(id) => {
                    let inst = &self.function.insts[id];
                    match inst.op {
                        Op::If | Op::Loop | Op::Switch => {
                            for &region in self.function.regions_of(id) {
                                self.owner[region.index()] = Some(id);
                            }
                        }
                        Op::Break | Op::Continue => {
                            let mut switches: SmallVec<[InstId; 4]> = SmallVec::new();
                            for &owner in stack.iter().rev().flatten() {
                                match self.function.insts[owner].op {
                                    Op::Loop if inst.op == Op::Continue => {
                                        // Within a switch the continuing region's own `break`s would leave that.
                                        let weight = if switches.is_empty() { 1 } else { 2 };
                                        *self.continues.entry(owner).or_insert(0) += weight;
                                        break;
                                    }
                                    Op::Loop => {
                                        self.plan.flagged.extend(switches.iter().copied());
                                        break;
                                    }
                                    Op::Switch => switches.push(owner),
                                    _ => {}
                                }
                            }
                        }
                        Op::Store => {
                            if stack.len() == 1
                                && !early
                                && let Some(global) = self.function.operands(id).first().and_then(|v| v.as_global())
                                && let Some(whole) = whole.get_mut(global.index())
                            {
                                *whole = true;
                            }
                        }
                        Op::Return if stack.len() > 1 => early = true,
                        Op::Load | Op::Atomic => {
                            if let Some(&pointer) = self.function.operands(id).first()
                                && self.space(pointer) == Some(Space::Output)
                            {
                                self.outputs_read = true;
                            }
                        }
                        _ => {}
                    }
                }
            }
        }
        self.plan.zero_outputs = self.outputs_read
            || self.module.globals.iter().any(|(id, g)| g.space == Space::Output && !whole[id.index()]);
    }

    /// Uses of each value by what is not dead. A use comes behind its definition, so one walk backward is enough.
    fn count(&mut self, order: &Order) {
        for step in order.iter().rev() {
            let Step::Inst(id) = step else { continue };
            if self.is_dead(id) {
                continue;
            }
            for value in self.function.operands(id) {
                if let Some(local) = value.as_local() {
                    self.info[local.index()].uses += 1;
                }
            }
        }
    }

    fn is_dead(&self, id: InstId) -> bool {
        !matches!(self.function.insts[id].op.effect(), Effect::Writes | Effect::Control)
            && self.function.results(id).all(|l| self.info[l.index()].uses == 0)
    }

    fn place(&mut self, order: &Order, helpers: &mut Helpers) {
        let mut regions: SmallVec<[RegionId; 16]> = SmallVec::new();
        for step in order.iter() {
            match step {
                Step::Enter(region, _) => {
                    self.epoch += 1;
                    regions.push(region);
                    if let Some(owner) = self.loop_of(region) {
                        self.loops.push(owner);
                    }
                    for param in self.function.params(region) {
                        let used = self.info[param.index()].uses > 0 || region == self.function.body;
                        self.plan.places[param.index()] = if used { Place::Variable } else { Place::Dead };
                        self.info[param.index()].width = 3;
                    }
                }
                Step::Leave(region) => {
                    self.epoch += 1;
                    regions.pop();
                    if self.loop_of(region).is_some() {
                        self.loops.pop();
                    }
                }
                Step::Inst(id) => {
                    let Some(&region) = regions.last() else { continue };
                    if !self.is_dead(id) {
                        self.note(id, helpers);
                        self.inst(id, region.index() as u32);
                    }
                }
            }
        }
    }

    /// The loop that owns a region.
    fn loop_of(&self, region: RegionId) -> Option<InstId> {
        self.owner[region.index()].filter(|&owner| self.function.insts[owner].op == Op::Loop)
    }

    /// Which helper functions and pragmas the instruction asks for.
    fn note(&mut self, id: InstId, helpers: &mut Helpers) {
        let inst = &self.function.insts[id];
        let operand = || {
            let first = self.function.operands(id).first();
            let (kind, lanes) = first.and_then(|&v| lanes_of(self.type_of(v))).unwrap_or((Scalar::F32, 1));
            let result = self.function.result(id).and_then(|l| lanes_of(self.function.locals[l].ty));
            Operand { kind, lanes, result: result.map_or(kind, |(kind, _)| kind) }
        };
        if let Some(helper) = helper_of(inst.op, self.strict, operand) {
            helpers.add(helper, self.strict);
            helpers.precise |= inst.precise;
        }
        self.plan.precise |= inst.precise;
    }

    fn inst(&mut self, id: InstId, region: u32) {
        let inst = self.function.insts[id];
        let operands = self.function.operands(id);
        let mut total = 0;
        let mut depends = 0;
        for &value in operands {
            if let Some(local) = value.as_local() {
                self.consume(local, region);
                if self.is_open(local) && self.info[local.index()].epoch != 0 {
                    depends = self.epoch;
                }
            }
            total += self.width(value);
        }
        // The longest parts get names until the rest fits.
        while total > WIDTH {
            let longest = operands
                .iter()
                .filter_map(|v| v.as_local())
                .filter(|l| self.plan.places[l.index()] == Place::Inline)
                .max_by_key(|l| self.info[l.index()].width);
            let Some(longest) = longest.filter(|l| self.info[l.index()].width > 8) else { break };
            self.name(longest);
            total = operands.iter().map(|&v| self.width(v)).sum();
        }
        self.constrain(id, operands);
        match inst.op {
            Op::Continue => self.pass_on(operands),
            Op::Break => self.note_break(operands),
            _ => {}
        }
        if writes(inst.op) && (inst.op != Op::Store || self.outputs_read || !self.stores_output(operands)) {
            self.epoch += 1;
        }
        let results = inst.results.range();
        if inst.op.is_structured() {
            if inst.op == Op::Loop {
                self.begin_loop(id);
            }
            for index in results {
                let used = self.info[index].uses > 0;
                self.plan.places[index] = if used { Place::Variable } else { Place::Dead };
                self.info[index].width = 3;
            }
            return;
        }
        if results.len() != 1 {
            for index in results {
                self.plan.places[index] = Place::Named;
                self.info[index].width = 3;
            }
            return;
        }
        let index = results.start;
        let uses = self.info[index].uses;
        let place = match self.place_result(id, operands, &mut depends) {
            // Writes whose result nobody reads.
            Place::Named if uses == 0 => Place::Dead,
            place => place,
        };
        self.plan.places[index] = place;
        // A matrix comes out of a buffer line by line, which takes room.
        let matrix = inst.op == Op::Load && lanes_of(self.function.locals[LocalId::new(index)].ty).is_none();
        let own = if matrix { 60 } else { own_width(inst.op) };
        self.info[index] = Info {
            uses,
            region,
            epoch: depends,
            width: if place == Place::Named { 3 } else { (total + own).min(u32::from(u16::MAX)) as u16 },
            fixed: inst.op == Op::Access && self.is_fixed(operands),
        };
    }

    /// The place of a single result. `depends` becomes the current epoch where it depends on memory or control.
    fn place_result(&mut self, id: InstId, operands: &[Value], depends: &mut u32) -> Place {
        let inst = &self.function.insts[id];
        let result = inst.results.start as usize;
        let ty = self.function.locals[LocalId::new(result)].ty;
        if lanes_of(ty).is_none() && matches!(self.module.types.get(ty), Type::Array { .. }) {
            self.plan.array_values = true;
        }
        let once = self.info[result].uses == 1;
        let by_uses = if once { Place::Inline } else { Place::Named };
        match inst.op {
            Op::Var | Op::InsertDyn => Place::Named,
            Op::Access => {
                if !once {
                    self.name_all(&operands[operands.len().min(1)..]);
                }
                Place::Path
            }
            Op::Load => {
                let Some(&pointer) = operands.first() else { return Place::Named };
                let aggregate = lanes_of(ty).is_none();
                let space = self.space(pointer);
                let constant = matches!(space, Some(Space::Input | Space::Uniform | Space::Push));
                if constant && !aggregate && self.is_fixed(&[pointer]) {
                    return Place::Free;
                }
                if !constant && !self.is_read_only(pointer) {
                    *depends = self.epoch;
                }
                by_uses
            }
            Op::Extract | Op::Shuffle if self.is_vector(operands) => {
                let cheap =
                    operands.iter().all(|v| v.as_local().is_none_or(|l| self.plan.places[l.index()] != Place::Inline));
                if cheap && !once && self.width_of(operands) <= 40 { Place::Free } else { by_uses }
            }
            Op::Insert if !self.is_vector(operands) => Place::Named,
            op => match op.effect() {
                Effect::Pure => by_uses,
                Effect::Reads => {
                    *depends = self.epoch;
                    by_uses
                }
                Effect::Quad => {
                    *depends = self.epoch;
                    by_uses
                }
                Effect::Writes | Effect::Control => Place::Named,
            },
        }
    }

    /// Operands that an operation writes more than once, or takes apart, must have a name.
    fn constrain(&mut self, id: InstId, operands: &[Value]) {
        match self.function.insts[id].op {
            Op::Insert => {
                let chain = operands.first().and_then(|v| v.as_local()).and_then(|l| self.function.def_inst(l));
                if !chain.is_some_and(|i| self.function.insts[i].op == Op::Insert && self.is_vector(operands)) {
                    self.name_all(&operands[..operands.len().min(1)]);
                }
            }
            Op::InsertDyn => self.name_all(&operands[..operands.len().min(1)]),
            // Matrices are multiplied by components row by row, so they are written several times.
            Op::FMul | Op::FDiv if !self.is_vector(operands) => self.name_all(operands),
            Op::Extract if !self.is_vector(operands) => self.name_all(&operands[..operands.len().min(1)]),
            Op::IAddCarry
            | Op::ISubBorrow
            | Op::Frexp
            | Op::Modf
            | Op::Atomic
            | Op::Refract
            | Op::BitsExtract
            | Op::BitsInsert => self.name_all(operands),
            // The layer is split off the coordinates, so these are written twice.
            Op::Sample | Op::Gather if self.takes_layer(operands) => {
                self.name_all(&operands[2.min(operands.len())..3.min(operands.len())]);
            }
            Op::Fetch | Op::ImageLoad | Op::ImageStore if self.takes_layer(operands) => {
                self.name_all(&operands[1.min(operands.len())..2.min(operands.len())]);
            }
            Op::QueryLod => self.name_all(&operands[2.min(operands.len())..]),
            Op::Store | Op::Var | Op::ExtractDyn => {
                if let Some(&value) = operands.get(usize::from(self.function.insts[id].op == Op::Store))
                    && matches!(self.module.types.get(self.type_of(value)), Type::Array { .. })
                {
                    self.plan.array_values = true;
                }
                if self.function.insts[id].op == Op::ExtractDyn {
                    self.name_all(&operands[..operands.len().min(1)]);
                }
            }
            _ => {}
        }
    }

    /// The operands of `continue` take the place of the continuing region's parameters where that is written out.
    fn pass_on(&mut self, operands: &[Value]) {
        let Some(&owner) = self.loops.last() else { return };
        if !self.plan.loops.get(&owner).is_some_and(|l| l.inline_continuing) {
            return;
        }
        let Some(&continuing) = self.function.regions_of(owner).get(1) else { return };
        for (&value, param) in operands.iter().zip(self.function.params(continuing)) {
            if let Some(local) = value.as_local()
                && self.plan.places[local.index()] == Place::Inline
            {
                let info = self.info[local.index()];
                if self.info[param.index()].uses > 1 || info.width > 40 || info.epoch != 0 {
                    self.name(local);
                }
            }
        }
    }

    fn note_break(&mut self, operands: &[Value]) {
        let Some(&owner) = self.loops.last() else { return };
        let Some(&body) = self.function.regions_of(owner).first() else { return };
        let params = self.function.regions[body].params.range();
        let Some(plan) = self.plan.loops.get_mut(&owner) else { return };
        for (slot, value) in plan.results.iter_mut().zip(operands) {
            let param = value.as_local().filter(|l| params.contains(&l.index()));
            *slot = match (*slot, param) {
                (LoopResult::Unset, Some(param)) => LoopResult::Param(param),
                (LoopResult::Param(before), Some(param)) if before == param => LoopResult::Param(param),
                _ => LoopResult::Own,
            };
        }
    }

    fn begin_loop(&mut self, id: InstId) {
        let regions = self.function.regions_of(id);
        let small = regions.get(1).is_none_or(|&r| {
            let insts = &self.function.regions[r].insts;
            insts.len() <= REPEATED && insts.iter().all(|&i| !self.function.insts[i].op.is_structured())
        });
        let count = self.continues.get(&id).copied().unwrap_or(0);
        let results = self.function.insts[id].results.len as usize;
        let plan = LoopPlan {
            inline_continuing: small || count <= 1,
            results: std::iter::repeat_n(LoopResult::Unset, results).collect(),
        };
        self.plan.loops.insert(id, plan);
    }

    /// A use of a value in `region`, now: what cannot stand there gets a name.
    fn consume(&mut self, local: LocalId, region: u32) {
        let info = self.info[local.index()];
        let elsewhere = info.region != region && info.region != ANYWHERE;
        let stale = info.epoch != 0 && info.epoch != self.epoch;
        match self.plan.places[local.index()] {
            Place::Inline if elsewhere || stale => self.name(local),
            Place::Path if elsewhere || stale => self.pin(local),
            _ => {}
        }
    }

    /// Names every index of a path, so that it is good anywhere.
    fn pin(&mut self, path: LocalId) {
        let mut next = Some(path);
        while let Some(local) = next
            && self.plan.places[local.index()] == Place::Path
            && self.info[local.index()].region != ANYWHERE
            && let Some(inst) = self.function.def_inst(local)
        {
            self.info[local.index()].region = ANYWHERE;
            self.info[local.index()].epoch = 0;
            let operands = self.function.operands(inst);
            self.name_all(&operands[operands.len().min(1)..]);
            next = operands.first().and_then(|v| v.as_local());
        }
    }

    fn name(&mut self, local: LocalId) {
        self.plan.places[local.index()] = Place::Named;
        let info = &mut self.info[local.index()];
        (info.width, info.epoch) = (3, 0);
    }

    fn name_all(&mut self, values: &[Value]) {
        for local in values.iter().filter_map(|v| v.as_local()) {
            if self.plan.places[local.index()] == Place::Inline {
                self.name(local);
            }
        }
    }

    /// Whether the value is written out where it is used.
    fn is_open(&self, local: LocalId) -> bool {
        matches!(self.plan.places[local.index()], Place::Inline | Place::Path)
    }

    fn width_of(&self, values: &[Value]) -> u32 {
        values.iter().map(|&v| self.width(v)).sum()
    }

    fn width(&self, value: Value) -> u32 {
        match value.kind() {
            ValueKind::Local(local) => u32::from(self.info[local.index()].width),
            ValueKind::Global(_) => 12,
            ValueKind::Constant(id) => match self.module.constants.get(id).and_then(|c| lanes_of(c.ty)) {
                Some((_, 1)) => 5,
                Some((_, lanes)) => 8 + 5 * u32::from(lanes),
                None => 20,
            },
        }
    }

    fn type_of(&self, value: Value) -> aquatint_ir::TypeId {
        self.module.type_of(self.function, value)
    }

    fn space(&self, pointer: Value) -> Option<Space> {
        match self.module.types.get(self.type_of(pointer)) {
            Type::Pointer { space, .. } => Some(space),
            _ => None,
        }
    }

    /// Whether nothing can write where the pointer points.
    fn is_read_only(&self, pointer: Value) -> bool {
        let mut value = pointer;
        loop {
            match value.kind() {
                ValueKind::Global(id) => {
                    return match self.module.globals.get(id).map(|g| g.kind) {
                        Some(GlobalKind::Resource { writable, .. }) => !writable,
                        Some(GlobalKind::Private(_)) => self.specs.binary_search(&id).is_ok(),
                        _ => false,
                    };
                }
                ValueKind::Local(local) => {
                    let base = self.function.def_inst(local).filter(|&i| self.function.insts[i].op == Op::Access);
                    let Some(base) = base.and_then(|i| self.function.operands(i).first().copied()) else {
                        return false;
                    };
                    value = base;
                }
                ValueKind::Constant(_) => return false,
            }
        }
    }

    /// Whether a path has constant steps only.
    fn is_fixed(&self, operands: &[Value]) -> bool {
        let Some((base, steps)) = operands.split_first() else { return false };
        let base = match base.kind() {
            ValueKind::Global(_) => true,
            ValueKind::Local(local) => self.info[local.index()].fixed,
            ValueKind::Constant(_) => false,
        };
        base && steps.iter().all(|s| s.as_constant().is_some())
    }

    fn is_vector(&self, operands: &[Value]) -> bool {
        operands.first().is_some_and(|&v| lanes_of(self.type_of(v)).is_some())
    }

    fn takes_layer(&self, operands: &[Value]) -> bool {
        let texture = operands.first().map(|&v| self.module.types.get(self.type_of(v)));
        matches!(texture, Some(Type::Texture(t)) if t.arrayed)
    }

    fn stores_output(&self, operands: &[Value]) -> bool {
        operands.first().is_some_and(|&p| self.space(p) == Some(Space::Output))
    }
}

/// Whether what was read before may differ afterwards.
fn writes(op: Op) -> bool {
    op.effect() == Effect::Writes
}

/// Characters that an operation adds to those of its operands, about.
fn own_width(op: Op) -> u32 {
    match op {
        Op::Extract | Op::Shuffle => 4,
        Op::FNeg | Op::INeg | Op::Not => 1,
        Op::Load => 0,
        Op::Access
        | Op::FAdd
        | Op::FSub
        | Op::FMul
        | Op::FDiv
        | Op::IAdd
        | Op::ISub
        | Op::IMul
        | Op::And
        | Op::Or
        | Op::FLt
        | Op::FGe => 4,
        _ => 8,
    }
}
