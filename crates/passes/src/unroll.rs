//! Unrolls loops whose number of trips follows from constants.
//!
//! The number is found by running what is constant of the loop: the instructions of the body up to the `if` that leaves it,
//! and those that make the next values of the carried parameters, for at most as many trips as the options allow. So the
//! step may be anything that folds. The loop may also leave elsewhere (`break` within an `if`), or go on early (`continue`
//! within an `if`), but not both: its trips, or each of them, are then wrapped in a loop of one trip.
//!
//! A function is copied once, with its loops unrolled on the way from the outside in, so inner loops see the constants of
//! outer ones. Linear in the size of the result, which the options bound.

use crate::Changed;
use crate::clone::{Cloner, Policy};
use crate::fold::compute;
use crate::op_set::OpSet;
use crate::paths::settle_paths;
use crate::rewrite::Tables;
use aquatint_ir::module::Denormals;
use aquatint_ir::walk::{Step, Walk};
use aquatint_ir::{Builder, ConstantId, Effect, Function, InstId, LocalId, Module, Op, RegionId, TypeId, Value};
use smallvec::SmallVec;
use std::mem;

/// Options of [`unroll`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unroll {
    /// The most trips of a loop that is unrolled.
    pub trips: usize,
    /// The most instructions that one loop becomes.
    pub instructions: usize,
    /// The most instructions of a function, beyond which no loop of it is unrolled any more.
    pub function: usize,
}

impl Default for Unroll {
    fn default() -> Self {
        Self { trips: 64, instructions: 2048, function: 1 << 16 }
    }
}

/// Unrolls the loops whose trips are known and few.
pub fn unroll(module: &mut Module, options: &Unroll) -> Changed {
    let denormals = module.denormals;
    let mut changed = Changed::No;
    for id in module.functions.ids() {
        if OpSet::used_by(&module.functions[id]).has(Op::Loop) {
            changed |= Builder::edit(module, id, |builder| unroll_function(builder, denormals, options)).into();
        }
    }
    changed
}

fn unroll_function(builder: &mut Builder<'_>, denormals: Denormals, options: &Unroll) -> bool {
    let source = builder.function.clone();
    let body = builder.function.body;
    builder.function.regions[body].insts.clear();
    builder.enter(body);
    let mut policy = State {
        options,
        denormals,
        sizes: sizes(&source),
        places: Places::find(&source),
        known: vec![None; source.locals.len()],
        unrolled: 0,
        going_on: false,
    };
    let mut cloner = Cloner::within(&source);
    cloner.insts(builder, &source.regions[body].insts, &mut policy);
    if policy.unrolled == 0 {
        *builder.function = source;
        return false;
    }
    settle_paths(builder.types, builder.constants, builder.globals, builder.function);
    true
}

/// The number of instructions in the regions of each structured instruction, and of the instruction itself.
fn sizes(function: &Function) -> Vec<usize> {
    let mut sizes = vec![1usize; function.insts.len()];
    let mut owners: Vec<Option<InstId>> = Vec::new();
    let mut last = None;
    for step in Walk::new(function) {
        match step {
            Step::Enter(..) => owners.push(last),
            Step::Inst(inst) => last = Some(inst),
            Step::Leave(region) => {
                last = owners.pop().flatten();
                if let Some(owner) = last {
                    sizes[owner.index()] +=
                        function.regions[region].insts.iter().map(|i| sizes[i.index()]).sum::<usize>();
                }
            }
        }
    }
    sizes
}

/// Where things stand in the order of a walk, to ask whether a value belongs to a loop.
struct Places {
    locals: Vec<u32>,
    /// By instruction: its place, and that behind its regions.
    insts: Vec<(u32, u32)>,
}

