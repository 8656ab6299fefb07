//! Puts the bodies of functions where they are called.
//!
//! Callees come first, so each body is copied as it is in the end. A function that returns only at its end is spliced in.
//! Any other is wrapped in a loop of one trip, and `return` becomes its `break`. From within a loop of the callee a `break`
//! leads only out of that loop: there the loop gets two more results, whether it was left by `return` and with what, and an
//! `if` behind it goes on leaving.
//!
//! A call stays where the callee is too large for the options, where regions would nest deeper or the module would grow
//! larger than the limits, in recursion, where a loop that is left by `return` has results without a zero, and where a
//! continuing region calls what holds a `terminate`. Linear in the instructions after it.

use crate::Changed;
use crate::clone::{Cloner, Policy};
use crate::paths::settle_paths;
use crate::rewrite::{Fate, expand};
use aquatint_base::Limits;
use aquatint_ir::types::{self, Type, TypeId, Types};
use aquatint_ir::walk::{Step, Walk};
use aquatint_ir::{Attr, Builder, Function, FunctionId, InstId, LocalId, Module, Op, RegionId, Value};
use smallvec::SmallVec;
use std::mem;

/// Options of [`inline`].
#[derive(Clone, Debug)]
pub struct Inline {
    /// The largest callee, in instructions. Callees with one call are inlined whatever their size.
    pub largest: usize,
    /// Bounds of nesting and of the module's instructions.
    pub limits: Limits,
}

impl Inline {
    /// Every call that can be.
    pub fn all() -> Self {
        Self { largest: usize::MAX, limits: Limits::default() }
    }

    /// Calls of functions of at most so many instructions.
    pub fn up_to(instructions: usize) -> Self {
        Self { largest: instructions, limits: Limits::default() }
    }
}

/// What is known of a function.
#[derive(Clone, Copy, Default)]
struct Facts {
    insts: usize,
    /// Regions around its deepest instruction, from its body.
    depth: usize,
    calls: usize,
    returns: usize,
    /// The only `return` ends the body.
    plain: bool,
    /// It holds a `terminate`, which a continuing region must not.
    terminates: bool,
    /// It has a form that cannot be inlined.
    refused: bool,
}

/// Replaces calls by the bodies of their callees.
pub fn inline(module: &mut Module, options: &Inline) -> Changed {
    let mut functions = mem::take(&mut module.functions);
    let mut facts: Vec<Facts> = functions.iter().map(|(_, f)| facts_of(&module.types, f)).collect();
    let mut changed = false;
    if facts.iter().any(|f| f.calls > 0) {
        let mut callers = vec![0usize; functions.len()];
        for (_, function) in functions.iter() {
            callees(function).for_each(|id| {
                if let Some(count) = callers.get_mut(id.index()) {
                    *count += 1;
                }
            });
        }
        let mut total: usize = facts.iter().map(|f| f.insts).sum();
        let mut done = vec![false; functions.len()];
        for id in callees_first(&functions) {
            if facts[id.index()].calls > 0 {
                let mut caller = mem::replace(&mut functions[id], Function::placeholder());
                let places = places_of(&caller);
                let mut builder = Builder::new(module, &mut caller);
                changed |= expand(&mut builder, &mut |builder, inst| {
                    let Attr::Function(callee) = builder.function.insts[inst].attr else { return Fate::Keep };
                    let Some(known) = facts.get(callee.index()).filter(|f| !f.refused) else { return Fate::Keep };
                    let place = places.get(builder.region().index()).copied().unwrap_or_default();
                    let small = known.insts <= options.largest || callers[callee.index()] == 1;
                    if !done[callee.index()]
                        || !small
                        || (known.terminates && place.in_continuing)
                        || place.depth + known.depth + 2 > options.limits.nesting
                        || total + known.insts > options.limits.instructions
                    {
                        return Fate::Keep;
                    }
                    total += known.insts;
                    let result = call(builder, inst, &functions[callee], known.plain);
                    Fate::Replace(result.into_iter().collect())
                });
                settle_paths(&mut module.types, &mut module.constants, &module.globals, &mut caller);
                facts[id.index()] = facts_of(&module.types, &caller);
                functions[id] = caller;
            }
            done[id.index()] = true;
        }
    }
    module.functions = functions;
    changed.into()
}

