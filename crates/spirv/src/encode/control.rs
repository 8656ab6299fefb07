//! Regions as blocks: structured control flow with merge instructions and phis.

use super::Encoder;
use aquatint_ir::types::{self, Scalar};
use aquatint_ir::{Attr, Function, InstId, Op as IrOp, RegionId, Value};
use smallvec::SmallVec;
use spirv::Op;

/// The values that one edge brings.
type Values = SmallVec<[u32; 4]>;

/// Where the values of a merge come from: (block, values).
type Edges = Vec<(u32, Values)>;

/// What encloses the region being written.
#[derive(Default)]
struct Scope {
    /// `yield` of the innermost `if` or `switch`.
    yields: Edges,
    yield_target: u32,
    /// `fallthrough` to the next case.
    falls: Edges,
    fall_target: u32,
    /// Block that holds the switch.
    head: u32,
}

#[derive(Default)]
struct LoopScope {
    breaks: Edges,
    continues: Edges,
    merge: u32,
    continue_target: u32,
    nexts: Edges,
    /// Where `next` leads: the header, or the block of the back edge.
    next_target: u32,
    header: u32,
}

/// A region in progress. The explicit stack keeps depth off the machine's own.
enum Task {
    /// Go on with a region at an instruction.
    Region(RegionId, usize),
    /// Begin the `else` of an `if`, whose block has this label.
    Else(InstId, u32),
    /// All regions of an `if` are written.
    EndIf(InstId),
    /// Begin case number n of a switch.
    Case(InstId, usize, Vec<u32>),
    /// All regions of a switch are written.
    EndSwitch(InstId),
    /// The body of a loop is written: begin its continuing region.
    Continuing(InstId, usize),
    /// Both regions of a loop are written.
    EndLoop(InstId, usize),
}

