//! Makes control flow simple where it is decided or cheap: an `if` or `switch` on a constant, a loop that always leaves in
//! its first trip, arms that do the same, arms so cheap that a `select` is better, code that follows where nobody comes.
//!
//! One sweep; what a splice brings in was visited before, innermost first. Linear: whatever is compared or moved is
//! bounded by a constant, and each instruction is spliced at most once a level of nesting.

use crate::Changed;
use crate::op_set::OpSet;
use crate::rewrite::{Replacements, build_functions, rename};
use aquatint_ir::types::{self, Type};
use aquatint_ir::walk::use_counts;
use aquatint_ir::{Attr, Builder, Effect, Function, InstId, LocalId, Module, Op, RegionId, Value};
use smallvec::SmallVec;
use std::mem;

/// The most instructions that both arms of an `if` may have to be computed always.
const SPECULATED: usize = 4;
/// The most results that become selects.
const SELECTS: usize = 4;
/// The longest arms that are compared.
const COMPARED: usize = 32;

/// Decides, merges and removes branches.
pub fn simplify_branches(module: &mut Module) -> Changed {
    build_functions(
        module,
        |function| OpSet::at_most(function).meets(OpSet::of(&[Op::If, Op::Loop, Op::Switch])),
        |builder| {
            let body = builder.function.body;
            let uses = use_counts(builder.function);
            let mut state = State { builder, replace: Replacements::lazy(), uses, continuing: None, changed: false };
            state.region(body);
            let State { changed, replace, .. } = state;
            builder.enter(body);
            replace.settle(builder.types, builder.constants, builder.globals, builder.function);
            changed
        },
    )
}

struct State<'b, 'm> {
    builder: &'b mut Builder<'m>,
    replace: Replacements,
    /// How often each local was used at the start.
    uses: Vec<u32>,
    /// The innermost continuing region that is open. It ends in `next` or `unreachable` whatever is spliced into it.
    continuing: Option<RegionId>,
    changed: bool,
}

impl State<'_, '_> {
    fn region(&mut self, region: RegionId) {
        let old = mem::take(&mut self.builder.function.regions[region].insts);
        self.builder.function.regions[region].insts = Vec::with_capacity(old.len());
        let mut rest = old.into_iter();
        while let Some(inst) = rest.next() {
            self.replace.rewrite(self.builder.function, inst);
            self.builder.enter(region);
            self.builder.span_of(inst);
            let data = self.builder.function.insts[inst];
            match data.op {
                Op::If => self.visit_if(region, inst),
                Op::Switch => self.visit_switch(region, inst),
                Op::Loop => self.visit_loop(region, inst),
                _ => self.builder.function.regions[region].insts.push(inst),
            }
            if self.ends(region) {
                // Nobody comes behind a terminator, and behind an instruction that never ends.
                self.changed |= rest.len() > 0;
                break;
            }
            if data.op.is_structured() && self.never_goes_on(region) {
                let only_marked = matches!(rest.as_slice(), &[next] if self.op(next) == Op::Unreachable);
                self.changed |= !only_marked;
                match only_marked {
                    true => self.builder.function.regions[region].insts.extend(rest),
                    false => {
                        self.builder.enter(region);
                        self.builder.terminate(Op::Unreachable, &[]);
                    }
                }
                break;
            }
        }
    }

    fn op(&self, inst: InstId) -> Op {
        self.builder.function.insts[inst].op
    }

    fn ends(&self, region: RegionId) -> bool {
        self.builder.function.terminator(region).is_some()
    }

    /// Whether the last instruction of the region is an `if` or `switch` none of whose regions comes back.
    fn never_goes_on(&self, region: RegionId) -> bool {
        let function = &*self.builder.function;
        let Some(&last) = function.regions[region].insts.last() else { return false };
        matches!(function.insts[last].op, Op::If | Op::Switch)
            && function
                .regions_of(last)
                .iter()
                .all(|&r| function.terminator(r).is_some_and(|t| !matches!(function.insts[t].op, Op::Yield)))
    }

    /// Whether `from` can stand at the end of `to`: a `break` may lie within a continuing region, and not end it.
    fn can_splice(&self, to: RegionId, from: RegionId) -> bool {
        let end = self.builder.function.terminator(from);
        self.continuing != Some(to) || end.is_none_or(|t| matches!(self.op(t), Op::Yield | Op::Unreachable))
    }