impl Places {
    fn find(function: &Function) -> Self {
        let mut places = Places { locals: vec![0; function.locals.len()], insts: vec![(0, 0); function.insts.len()] };
        let mut owners: Vec<Option<InstId>> = Vec::new();
        let (mut last, mut place) = (None, 0);
        for step in Walk::new(function) {
            place += 1;
            match step {
                Step::Enter(region, ..) => {
                    owners.push(last);
                    function.params(region).for_each(|local| places.locals[local.index()] = place);
                }
                Step::Inst(inst) => {
                    places.insts[inst.index()] = (place, place);
                    function.results(inst).for_each(|local| places.locals[local.index()] = place);
                    last = Some(inst);
                }
                Step::Leave(_) => {
                    last = owners.pop().flatten();
                    if let Some(owner) = last {
                        places.insts[owner.index()].1 = place;
                    }
                }
            }
        }
        places
    }

    /// Whether a value is made in the regions of an instruction.
    fn within(&self, local: LocalId, inst: InstId) -> bool {
        let (start, end) = self.insts[inst.index()];
        (start + 1..end).contains(&self.locals[local.index()])
    }
}

/// How a loop that can be unrolled is built.
struct Plan {
    body: RegionId,
    continuing: RegionId,
    /// The place of the `if` in the body that leaves the loop.
    exit: usize,
    /// Its region that ends in `break`, and the other.
    leaves: RegionId,
    stays: RegionId,
    /// Whether other instructions leave the loop.
    breaks: bool,
    /// Whether other instructions than the body's last go on. They come behind the exit.
    continues: bool,
}

struct State<'o> {
    options: &'o Unroll,
    denormals: Denormals,
    sizes: Vec<usize>,
    places: Places,
    /// What a trial run knows of each local of the source.
    known: Vec<Option<Value>>,
    unrolled: usize,
    /// Whether `continue` is to be the `break` of the loop around one trip.
    going_on: bool,
}

impl Policy for State<'_> {
    fn emit(&mut self, cloner: &mut Cloner<'_>, builder: &mut Builder<'_>, inst: InstId) -> bool {
        match cloner.source.insts[inst].op {
            Op::Continue if self.going_on => {
                let operands = cloner.operands(inst);
                builder.terminate(Op::Break, &operands);
                true
            }
            Op::Loop => {
                let going_on = mem::replace(&mut self.going_on, false);
                let plan = plan(cloner.source, inst);
                let trips = plan.as_ref().and_then(|plan| self.trips(cloner, builder, inst, plan));
                match (plan, trips) {
                    (Some(plan), Some(trips)) => self.unroll(cloner, builder, inst, &plan, trips),
                    _ => {
                        cloner.inst(builder, inst, &[], self);
                    }
                }
                self.going_on = going_on;
                true
            }
            _ => self.computed(cloner, builder, inst),
        }
    }
}

fn plan(function: &Function, inst: InstId) -> Option<Plan> {
    let &[body, continuing] = function.regions_of(inst) else { return None };
    let insts = &function.regions[body].insts;
    let (exit, leaves, stays) = insts.iter().enumerate().find_map(|(place, &i)| {
        if function.insts[i].op != Op::If {
            return None;
        }
        let &[then, other] = function.regions_of(i) else { return None };
        let ends = |region| function.terminator(region).map(|t| function.insts[t].op);
        match (ends(then), ends(other)) {
            (Some(Op::Break), Some(Op::Yield)) => Some((place, then, other)),
            (Some(Op::Yield), Some(Op::Break)) => Some((place, other, then)),
            _ => None,
        }
    })?;
    let end = function.terminator(body)?;
    let mut plan = Plan { body, continuing, exit, leaves, stays, breaks: false, continues: false };
    let break_end = function.terminator(leaves)?;
    let mut stack: SmallVec<[RegionId; 16]> = SmallVec::new();
    for (place, &outer) in insts.iter().enumerate() {
        let mut visit = |i: InstId, stack: &mut SmallVec<[RegionId; 16]>| match function.insts[i].op {
            Op::Break if i != break_end => plan.breaks = true,
            // Who goes on before the exit has not asked whether to leave.
            Op::Continue if i != end => plan.continues = true,
            Op::If | Op::Switch => stack.extend_from_slice(function.regions_of(i)),
            _ => {}
        };
        visit(outer, &mut stack);
        while let Some(region) = stack.pop() {
            function.regions[region].insts.iter().for_each(|&i| visit(i, &mut stack));
        }
        if plan.continues && place <= exit {
            return None;
        }
    }
    // A trip has to be a list without ways out: the body's end goes on, the continuing region only computes.
    let goes_on = function.insts[end].op == Op::Continue || plan.continues;
    let computes = function.regions[continuing].insts.iter().all(|&i| {
        let data = &function.insts[i];
        data.op == Op::Next || (!data.op.is_terminator() && !data.op.is_structured())
    });
    (goes_on && computes && !(plan.breaks && plan.continues)).then_some(plan)
}

