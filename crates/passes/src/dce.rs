//! Takes away what nothing needs: unused values, results and carried values that nobody reads (in cycles as well), stores
//! to local variables that nobody loads, and structured instructions that are left without effect.
//!
//! A function without structured instructions is swept once from its end, which also finds stores that a later store
//! hides. Others are marked from their effects through a work list, then swept. A loop that goes round stays even where
//! nothing needs its results: the meaning of a shader that never ends is that it never ends. Linear.

use crate::Changed;
use crate::op_set::OpSet;
use crate::rewrite::{Replacements, each_function};
use aquatint_base::HashMap;
use aquatint_ir::function::Slice;
use aquatint_ir::walk::{Step, Walk};
use aquatint_ir::{Def, Effect, Function, InstId, Local, LocalId, Module, Op, RegionId, Value};
use std::mem;

const STRUCTURED: OpSet = OpSet::of(&[Op::If, Op::Loop, Op::Switch]);

/// Removes dead instructions, results, carried values and stores.
pub fn dce(module: &mut Module) -> Changed {
    each_function(module, |_, function| {
        if OpSet::at_most(function).meets(STRUCTURED) {
            let mut mark = Mark::new(function);
            mark.run();
            let Mark { live_inst, live_local, .. } = mark;
            Sweep { live_inst, live_local, replace: Replacements::lazy(), changed: false }.run(function)
        } else {
            straight_line(function)
        }
    })
}

/// The local variable that a pointer leads into, if it is one.
fn base_variable(function: &Function, mut pointer: Value) -> Option<LocalId> {
    loop {
        let local = pointer.as_local()?;
        let inst = function.def_inst(local)?;
        match function.insts[inst].op {
            Op::Var => return Some(local),
            Op::Access => pointer = *function.operands(inst).first()?,
            _ => return None,
        }
    }
}

fn straight_line(function: &mut Function) -> bool {
    const LIVE: u8 = 1;
    /// The variable is loaded further down.
    const READ: u8 = 2;
    let mut marks = vec![0u8; function.locals.len()];
    let mut insts = mem::take(&mut function.regions[function.body].insts);
    let before = insts.len();
    let mut kept = before;
    for index in (0..before).rev() {
        let inst = insts[index];
        let data = &function.insts[inst];
        let keep = match data.op {
            Op::Store => match function.operands(inst) {
                &[pointer, _] => match base_variable(function, pointer) {
                    Some(base) => {
                        let mark = &mut marks[base.index()];
                        let read = *mark & READ != 0;
                        if read && pointer == Value::local(base) {
                            *mark &= !READ;
                        }
                        read
                    }
                    None => true,
                },
                _ => true,
            },
            op => match op.effect() {
                Effect::Writes | Effect::Control => true,
                Effect::Pure | Effect::Reads | Effect::Quad => {
                    data.results.range().any(|local| marks.get(local).is_some_and(|m| m & LIVE != 0))
                }
            },
        };
        if !keep {
            continue;
        }
        let reads = !matches!(data.op, Op::Store | Op::Access);
        for &operand in function.operands(inst) {
            if let Some(local) = operand.as_local() {
                marks[local.index()] |= LIVE;
                if reads && let Some(base) = base_variable(function, operand) {
                    marks[base.index()] |= READ;
                }
            }
        }
        kept -= 1;
        insts[kept] = inst;
    }
    insts.drain(..kept);
    let changed = insts.len() != before;
    function.regions[function.body].insts = insts;
    changed
}

/// No further instruction in a list.
const END: u32 = u32::MAX;

struct Mark<'f> {
    function: &'f Function,
    live_inst: Vec<bool>,
    live_local: Vec<bool>,
    work: Vec<Work>,
    /// The instruction that owns each region.
    owner: Vec<Option<InstId>>,
    /// The region that each instruction stands in.
    place: Vec<Option<RegionId>>,
    /// The first terminator that leads to each structured instruction, and from each terminator the next one.
    first: Vec<u32>,
    next: Vec<u32>,
    /// The stores into each local variable: the last of the list, and from each store the one before.
    stores: HashMap<LocalId, u32>,
}