    /// The region's list at the end of `to`, in place of `inst`, whose results are the operands of a `yield` at the end.
    fn splice(&mut self, to: RegionId, inst: InstId, from: RegionId) {
        self.changed = true;
        let mut insts = mem::take(&mut self.builder.function.regions[from].insts);
        if let Some(&last) = insts.last()
            && self.op(last) == Op::Yield
        {
            insts.pop();
            self.results_are(inst, last);
        }
        self.builder.function.regions[to].insts.extend(insts);
    }

    fn results_are(&mut self, inst: InstId, exit: InstId) {
        let values: SmallVec<[Value; 8]> = SmallVec::from_slice(self.builder.function.operands(exit));
        for (local, value) in self.builder.function.results(inst).zip(values) {
            self.replace.set(local, value);
            rename(self.builder.function, local, value);
        }
    }

    /// The bits of a constant operand.
    fn bits(&self, value: Value) -> Option<u64> {
        self.builder.constants.get(value.as_constant()?)?.lane(0)
    }

    fn visit_if(&mut self, region: RegionId, inst: InstId) {
        let (&[condition], &[mut then, mut other]) =
            (self.builder.function.operands(inst), self.builder.function.regions_of(inst))
        else {
            return self.builder.function.regions[region].insts.push(inst);
        };
        if let Some(bits) = self.bits(condition) {
            let (taken, never) = if bits != 0 { (then, other) } else { (other, then) };
            // After the splice its own instructions are as visited as they would be in place.
            self.region(taken);
            if self.can_splice(region, taken) {
                self.builder.enter(region);
                return self.splice(region, inst, taken);
            }
            self.region(never);
            return self.builder.function.regions[region].insts.push(inst);
        }
        let mut condition = condition;
        if let Some(def) = condition.as_local().and_then(|l| self.builder.function.def_inst(l))
            && self.op(def) == Op::Not
            && let &[inner] = self.builder.function.operands(def)
        {
            let owned = self.builder.function.insts[inst].regions.range();
            self.builder.function.owned[owned].swap(0, 1);
            self.builder.function.operands_mut(inst)[0] = inner;
            mem::swap(&mut then, &mut other);
            condition = inner;
            self.changed = true;
        }
        self.region(then);
        self.region(other);
        self.builder.enter(region);
        if self.can_splice(region, then) && self.arms_equal(then, other) {
            return self.splice(region, inst, then);
        }
        if self.speculates(inst, then, other) {
            return self.select(region, inst, condition, then, other);
        }
        self.same_results(inst, then, other);
        self.builder.function.regions[region].insts.push(inst);
    }

    /// Results that are one value in both arms need not be results.
    fn same_results(&mut self, inst: InstId, then: RegionId, other: RegionId) {
        let function = &*self.builder.function;
        let (Some(a), Some(b)) = (function.terminator(then), function.terminator(other)) else { return };
        let (yield_a, yield_b) = (self.op(a) == Op::Yield, self.op(b) == Op::Yield);
        let count = function.results(inst).len();
        for index in 0..count {
            let (x, y) =
                (function_operand(self.builder.function, a, index), function_operand(self.builder.function, b, index));
            // Equal operands of both arms can only be defined outside of them. Where only one arm comes back, its value
            // may be defined within, and so may not be used outside.
            let same = match (yield_a, yield_b) {
                (true, true) => x.filter(|_| x == y),
                (true, false) => x.filter(|v| v.as_local().is_none()),
                (false, true) => y.filter(|v| v.as_local().is_none()),
                (false, false) => None,
            };
            let local = LocalId::new(self.builder.function.insts[inst].results.start as usize + index);
            if let Some(value) = same {
                self.replace.set(local, value);
                // The result itself goes with dead code; where nobody uses it, nothing changes here.
                self.changed |= self.uses.get(local.index()).is_some_and(|&uses| uses > 0);
            }
        }
    }