impl State<'_> {
    /// Whether the results are constants in the copy, and so need no instruction: inner loops see them.
    fn computed(&self, cloner: &mut Cloner<'_>, builder: &mut Builder<'_>, inst: InstId) -> bool {
        let source = cloner.source;
        let operands = cloner.operands(inst);
        let Some(ids) = constants(builder, self.denormals, source, inst, &operands) else { return false };
        for (local, id) in source.results(inst).zip(ids) {
            cloner.set(builder, local, Value::constant(id));
        }
        true
    }

    /// The trips that end in `continue` before the one that leaves, if they are known and few.
    fn trips(&mut self, cloner: &Cloner<'_>, builder: &mut Builder<'_>, inst: InstId, plan: &Plan) -> Option<usize> {
        let source = cloner.source;
        let trial = Trial { cloner, places: &self.places, inst };
        if builder.function.insts.len() > self.options.function {
            return None;
        }
        let size = self.sizes.get(inst.index()).copied()?;
        let most = self.options.trips.min(self.options.instructions / size.max(1));
        let mut set: Vec<LocalId> = Vec::new();
        let mut enter = |known: &mut Vec<Option<Value>>, local: LocalId, value: Option<Value>| {
            known[local.index()] = value;
            set.push(local);
        };
        for (local, value) in source.params(plan.body).zip(cloner.operands(inst)) {
            enter(&mut self.known, local, value.as_constant().map(|_| value));
        }
        let body = &source.regions[plan.body].insts;
        let condition = source.operands(*body.get(plan.exit)?).first().copied()?;
        let mut found = None;
        for trip in 0..=most {
            for &i in body.get(..plan.exit)? {
                run(&mut self.known, &mut enter, trial, builder, self.denormals, i);
            }
            let Some(bits) = known(&self.known, trial, condition).and_then(|v| bits(builder, v)) else { break };
            let leaves_if_true = source.regions_of(body[plan.exit]).first() == Some(&plan.leaves);
            if (bits != 0) == leaves_if_true {
                found = Some(trip);
                break;
            }
            let stays = &source.regions[plan.stays].insts;
            for &i in stays.iter().chain(body.get(plan.exit + 1..)?) {
                run(&mut self.known, &mut enter, trial, builder, self.denormals, i);
            }
            go_on(&mut self.known, trial, plan, &mut enter);
            for &i in &source.regions[plan.continuing].insts {
                run(&mut self.known, &mut enter, trial, builder, self.denormals, i);
            }
            let Some(next) = source.terminator(plan.continuing) else { break };
            let values: SmallVec<[Option<Value>; 8]> =
                source.operands(next).iter().map(|&v| known(&self.known, trial, v)).collect();
            if values.iter().all(Option::is_none) {
                break;
            }
            for (local, value) in source.params(plan.body).zip(values) {
                enter(&mut self.known, local, value);
            }
        }
        for local in set {
            self.known[local.index()] = None;
        }
        found
    }

    fn unroll(&mut self, cloner: &mut Cloner<'_>, builder: &mut Builder<'_>, inst: InstId, plan: &Plan, trips: usize) {
        self.unrolled += 1;
        let source = cloner.source;
        let body = &source.regions[plan.body].insts;
        let mut carried = cloner.operands(inst);
        let outside = plan.breaks.then(|| {
            let wrapped = builder.new_region(&[]);
            builder.enter(wrapped)
        });
        for trip in 0..=trips {
            for (local, &value) in source.params(plan.body).zip(&carried) {
                cloner.set(builder, local, value);
            }
            cloner.insts(builder, &body[..plan.exit], self);
            let region = if trip == trips { plan.leaves } else { plan.stays };
            let Some((&end, insts)) = source.regions[region].insts.split_last() else { return };
            cloner.insts(builder, insts, self);
            let values = cloner.operands(end);
            if trip == trips {
                self.finish(cloner, builder, inst, &values, outside);
                return;
            }
            for (local, &value) in source.results(body[plan.exit]).zip(&values) {
                cloner.set(builder, local, value);
            }
            let Some((&end, insts)) = body[plan.exit + 1..].split_last() else { return };
            let next = if plan.continues {
                self.one_trip(cloner, builder, plan, &body[plan.exit + 1..])
            } else {
                cloner.insts(builder, insts, self);
                cloner.operands(end)
            };
            for (local, &value) in source.params(plan.continuing).zip(&next) {
                cloner.set(builder, local, value);
            }
            let Some((&end, insts)) = source.regions[plan.continuing].insts.split_last() else { return };
            cloner.insts(builder, insts, self);
            carried = cloner.operands(end);
        }
    }

    /// What the loop gave is what it broke with; where others break as well, the loop around all trips gives it.
    fn finish(
        &mut self,
        cloner: &mut Cloner<'_>,
        builder: &mut Builder<'_>,
        inst: InstId,
        values: &[Value],
        outside: Option<RegionId>,
    ) {
        let source = cloner.source;
        let Some(outside) = outside else {
            for (local, &value) in source.results(inst).zip(values) {
                cloner.set(builder, local, value);
            }
            return;
        };
        builder.terminate(Op::Break, values);
        let types: SmallVec<[TypeId; 4]> = source.results(inst).map(|l| source.locals[l].ty).collect();
        let trip = wrap(builder, outside, &types);
        for (index, local) in source.results(inst).enumerate() {
            let value = builder.result_at(trip, index);
            cloner.set(builder, local, value);
        }
    }

    /// The rest of a body that goes on early, as the body of a loop that its `continue`s leave.
    fn one_trip(
        &mut self,
        cloner: &mut Cloner<'_>,
        builder: &mut Builder<'_>,
        plan: &Plan,
        insts: &[InstId],
    ) -> SmallVec<[Value; 8]> {
        let source = cloner.source;
        let types: SmallVec<[TypeId; 4]> = source.params(plan.continuing).map(|l| source.locals[l].ty).collect();
        let body = builder.new_region(&[]);
        let outside = builder.enter(body);
        let before = mem::replace(&mut self.going_on, true);
        cloner.insts(builder, insts, self);
        self.going_on = before;
        let trip = wrap(builder, outside, &types);
        (0..types.len()).map(|index| builder.result_at(trip, index)).collect()
    }
}