impl Encoder<'_> {
    /// Begins a block.
    pub fn begin_block(&mut self, label: u32) {
        self.functions.op(Op::Label, &[label]);
        self.block = label;
        self.closed = false;
    }

    fn branch(&mut self, target: u32) {
        self.functions.op(Op::Branch, &[target]);
        self.closed = true;
    }

    fn values(&mut self, values: &[Value]) -> Values {
        values.iter().map(|&v| self.value(v)).collect()
    }

    /// Phis at the head of a block: one a local, from the edges. Without edges the values are undefined: nothing leads here.
    fn phis(&mut self, function: &Function, locals: impl Iterator<Item = aquatint_ir::LocalId>, edges: &Edges) {
        let mut operands = SmallVec::<[u32; 16]>::new();
        for (index, local) in locals.enumerate() {
            let ty = self.ty(function.locals[local].ty);
            let id = self.local(local);
            if edges.is_empty() {
                self.functions.op(Op::Undef, &[ty, id]);
                continue;
            }
            operands.clear();
            operands.extend([ty, id]);
            for (block, values) in edges {
                operands.extend([values.get(index).copied().unwrap_or(0), *block]);
            }
            self.functions.op(Op::Phi, &operands);
        }
    }

    /// Writes a region and all that it owns.
    pub fn region(&mut self, function: &Function, region: RegionId) {
        let mut tasks = vec![Task::Region(region, 0)];
        let mut scopes: Vec<Scope> = vec![Scope::default()];
        let mut loops: Vec<LoopScope> = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Region(region, from) => {
                    let insts = &function.regions[region].insts;
                    for (offset, &inst) in insts[from.min(insts.len())..].iter().enumerate() {
                        let op = function.insts[inst].op;
                        if op.is_structured() {
                            tasks.push(Task::Region(region, from + offset + 1));
                            self.begin_structured(function, inst, &mut tasks, &mut scopes, &mut loops);
                            break;
                        }
                        if op.is_terminator() {
                            self.terminator(function, inst, &mut scopes, &mut loops);
                            break;
                        }
                        self.inst(function, inst, !loops.is_empty());
                    }
                }
                Task::Else(inst, label) => {
                    self.begin_block(label);
                    tasks.push(Task::EndIf(inst));
                    tasks.push(Task::Region(function.regions_of(inst)[1], 0));
                }
                Task::EndIf(inst) | Task::EndSwitch(inst) => {
                    let scope = scopes.pop().unwrap_or_default();
                    self.begin_block(scope.yield_target);
                    self.phis(function, function.results(inst), &scope.yields);
                    if scope.yields.is_empty() {
                        self.functions.op(Op::Unreachable, &[]);
                        self.closed = true;
                        skip_rest(&mut tasks);
                    }
                }
                Task::Case(inst, index, labels) => {
                    let region = function.regions_of(inst)[index];
                    self.begin_block(labels[index]);
                    let params: SmallVec<[_; 4]> = function.params(region).collect();
                    if let Some(scope) = scopes.last_mut() {
                        let mut edges = std::mem::take(&mut scope.falls);
                        scope.fall_target = labels.get(index + 1).copied().unwrap_or(scope.yield_target);
                        if !params.is_empty() {
                            // What leads here by its selector brings zeros.
                            let first = params.iter().map(|&local| self.zero_of(function, local)).collect();
                            edges.push((scope.head, first));
                            self.phis(function, params.into_iter(), &edges);
                        }
                    }
                    if index + 1 < labels.len() {
                        tasks.push(Task::Case(inst, index + 1, labels));
                    } else {
                        tasks.push(Task::EndSwitch(inst));
                    }
                    tasks.push(Task::Region(region, 0));
                }
                Task::Continuing(inst, patch) => {
                    let region = function.regions_of(inst)[1];
                    let (target, edges) = match loops.last_mut() {
                        Some(scope) => (scope.continue_target, std::mem::take(&mut scope.continues)),
                        None => continue,
                    };
                    self.begin_block(target);
                    self.phis(function, function.params(region), &edges);
                    tasks.push(Task::EndLoop(inst, patch));
                    tasks.push(Task::Region(region, 0));
                }
                Task::EndLoop(inst, patch) => {
                    let Some(mut scope) = loops.pop() else { continue };
                    scopes.pop();
                    if scope.next_target != scope.header {
                        self.back_edge(&mut scope);
                    }
                    self.patch_header(function, inst, patch, &scope);
                    self.begin_block(scope.merge);
                    self.phis(function, function.results(inst), &scope.breaks);
                    if scope.breaks.is_empty() {
                        self.functions.op(Op::Unreachable, &[]);
                        self.closed = true;
                        skip_rest(&mut tasks);
                    }
                }
            }
        }
    }

    fn zero_of(&mut self, function: &Function, local: aquatint_ir::LocalId) -> u32 {
        let ty = self.ty(function.locals[local].ty);
        self.null(ty)
    }

    fn begin_structured(
        &mut self,
        function: &Function,
        inst: InstId,
        tasks: &mut Vec<Task>,
        scopes: &mut Vec<Scope>,
        loops: &mut Vec<LoopScope>,
    ) {
        match function.insts[inst].op {
            IrOp::If => {
                let condition = self.value(function.operands(inst)[0]);
                let (then, other, merge) = (self.id(), self.id(), self.id());
                self.functions.op(Op::SelectionMerge, &[merge, 0]);
                self.functions.op(Op::BranchConditional, &[condition, then, other]);
                scopes.push(Scope { yield_target: merge, ..Scope::default() });
                self.begin_block(then);
                tasks.push(Task::Else(inst, other));
                tasks.push(Task::Region(function.regions_of(inst)[0], 0));
            }
            IrOp::Switch => {
                let selector = self.value(function.operands(inst)[0]);
                let regions = function.regions_of(inst);
                let labels: Vec<u32> = regions.iter().map(|_| self.id()).collect();
                let merge = self.id();
                self.functions.op(Op::SelectionMerge, &[merge, 0]);
                let mut operands = vec![selector, merge];
                let ty = self.module.type_of(function, function.operands(inst)[0]);
                let kind = types::lanes_of(ty).map_or(Scalar::U32, |(kind, _)| kind);
                if let Attr::Cases(cases) = function.insts[inst].attr {
                    for (case, &label) in function.cases[cases].regions.iter().zip(&labels) {
                        if case.default {
                            operands[1] = label;
                        }
                        for &value in &case.values {
                            // A literal of a narrow signed type is extended by its sign; one of 64 bits has two words.
                            match kind {
                                Scalar::I16 => operands.push(value as u16 as i16 as i32 as u32),
                                _ if kind.bits() == 64 => operands.extend([value as u32, (value >> 32) as u32]),
                                _ => operands.push(value as u32),
                            }
                            operands.push(label);
                        }
                    }
                }
                self.functions.op(Op::Switch, &operands);
                scopes.push(Scope { yield_target: merge, head: self.block, ..Scope::default() });
                tasks.push(Task::Case(inst, 0, labels));
            }
            _ => {
                let first = self.values(function.operands(inst));
                let (header, body, target, merge) = (self.id(), self.id(), self.id(), self.id());
                let entry = self.block;
                self.branch(header);
                self.begin_block(header);
                let patch = self.functions.len();
                for (local, value) in function.params(function.regions_of(inst)[0]).zip(first) {
                    let ty = self.ty(function.locals[local].ty);
                    let id = self.local(local);
                    // The back edge is filled in when it is known.
                    self.functions.op(Op::Phi, &[ty, id, value, entry, 0, 0]);
                }
                self.functions.op(Op::LoopMerge, &[merge, target, 0]);
                self.branch(body);
                self.begin_block(body);
                let mut scope =
                    LoopScope { merge, continue_target: target, next_target: header, header, ..LoopScope::default() };
                if crate::check::leaves(function, function.regions_of(inst)[1]) {
                    // Only its last block may leave a continue construct. So the continuing region is written as part of
                    // the body, behind a selection that `continue` leaves, and the construct is an empty block.
                    let (inner, behind) = (self.id(), self.id());
                    let zero = self.u32_constant(0);
                    self.functions.op(Op::SelectionMerge, &[behind, 0]);
                    self.functions.op(Op::Switch, &[zero, inner]);
                    self.begin_block(inner);
                    scope.continue_target = behind;
                    scope.next_target = target;
                }
                scopes.push(Scope::default());
                loops.push(scope);
                tasks.push(Task::Continuing(inst, patch));
                tasks.push(Task::Region(function.regions_of(inst)[0], 0));
            }
        }
    }

    /// The block of the back edge of a loop whose continuing region was written before it.
    fn back_edge(&mut self, scope: &mut LoopScope) {
        self.begin_block(scope.next_target);
        self.branch(scope.header);
        match scope.nexts.first_mut() {
            Some((block, _)) => *block = scope.next_target,
            // Nothing comes here; the header's phis bring themselves.
            None => scope.continue_target = scope.next_target,
        }
    }

    fn patch_header(&mut self, function: &Function, inst: InstId, patch: usize, scope: &LoopScope) {
        const PHI_WORDS: usize = 7;
        for (index, local) in function.params(function.regions_of(inst)[0]).enumerate() {
            let at = patch + index * PHI_WORDS;
            let (block, value) = match scope.nexts.first() {
                Some((block, values)) => (*block, values.get(index).copied().unwrap_or(0)),
                None => (scope.continue_target, self.local(local)),
            };
            self.functions.patch(at + 5, value);
            self.functions.patch(at + 6, block);
        }
    }

    fn terminator(&mut self, function: &Function, inst: InstId, scopes: &mut [Scope], loops: &mut [LoopScope]) {
        let values = function.operands(inst);
        let op = function.insts[inst].op;
        match op {
            IrOp::Return => {
                match values.first() {
                    Some(&value) => {
                        let value = self.value(value);
                        self.functions.op(Op::ReturnValue, &[value]);
                    }
                    None => self.functions.op(Op::Return, &[]),
                }
                self.closed = true;
                return;
            }
            IrOp::Terminate => {
                self.functions.op(Op::Kill, &[]);
                self.closed = true;
                return;
            }
            IrOp::Unreachable => {
                self.functions.op(Op::Unreachable, &[]);
                self.closed = true;
                return;
            }
            _ => {}
        }
        let values = self.values(values);
        let edge = (self.block, values);
        let target = match op {
            IrOp::Break => loops.last_mut().map(|l| {
                l.breaks.push(edge);
                l.merge
            }),
            IrOp::Continue => loops.last_mut().map(|l| {
                l.continues.push(edge);
                l.continue_target
            }),
            IrOp::Next => loops.last_mut().map(|l| {
                l.nexts.push(edge);
                l.next_target
            }),
            IrOp::Fallthrough => scopes.last_mut().map(|s| {
                s.falls.push(edge);
                s.fall_target
            }),
            _ => scopes.last_mut().map(|s| {
                s.yields.push(edge);
                s.yield_target
            }),
        };
        if let Some(target) = target {
            self.branch(target);
        }
    }
}

/// What follows a merge that nothing reaches is not written: its block is closed.
fn skip_rest(tasks: &mut Vec<Task>) {
    if matches!(tasks.last(), Some(Task::Region(..))) {
        tasks.pop();
    }
}