enum Work {
    Inst(InstId),
    Local(LocalId),
}

impl<'f> Mark<'f> {
    fn new(function: &'f Function) -> Self {
        let insts = function.insts.len();
        Self {
            function,
            live_inst: vec![false; insts],
            live_local: vec![false; function.locals.len()],
            work: Vec::new(),
            owner: vec![None; function.regions.len()],
            place: vec![None; insts],
            first: vec![END; insts],
            next: vec![END; insts],
            stores: HashMap::default(),
        }
    }

    fn run(&mut self) {
        self.roots();
        while let Some(work) = self.work.pop() {
            match work {
                Work::Inst(inst) => self.needs_of_inst(inst),
                Work::Local(local) => self.needs_of_local(local),
            }
        }
    }

    /// Fills the tables and marks what has an effect by itself.
    fn roots(&mut self) {
        let function = self.function;
        let mut regions: Vec<RegionId> = Vec::new();
        // The loop around each open region, for `break` and `continue`.
        let mut loops: Vec<(usize, InstId, bool)> = Vec::new();
        for step in Walk::new(function) {
            let inst = match step {
                Step::Enter(region, _) => {
                    regions.push(region);
                    continue;
                }
                Step::Leave(region) => {
                    regions.pop();
                    if let Some(&(depth, inst, goes_round)) = loops.last()
                        && depth == regions.len()
                        && function.regions_of(inst).last() == Some(&region)
                    {
                        loops.pop();
                        if goes_round {
                            self.mark_inst(inst);
                        }
                    }
                    continue;
                }
                Step::Inst(inst) => inst,
            };
            let Some(&region) = regions.last() else { continue };
            self.place[inst.index()] = Some(region);
            let op = function.insts[inst].op;
            match op {
                Op::If | Op::Loop | Op::Switch => {
                    for &owned in function.regions_of(inst) {
                        self.owner[owned.index()] = Some(inst);
                    }
                    if op == Op::Loop {
                        loops.push((regions.len(), inst, false));
                    }
                }
                Op::Yield | Op::Fallthrough | Op::Next => {
                    if let Some(owner) = self.owner[region.index()] {
                        self.link(owner, inst);
                    }
                }
                Op::Break | Op::Continue => {
                    if let Some((_, owner, goes_round)) = loops.last_mut() {
                        *goes_round |= op == Op::Continue;
                        let owner = *owner;
                        self.link(owner, inst);
                    }
                }
                Op::Store => match function.operands(inst).first().and_then(|&p| base_variable(function, p)) {
                    Some(base) => {
                        let last = self.stores.insert(base, inst.index() as u32);
                        self.next[inst.index()] = last.unwrap_or(END);
                    }
                    None => self.mark_inst(inst),
                },
                op if matches!(op.effect(), Effect::Writes | Effect::Control) => self.mark_inst(inst),
                _ => {}
            }
        }
    }

    fn link(&mut self, owner: InstId, terminator: InstId) {
        self.next[terminator.index()] = self.first[owner.index()];
        self.first[owner.index()] = terminator.index() as u32;
    }

    fn mark_inst(&mut self, inst: InstId) {
        if !mem::replace(&mut self.live_inst[inst.index()], true) {
            self.work.push(Work::Inst(inst));
        }
    }

    fn mark_value(&mut self, value: Value) {
        if let Some(local) = value.as_local()
            && let Some(live) = self.live_local.get_mut(local.index())
            && !mem::replace(live, true)
        {
            self.work.push(Work::Local(local));
        }
    }