/// The parameters of the continuing region, where every `continue` agrees on them.
fn go_on(
    values: &mut Vec<Option<Value>>,
    trial: Trial<'_, '_>,
    plan: &Plan,
    enter: &mut impl FnMut(&mut Vec<Option<Value>>, LocalId, Option<Value>),
) {
    let source = trial.cloner.source;
    let mut agreed: Option<SmallVec<[Option<Value>; 8]>> = None;
    let mut stack: SmallVec<[RegionId; 16]> = SmallVec::new();
    stack.push(plan.body);
    while let Some(region) = stack.pop() {
        for &i in &source.regions[region].insts {
            match source.insts[i].op {
                Op::Continue => {
                    let given = source.operands(i).iter().map(|&v| known(values, trial, v));
                    match &mut agreed {
                        None => agreed = Some(given.collect()),
                        Some(before) => before.iter_mut().zip(given).for_each(|(b, v)| *b = b.filter(|_| *b == v)),
                    }
                }
                // Only where there are early ones does more than the end of the body need a look.
                Op::If | Op::Switch if plan.continues => stack.extend_from_slice(source.regions_of(i)),
                _ => {}
            }
        }
    }
    for (local, value) in source.params(plan.continuing).zip(agreed.unwrap_or_default()) {
        enter(values, local, value);
    }
}