    /// Whether both arms are short, do the same and give the same.
    fn arms_equal(&self, then: RegionId, other: RegionId) -> bool {
        let function = &*self.builder.function;
        let (a, b) = (&function.regions[then].insts, &function.regions[other].insts);
        if a.len() != b.len() || a.len() > COMPARED {
            return false;
        }
        // Each local of the second arm with the one of the first that it equals.
        let mut pairs: SmallVec<[(LocalId, LocalId); COMPARED]> = SmallVec::new();
        for (&x, &y) in a.iter().zip(b) {
            let (dx, dy) = (&function.insts[x], &function.insts[y]);
            let alike = dx.op == dy.op
                && dx.attr == dy.attr
                && dx.precise == dy.precise
                && dx.regions.len == 0
                && dy.regions.len == 0
                && dx.operands.len == dy.operands.len
                && dx.results.len == dy.results.len;
            if !alike {
                return false;
            }
            for (&v, &w) in function.operands(x).iter().zip(function.operands(y)) {
                let paired = w.as_local().and_then(|w| pairs.iter().find(|&&(from, _)| from == w));
                if v != paired.map_or(w, |&(_, to)| Value::local(to)) {
                    return false;
                }
            }
            for (v, w) in function.results(x).zip(function.results(y)) {
                if function.locals[v].ty != function.locals[w].ty {
                    return false;
                }
                pairs.push((w, v));
            }
        }
        true
    }

    /// Whether both arms come back, without effect, and are cheap enough to be computed always.
    fn speculates(&self, inst: InstId, then: RegionId, other: RegionId) -> bool {
        let function = &*self.builder.function;
        let selectable = |local: LocalId| {
            matches!(self.builder.types.get(function.locals[local].ty), Type::Scalar(_) | Type::Vector(..))
        };
        if function.results(inst).len() > SELECTS || !function.results(inst).all(selectable) {
            return false;
        }
        let mut count = 0;
        for arm in [then, other] {
            let Some((&end, insts)) = function.regions[arm].insts.split_last() else { return false };
            count += insts.len();
            if function.insts[end].op != Op::Yield || count > SPECULATED {
                return false;
            }
            if !insts.iter().all(|&i| is_cheap(function, i)) {
                return false;
            }
        }
        true
    }

    fn select(&mut self, region: RegionId, inst: InstId, condition: Value, then: RegionId, other: RegionId) {
        self.changed = true;
        let mut ends: SmallVec<[InstId; 2]> = SmallVec::new();
        for arm in [then, other] {
            let mut insts = mem::take(&mut self.builder.function.regions[arm].insts);
            ends.extend(insts.pop());
            self.builder.function.regions[region].insts.extend(insts);
        }
        let &[a, b] = ends.as_slice() else { return };
        for (index, local) in self.builder.function.results(inst).enumerate() {
            let (x, y) =
                (function_operand(self.builder.function, a, index), function_operand(self.builder.function, b, index));
            let (Some(x), Some(y)) = (x, y) else { continue };
            let value = if x == y { x } else { self.builder.select(condition, x, y) };
            self.replace.set(local, value);
            rename(self.builder.function, local, value);
        }
    }

    fn visit_switch(&mut self, region: RegionId, inst: InstId) {
        let data = self.builder.function.insts[inst];
        let owned: SmallVec<[RegionId; 8]> = SmallVec::from_slice(self.builder.function.regions_of(inst));
        let taken = match (self.builder.function.operands(inst).first(), data.attr) {
            // The parameters of the cases are known before it shows how the last of them ends.
            (Some(&selector), Attr::Cases(cases)) if self.continuing != Some(region) || !self.leaves(&owned, None) => {
                self.taken(selector, cases)
            }
            _ => None,
        };
        let Some(first) = taken else {
            owned.iter().for_each(|&r| self.region(r));
            self.builder.function.regions[region].insts.push(inst);
            return;
        };
        // Entered by its selector, the parameters of a case are zero.
        for local in self.builder.function.params(owned[first]) {
            let zero = self.builder.zero(self.builder.function.locals[local].ty);
            self.replace.set(local, zero);
        }
        for (index, &case) in owned.iter().enumerate().skip(first) {
            self.region(case);
            self.builder.enter(region);
            let end = self.builder.function.terminator(case);
            let Some(end) = end.filter(|&t| self.op(t) == Op::Fallthrough) else {
                return self.splice(region, inst, case);
            };
            self.changed = true;
            let mut insts = mem::take(&mut self.builder.function.regions[case].insts);
            insts.pop();
            self.builder.function.regions[region].insts.extend(insts);
            let values: SmallVec<[Value; 8]> = SmallVec::from_slice(self.builder.function.operands(end));
            if let Some(&next) = owned.get(index + 1) {
                for (local, value) in self.builder.function.params(next).zip(values) {
                    self.replace.set(local, value);
                }
            }
        }
    }