    fn needs_of_inst(&mut self, inst: InstId) {
        let function = self.function;
        if let Some(owner) = self.place[inst.index()].and_then(|region| self.owner[region.index()]) {
            self.mark_inst(owner);
        }
        let op = function.insts[inst].op;
        match op {
            Op::If | Op::Switch => {
                if let Some(&selector) = function.operands(inst).first() {
                    self.mark_value(selector);
                }
            }
            // Where the loop is left and where it goes round is part of it; which values go along is not.
            Op::Loop => self.each_exit(inst, |mark, exit| mark.mark_inst(exit)),
            Op::Yield | Op::Fallthrough | Op::Next | Op::Break | Op::Continue => {}
            _ => {
                let reads = !matches!(op, Op::Store | Op::Access);
                for &operand in function.operands(inst) {
                    self.mark_value(operand);
                    if reads
                        && operand.as_local().is_some()
                        && let Some(base) = base_variable(function, operand)
                    {
                        // Taking the list away makes each store be looked at once.
                        let mut store = self.stores.remove(&base).unwrap_or(END);
                        while store != END {
                            self.mark_inst(InstId::new(store as usize));
                            store = self.next[store as usize];
                        }
                    }
                }
            }
        }
    }

    fn each_exit(&mut self, inst: InstId, mut visit: impl FnMut(&mut Self, InstId)) {
        let mut exit = self.first[inst.index()];
        while exit != END {
            visit(self, InstId::new(exit as usize));
            exit = self.next[exit as usize];
        }
    }

    /// Marks operand `index` of the terminators of the given kind that lead to `inst`.
    fn mark_exits(&mut self, inst: InstId, op: Op, index: usize) {
        self.each_exit(inst, |mark, exit| {
            if mark.function.insts[exit].op == op
                && let Some(&value) = mark.function.operands(exit).get(index)
            {
                mark.mark_value(value);
            }
        });
    }

    fn needs_of_local(&mut self, local: LocalId) {
        let function = self.function;
        match function.locals[local].def {
            Def::Result(inst, index) => {
                self.mark_inst(inst);
                match function.insts[inst].op {
                    Op::If | Op::Switch => self.mark_exits(inst, Op::Yield, index as usize),
                    Op::Loop => self.mark_exits(inst, Op::Break, index as usize),
                    _ => {}
                }
            }
            Def::Param(region, index) => {
                let Some(owner) = self.owner[region.index()] else { return };
                self.mark_inst(owner);
                let index = index as usize;
                match (function.insts[owner].op, function.regions_of(owner)) {
                    (Op::Loop, [body, _]) if *body == region => {
                        if let Some(&first) = function.operands(owner).get(index) {
                            self.mark_value(first);
                        }
                        self.mark_exits(owner, Op::Next, index);
                    }
                    (Op::Loop, _) => self.mark_exits(owner, Op::Continue, index),
                    (Op::Switch, regions) => {
                        let before = regions.iter().position(|&r| r == region).and_then(|i| i.checked_sub(1));
                        if let Some(exit) = before.and_then(|i| function.terminator(regions[i]))
                            && function.insts[exit].op == Op::Fallthrough
                            && let Some(&value) = function.operands(exit).get(index)
                        {
                            self.mark_value(value);
                        }
                    }
                    _ => {}
                }
            }
        }
    }
}

struct Sweep {
    live_inst: Vec<bool>,
    live_local: Vec<bool>,
    replace: Replacements,
    changed: bool,
}

/// What the terminators of a region lead to, as slices of locals before any was removed.
#[derive(Clone, Copy, Default)]
struct Targets {
    /// Results of the `if` or `switch` that owns the region.
    yields: Slice,
    /// Results of the innermost loop.
    breaks: Slice,
    /// Parameters of its continuing region.
    continues: Slice,
    /// Parameters of its body.
    nexts: Slice,
    /// Parameters of the next case.
    falls: Slice,
}

impl Sweep {
    fn run(mut self, function: &mut Function) -> bool {
        self.region(function, function.body, Targets::default());
        self.changed
    }