fn callees(function: &Function) -> impl Iterator<Item = FunctionId> + '_ {
    Walk::new(function).insts().filter_map(|inst| match (function.insts[inst].op, function.insts[inst].attr) {
        (Op::Call, Attr::Function(id)) => Some(id),
        _ => None,
    })
}

/// All functions, each after those that it calls. In a cycle, which the verifier refuses, one comes too early.
fn callees_first(functions: &aquatint_base::Arena<Function>) -> Vec<FunctionId> {
    let mut order = Vec::with_capacity(functions.len());
    let mut seen = vec![false; functions.len()];
    let mut stack: Vec<(FunctionId, Vec<FunctionId>)> = Vec::new();
    for root in functions.ids() {
        if mem::replace(&mut seen[root.index()], true) {
            continue;
        }
        stack.push((root, callees(&functions[root]).collect()));
        while let Some((id, rest)) = stack.last_mut() {
            match rest.pop() {
                Some(callee) => {
                    if let Some(seen) = seen.get_mut(callee.index())
                        && !mem::replace(seen, true)
                    {
                        stack.push((callee, callees(&functions[callee]).collect()));
                    }
                }
                None => {
                    order.push(*id);
                    stack.pop();
                }
            }
        }
    }
    order
}

fn facts_of(types: &Types, function: &Function) -> Facts {
    let mut facts = Facts::default();
    // Whether each open region belongs to a loop, and whether it is a continuing one.
    let mut owners: Vec<Option<InstId>> = Vec::new();
    let mut regions = Vec::new();
    let mut last = None;
    let zeroed = |ty: TypeId| !types.is_handle(ty) && !matches!(types.get(ty), Type::Pointer { .. });
    for step in Walk::new(function) {
        match step {
            Step::Enter(region, depth) => {
                facts.depth = facts.depth.max(depth);
                owners.push(last);
                regions.push(region);
            }
            Step::Leave(_) => {
                last = owners.pop().flatten();
                regions.pop();
            }
            Step::Inst(inst) => {
                last = Some(inst);
                facts.insts += 1;
                match function.insts[inst].op {
                    Op::Call => facts.calls += 1,
                    Op::Terminate => facts.terminates = true,
                    Op::Return => {
                        facts.returns += 1;
                        facts.refused |= !function.operands(inst).is_empty() && !zeroed(function.result);
                        for (&owner, &region) in owners.iter().zip(&regions) {
                            let Some(owner) = owner.filter(|&o| function.insts[o].op == Op::Loop) else { continue };
                            let continuing = function.regions_of(owner).get(1) == Some(&region);
                            facts.refused |=
                                continuing || function.results(owner).any(|local| !zeroed(function.locals[local].ty));
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    let ends = function.terminator(function.body).is_some_and(|t| function.insts[t].op == Op::Return);
    facts.plain = facts.returns == 1 && ends;
    if facts.plain {
        facts.refused = false;
    }
    facts
}

/// Where a region stands in its function.
#[derive(Clone, Copy, Default)]
struct Place {
    /// The number of regions around it.
    depth: usize,
    /// Whether it is, or lies in, the continuing region of a loop.
    in_continuing: bool,
}

/// The place of each region.
fn places_of(function: &Function) -> Vec<Place> {
    let mut places = vec![Place::default(); function.regions.len()];
    let mut open = Vec::new();
    for step in Walk::new(function) {
        match step {
            Step::Enter(region, depth) => {
                places[region.index()].depth = depth;
                open.push(region);
            }
            Step::Leave(_) => {
                open.pop();
            }
            Step::Inst(inst) => {
                let outer = open.last().is_some_and(|r: &RegionId| places[r.index()].in_continuing);
                for (index, region) in function.regions_of(inst).iter().enumerate() {
                    let continuing = index == 1 && function.insts[inst].op == Op::Loop;
                    places[region.index()].in_continuing = outer || continuing;
                }
            }
        }
    }
    places
}

/// Emits the body of `callee` for a call, and gives the call's result.
fn call(builder: &mut Builder<'_>, call: InstId, callee: &Function, plain: bool) -> Option<Value> {
    let arguments: SmallVec<[Value; 8]> = SmallVec::from_slice(builder.function.operands(call));
    let mut cloner = Cloner::into_other(callee);
    for (local, &argument) in callee.params(callee.body).zip(&arguments) {
        cloner.set(builder, local, argument);
    }
    let insts = &callee.regions[callee.body].insts;
    if plain {
        let (&end, before) = insts.split_last()?;
        cloner.insts(builder, before, &mut Returns { result: None, inner: Vec::new(), loops: SmallVec::new() });
        return cloner.operands(end).first().copied();
    }
    let result = (callee.result != types::VOID).then_some(callee.result);
    let loops = loops_with_returns(callee);
    let mut policy = Returns { result, inner: loops, loops: SmallVec::new() };
    let body = builder.new_region(&[]);
    let outside = builder.enter(body);
    cloner.insts(builder, insts, &mut policy);
    let continuing = builder.new_region(&[]);
    builder.enter(continuing);
    builder.terminate(Op::Next, &[]);
    builder.enter(outside);
    builder.span_of(call);
    let trip = builder.push_loop(&[], body, continuing, result.as_slice());
    result.map(|_| builder.result(trip))
}

/// Which loops are left by a `return`, by instruction.
fn loops_with_returns(function: &Function) -> Vec<bool> {
    let mut with = vec![false; function.insts.len()];
    let mut owners: Vec<Option<InstId>> = Vec::new();
    let mut last = None;
    for step in Walk::new(function) {
        match step {
            Step::Enter(..) => owners.push(last),
            Step::Leave(_) => last = owners.pop().flatten(),
            Step::Inst(inst) => {
                last = Some(inst);
                if function.insts[inst].op == Op::Return {
                    for owner in owners.iter().flatten() {
                        with[owner.index()] |= function.insts[*owner].op == Op::Loop;
                    }
                }
            }
        }
    }
    with
}

/// Turns `return` into leaving the loop around the inlined body.
struct Returns {
    result: Option<TypeId>,
    /// Loops of the callee that are left by a `return`, by instruction.
    inner: Vec<bool>,
    /// The loops of the callee that are open, innermost last: the types of the results of those in `inner`.
    loops: SmallVec<[Option<SmallVec<[TypeId; 4]>>; 4]>,
}

impl Returns {
    /// Leaves the callee with a value from where the builder stands.
    fn leave(&self, builder: &mut Builder<'_>, value: Option<Value>) {
        let mut operands: SmallVec<[Value; 8]> = SmallVec::new();
        if let Some(Some(types)) = self.loops.last() {
            operands.extend(types.iter().map(|&ty| builder.zero(ty)));
            operands.push(builder.bool(true));
        }
        operands.extend(value);
        builder.terminate(Op::Break, &operands);
    }
}

impl Policy for Returns {
    fn emit(&mut self, cloner: &mut Cloner<'_>, builder: &mut Builder<'_>, inst: InstId) -> bool {
        match cloner.source.insts[inst].op {
            Op::Return => {
                let value = cloner.operands(inst).first().copied();
                self.leave(builder, value);
                true
            }
            Op::Break => {
                let Some(Some(_)) = self.loops.last() else { return false };
                let mut operands = cloner.operands(inst);
                operands.push(builder.bool(false));
                if let Some(ty) = self.result {
                    operands.push(builder.zero(ty));
                }
                builder.terminate(Op::Break, &operands);
                true
            }
            Op::Loop => {
                let source = cloner.source;
                if !self.inner.get(inst.index()).copied().unwrap_or(false) {
                    self.loops.push(None);
                    cloner.inst(builder, inst, &[], self);
                    self.loops.pop();
                    return true;
                }
                let types: SmallVec<[TypeId; 4]> = source.results(inst).map(|l| source.locals[l].ty).collect();
                let count = types.len();
                self.loops.push(Some(types));
                let more: SmallVec<[TypeId; 2]> = [types::BOOL].into_iter().chain(self.result).collect();
                let new = cloner.inst(builder, inst, &more, self);
                self.loops.pop();
                let first = builder.function.insts[new].results.start as usize + count;
                let left = Value::local(LocalId::new(first));
                let value = self.result.map(|_| Value::local(LocalId::new(first + 1)));
                let then = builder.new_region(&[]);
                let other = builder.new_region(&[]);
                let outside = builder.enter(then);
                self.leave(builder, value);
                builder.enter(other);
                builder.terminate(Op::Yield, &[]);
                builder.enter(outside);
                builder.push_if(left, then, other, &[]);
                true
            }
            _ => false,
        }
    }
}