    /// The region that a switch surely goes to: by a constant selector, or as there is only one and nobody falls into it.
    fn taken(&self, selector: Value, cases: aquatint_base::Id<aquatint_ir::Cases>) -> Option<usize> {
        let cases = &self.builder.function.cases.get(cases)?.regions;
        if cases.len() == 1 {
            return Some(0);
        }
        let bits = self.bits(selector)?;
        let found = cases.iter().position(|c| c.values.contains(&bits));
        found.or_else(|| cases.iter().position(|c| c.default))
    }

    fn visit_loop(&mut self, region: RegionId, inst: InstId) {
        let &[body, continuing] = self.builder.function.regions_of(inst) else {
            return self.builder.function.regions[region].insts.push(inst);
        };
        if !self.goes_once(body) {
            self.region(body);
            let around = self.continuing.replace(continuing);
            self.region(continuing);
            self.continuing = around;
            self.builder.function.regions[region].insts.push(inst);
            return;
        }
        let first: SmallVec<[Value; 8]> = SmallVec::from_slice(self.builder.function.operands(inst));
        for (local, value) in self.builder.function.params(body).zip(first) {
            self.replace.set(local, value);
            rename(self.builder.function, local, value);
        }
        self.region(body);
        self.builder.enter(region);
        let mut insts = mem::take(&mut self.builder.function.regions[body].insts);
        if let Some(&end) = insts.last()
            && self.op(end) == Op::Break
        {
            insts.pop();
            self.results_are(inst, end);
        }
        self.builder.function.regions[region].insts.extend(insts);
        self.changed = true;
    }

    /// Whether a loop's body ends otherwise than by `continue` and holds no other way round or out.
    fn goes_once(&self, body: RegionId) -> bool {
        let function = &*self.builder.function;
        let Some(end) = function.terminator(body) else { return false };
        function.insts[end].op != Op::Continue && !self.leaves(&[body], Some(end))
    }

    /// Whether the regions hold another `break` or `continue` of the loop around than `except`.
    fn leaves(&self, regions: &[RegionId], except: Option<InstId>) -> bool {
        let function = &*self.builder.function;
        // The regions of inner loops have their own.
        let mut stack: SmallVec<[RegionId; 16]> = SmallVec::from_slice(regions);
        while let Some(region) = stack.pop() {
            for &inst in &function.regions[region].insts {
                match function.insts[inst].op {
                    Op::Break | Op::Continue if except != Some(inst) => return true,
                    Op::If | Op::Switch => stack.extend_from_slice(function.regions_of(inst)),
                    _ => {}
                }
            }
        }
        false
    }
}

fn function_operand(function: &Function, inst: InstId, index: usize) -> Option<Value> {
    function.operands(inst).get(index).copied()
}

/// Whether an instruction may be computed where it was not asked for at little cost.
fn is_cheap(function: &Function, inst: InstId) -> bool {
    let op = function.insts[inst].op;
    op.effect() == Effect::Pure
        && !matches!(
            op,
            Op::Var
                | Op::Access
                | Op::FDiv
                | Op::FRem
                | Op::IDiv
                | Op::IRem
                | Op::Pow
                | Op::PowD3d9
                | Op::Sin
                | Op::Cos
                | Op::Tan
                | Op::Asin
                | Op::Acos
                | Op::Atan
                | Op::Atan2
                | Op::Sinh
                | Op::Cosh
                | Op::Tanh
                | Op::MulMm
                | Op::MulMv
                | Op::MulVm
                | Op::Determinant
                | Op::Refract
                | Op::LitD3d9
                | Op::NrmD3d9
                | Op::Normalize
        )
        && function.results(inst).all(|local| types::lanes_of(function.locals[local].ty).is_some())
}