    fn region(&mut self, function: &mut Function, region: RegionId, targets: Targets) {
        let mut insts = mem::take(&mut function.regions[region].insts);
        let mut kept = 0;
        for index in 0..insts.len() {
            let inst = insts[index];
            let op = function.insts[inst].op;
            if !op.is_terminator() && !self.live_inst[inst.index()] {
                self.changed = true;
                continue;
            }
            self.replace.rewrite(function, inst);
            match op {
                Op::If | Op::Loop | Op::Switch => self.structured(function, inst, op, targets),
                Op::Yield => self.keep_operands(function, inst, targets.yields),
                Op::Break => self.keep_operands(function, inst, targets.breaks),
                Op::Continue => self.keep_operands(function, inst, targets.continues),
                Op::Next => self.keep_operands(function, inst, targets.nexts),
                Op::Fallthrough => self.keep_operands(function, inst, targets.falls),
                _ => {}
            }
            insts[kept] = inst;
            kept += 1;
        }
        insts.truncate(kept);
        function.regions[region].insts = insts;
    }

    fn structured(&mut self, function: &mut Function, inst: InstId, op: Op, around: Targets) {
        let results = function.insts[inst].results;
        let owned = function.insts[inst].regions.range();
        match op {
            Op::Loop if owned.len() == 2 => {
                let [body, continuing] = [function.owned[owned.start], function.owned[owned.start + 1]];
                let params = function.regions[body].params;
                let continues = function.regions[continuing].params;
                self.keep_operands(function, inst, params);
                self.keep_params(function, body);
                self.keep_params(function, continuing);
                let targets = Targets { breaks: results, continues, nexts: params, ..Targets::default() };
                self.region(function, body, targets);
                self.region(function, continuing, targets);
            }
            _ => {
                let mut params = Slice::default();
                for index in owned.rev() {
                    let region = function.owned[index];
                    // Backward, so that the parameters of the next case are known as they were before.
                    let targets = Targets { yields: results, falls: params, ..around };
                    params = function.regions[region].params;
                    self.keep_params(function, region);
                    self.region(function, region, targets);
                }
            }
        }
        function.insts[inst].results = self.keep_locals(function, results);
    }

    fn keep_params(&mut self, function: &mut Function, region: RegionId) {
        let params = function.regions[region].params;
        function.regions[region].params = self.keep_locals(function, params);
    }

    fn is_live(&self, slice: Slice, index: usize) -> bool {
        self.live_local.get(slice.start as usize + index).copied().unwrap_or(true)
    }

    /// Removes the operands that go to dead locals of `to`.
    fn keep_operands(&mut self, function: &mut Function, inst: InstId, to: Slice) {
        let range = function.insts[inst].operands.range();
        let mut kept = 0;
        for index in 0..range.len() {
            if index >= to.len as usize || self.is_live(to, index) {
                function.operands[range.start + kept] = function.operands[range.start + index];
                kept += 1;
            }
        }
        self.changed |= kept != range.len();
        function.insts[inst].operands.len = kept as u32;
    }

    /// Moves the live locals of a slice together. Their entries change place, so their uses are replaced.
    fn keep_locals(&mut self, function: &mut Function, slice: Slice) -> Slice {
        let mut kept = 0;
        for index in 0..slice.len as usize {
            if !self.is_live(slice, index) {
                continue;
            }
            if kept != index {
                let from = LocalId::new(slice.start as usize + index);
                let to = LocalId::new(slice.start as usize + kept);
                let Local { ty, def } = function.locals[from];
                let def = match def {
                    Def::Result(inst, _) => Def::Result(inst, kept as u16),
                    Def::Param(region, _) => Def::Param(region, kept as u16),
                };
                function.locals[to] = Local { ty, def };
                self.replace.set(from, Value::local(to));
                match function.names.remove(&from) {
                    Some(name) => function.names.insert(to, name),
                    None => function.names.remove(&to),
                };
            }
            kept += 1;
        }
        self.changed |= kept != slice.len as usize;
        Slice { start: slice.start, len: kept as u32 }
    }
}