/// Makes the region that the builder is in the body of a loop of one trip in `outside`.
fn wrap(builder: &mut Builder<'_>, outside: RegionId, types: &[TypeId]) -> InstId {
    let body = builder.region();
    let continuing = builder.new_region(&[]);
    builder.enter(continuing);
    builder.terminate(Op::Next, &[]);
    builder.enter(outside);
    builder.push_loop(&[], body, continuing, types)
}

/// A trial run of a loop: what it asks about the values of the source.
#[derive(Clone, Copy)]
struct Trial<'t, 's> {
    cloner: &'t Cloner<'s>,
    places: &'t Places,
    inst: InstId,
}

/// The constant that a value is in a trial run. What the loop itself makes is known from this run or not at all: the copy may
/// hold what it was in an earlier trip of a loop around.
fn known(known: &[Option<Value>], trial: Trial<'_, '_>, value: Value) -> Option<Value> {
    let value = match value.as_local() {
        Some(local) => match known.get(local.index()).copied().flatten() {
            Some(value) => value,
            None if trial.places.within(local, trial.inst) => return None,
            None => trial.cloner.value(value),
        },
        None => value,
    };
    value.as_constant().map(|_| value)
}

fn bits(builder: &Builder<'_>, value: Value) -> Option<u64> {
    builder.constants.get(value.as_constant()?)?.lane(0)
}

/// Computes the results of an instruction in a trial run, where they are constant.
fn run(
    values: &mut Vec<Option<Value>>,
    enter: &mut impl FnMut(&mut Vec<Option<Value>>, LocalId, Option<Value>),
    trial: Trial<'_, '_>,
    builder: &mut Builder<'_>,
    denormals: Denormals,
    inst: InstId,
) {
    let source = trial.cloner.source;
    let results: SmallVec<[LocalId; 2]> = source.results(inst).collect();
    if results.is_empty() {
        return;
    }
    let operands: Option<SmallVec<[Value; 8]>> =
        source.operands(inst).iter().map(|&v| known(values, trial, v)).collect();
    let made = operands.and_then(|operands| constants(builder, denormals, source, inst, &operands));
    for (index, &local) in results.iter().enumerate() {
        let value = made.as_ref().and_then(|ids| ids.get(index)).map(|&id| Value::constant(id));
        enter(values, local, value);
    }
}

/// The results of an instruction of `source` on these operands, if they are constants.
fn constants(
    builder: &mut Builder<'_>,
    denormals: Denormals,
    source: &Function,
    inst: InstId,
    operands: &[Value],
) -> Option<SmallVec<[ConstantId; 2]>> {
    let data = &source.insts[inst];
    let pure = data.op.effect() == Effect::Pure && !matches!(data.op, Op::Var | Op::Access);
    if !pure || operands.is_empty() || !operands.iter().all(|v| v.as_constant().is_some()) {
        return None;
    }
    let types: SmallVec<[TypeId; 2]> = source.results(inst).map(|l| source.locals[l].ty).collect();
    let mut tables = Tables {
        types: &mut *builder.types,
        constants: &mut *builder.constants,
        globals: &*builder.globals,
        denormals,
    };
    compute(&mut tables, data.op, data.attr, operands, &types)
}
