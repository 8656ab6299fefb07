//! Bodies of functions: V001, V003, V014, V016, and the walk that asks the others.

use super::ops::{Checked, Ctx};
use super::types::Infos;
use super::{Fault, Place, Report};
use crate::codes;
use crate::function::{Attr, Def, Function, FunctionId, Inst, InstId, LocalId, RegionId, Slice, Value, ValueKind};
use crate::globals::GlobalId;
use crate::op::{Effect, Op};
use crate::types::{self, Type, TypeId};
use aquatint_base::{Diags, Id, Span};

/// What a function does that its entry points must allow.
#[derive(Default)]
pub(super) struct Summary {
    /// The globals that it names, each once, with the first instruction that does.
    pub globals: Vec<(GlobalId, InstId)>,
    /// The functions that it calls, each once.
    pub calls: Vec<(FunctionId, InstId)>,
    /// The first derivative or quad operation.
    pub quad: Option<InstId>,
    /// The first `discard` or `terminate`.
    pub discard: Option<InstId>,
    /// The first barrier that waits for the workgroup.
    pub barrier: Option<InstId>,
}

/// Checks all functions.
pub(super) fn check(report: &Report<'_>, infos: &Infos, diags: &mut Diags) -> Vec<Summary> {
    let mut scratch = Scratch::default();
    let mut instructions = 0;
    let mut summaries = Vec::with_capacity(report.module.functions.len());
    for (id, function) in report.module.functions.iter() {
        let place = Place::new(report, function);
        let mut walk =
            Walk { report, infos, function, place, scratch: &mut scratch, diags, summary: Summary::default() };
        walk.scratch.reset(id, function, report);
        walk.function();
        summaries.push(walk.summary);
        instructions += function.insts.len();
    }
    super::bounded(report, diags, instructions, report.options.limits.instructions, "instructions");
    summaries
}

/// Tables that all functions share, so that none is made anew.
#[derive(Default)]
pub(super) struct Scratch {
    /// By local: whether it may be used here.
    visible: Vec<bool>,
    /// By local: where a pointer leads.
    roots: Vec<super::memory::Root>,
    seen_insts: Vec<bool>,
    seen_regions: Vec<bool>,
    /// The visible locals of the regions being walked, innermost last.
    defined: Vec<LocalId>,
    pub(super) frames: Vec<Frame>,
    pub(super) selectors: Vec<u64>,
    /// By global and by function: the last function that named it, plus one.
    global_stamp: Vec<u32>,
    call_stamp: Vec<u32>,
    stamp: u32,
}

impl Scratch {
    fn reset(&mut self, id: FunctionId, function: &Function, report: &Report<'_>) {
        fn clear<T: Copy>(table: &mut Vec<T>, len: usize, value: T) {
            table.clear();
            table.resize(len, value);
        }
        clear(&mut self.visible, function.locals.len(), false);
        clear(&mut self.roots, function.locals.len(), super::memory::Root::Unknown);
        clear(&mut self.seen_insts, function.insts.len(), false);
        clear(&mut self.seen_regions, function.regions.len(), false);
        self.defined.clear();
        self.frames.clear();
        self.global_stamp.resize(report.module.globals.len(), 0);
        self.call_stamp.resize(report.module.functions.len(), 0);
        self.stamp = id.index() as u32 + 1;
    }
}

/// A region that is being walked.
pub(super) struct Frame {
    region: RegionId,
    next: usize,
    /// The instruction that owns it, and which of its regions it is.
    pub(super) owner: Option<(InstId, usize)>,
    /// The length of `defined` before it.
    defined: usize,
    /// The frame of the innermost region of a loop, counted from the outermost frame.
    pub(super) innermost_loop: Option<usize>,
    /// Whether it lies within a continuing region.
    pub(super) in_continuing: bool,
}

pub(super) struct Walk<'r, 'm, 'd> {
    pub(super) report: &'r Report<'m>,
    infos: &'r Infos,
    pub(super) function: &'m Function,
    place: Place<'r, 'm>,
    pub(super) scratch: &'d mut Scratch,
    diags: &'d mut Diags,
    summary: Summary,
}

impl Walk<'_, '_, '_> {
    fn error(&mut self, fault: Fault, inst: InstId) {
        self.place.error(self.diags, fault.0, inst, fault.1);
    }

    fn function(&mut self) {
        self.spans();
        let function = self.function;
        if function.result != types::VOID && !self.legal_result(function.result) {
            let message = format!("a function cannot return {}", self.report.ty(function.result));
            self.place.error_whole(self.diags, &codes::V002, message);
        }
        if !function.regions.contains(function.body) {
            self.place.error_whole(self.diags, &codes::V001, "the body of the function does not exist".to_owned());
            return;
        }
        self.enter(function.body, None);
        while let Some(frame) = self.scratch.frames.last_mut() {
            let region = frame.region;
            match function.regions[region].insts.get(frame.next) {
                Some(&inst) => {
                    frame.next += 1;
                    let last = frame.next == function.regions[region].insts.len();
                    self.inst(inst, last);
                }
                None => self.leave(),
            }
        }
    }

    fn legal_result(&self, ty: TypeId) -> bool {
        let info = self.infos.get(ty);
        self.report.module.types.contains(ty) && (info.data || info.broken)
    }

    fn spans(&mut self) {
        let sources = self.report.options.sources;
        for (i, span) in self.function.spans.iter().enumerate() {
            let wrong = if i == 0 {
                !span.is_none()
            } else if span.is_none() {
                false
            } else {
                let outside = sources.is_some_and(|all| match all.get(span.source).map(|s| &s.content) {
                    Some(aquatint_base::source::Content::Text(text)) => span.end as usize > text.len(),
                    Some(aquatint_base::source::Content::Binary { length }) => span.end as usize > *length,
                    None => true,
                });
                span.start > span.end || outside
            };
            if wrong {
                let message = format!("position {i} ({span:?}) points nowhere");
                self.place.error_whole(self.diags, &codes::V016, message);
            }
        }
        if self.function.spans.is_empty() {
            self.place.error_whole(self.diags, &codes::V016, "entry 0 of the positions is missing".to_owned());
        }
    }

    /// Begins a region that exists.
    fn enter(&mut self, region: RegionId, owner: Option<(InstId, usize)>) {
        let function = self.function;
        let depth = self.scratch.frames.len();
        if std::mem::replace(&mut self.scratch.seen_regions[region.index()], true) {
            self.region_error(owner, &codes::V003, "the region stands in two places".to_owned());
            return;
        }
        let bound = self.report.options.limits.nesting.saturating_mul(4);
        if depth > bound {
            self.region_error(owner, &codes::V014, format!("regions nest deeper than {bound}"));
            return;
        }
        let data = &function.regions[region];
        let ends = data.insts.last().and_then(|&i| function.insts.get(i)).is_some_and(|i| i.op.is_terminator());
        if !ends {
            let message = "a region does not end in a terminator".to_owned();
            match (data.insts.last(), owner) {
                (Some(&last), _) if function.insts.contains(last) => self.error((&codes::V005, message), last),
                _ => self.region_error(owner, &codes::V005, message),
            }
        }
        let owner_op = owner.map(|(inst, _)| function.insts[inst].op);
        let (mut innermost_loop, mut in_continuing) = match self.scratch.frames.last() {
            Some(outer) => (outer.innermost_loop, outer.in_continuing),
            None => (None, false),
        };
        if owner_op == Some(Op::Loop) {
            innermost_loop = Some(depth);
            in_continuing |= owner.is_some_and(|(_, which)| which == 1);
        }
        let defined = self.scratch.defined.len();
        self.scratch.frames.push(Frame { region, next: 0, owner, defined, innermost_loop, in_continuing });
        self.params(region, data.params, owner);
    }

    fn params(&mut self, region: RegionId, params: Slice, owner: Option<(InstId, usize)>) {
        let function = self.function;
        let end = params.start as usize + params.len as usize;
        if end > function.locals.len() {
            self.region_error(owner, &codes::V001, "the parameters of a region do not exist".to_owned());
            return;
        }
        if params.len as usize > MOST {
            self.region_error(owner, &codes::V014, format!("a region has more than {MOST} parameters"));
            return;
        }
        for (i, index) in (params.start as usize..end).enumerate() {
            let local = function.locals[Id::new(index)];
            if local.def != Def::Param(region, i as u16) {
                self.region_error(owner, &codes::V003, format!("parameter {i} of a region says otherwise"));
            }
            self.define(Id::new(index));
            if !self.report.module.types.contains(local.ty) {
                self.region_error(owner, &codes::V001, format!("the type of parameter {i} does not exist"));
                continue;
            }
            let info = self.infos.get(local.ty);
            let pointer = matches!(self.report.module.types.get(local.ty), Type::Pointer { .. });
            if info.data || info.broken || owner.is_none() && (pointer || info.handle) {
                continue;
            }
            let code = if pointer || info.handle { &codes::V008 } else { &codes::V002 };
            self.region_error(owner, code, format!("a parameter cannot be {}", self.report.ty(local.ty)));
        }
    }

    fn region_error(&mut self, owner: Option<(InstId, usize)>, code: &'static aquatint_base::Code, message: String) {
        match owner {
            Some((inst, _)) => self.place.error(self.diags, code, inst, message),
            None => self.place.error_whole(self.diags, code, message),
        }
    }

    fn define(&mut self, local: LocalId) {
        self.scratch.visible[local.index()] = true;
        self.scratch.defined.push(local);
    }

    /// Ends the innermost region, and begins the next of its owner or defines the owner's results.
    fn leave(&mut self) {
        let Some(frame) = self.scratch.frames.pop() else { return };
        for local in self.scratch.defined.drain(frame.defined..) {
            self.scratch.visible[local.index()] = false;
        }
        if let Some((inst, which)) = frame.owner {
            self.region_of(inst, which + 1);
        }
    }

    /// Begins region `which` of an instruction; behind the last one its results are defined.
    fn region_of(&mut self, inst: InstId, which: usize) {
        let function = self.function;
        let slice = function.insts[inst].regions;
        let mut which = which;
        while which < slice.len as usize {
            let region = function.owned[slice.start as usize + which];
            let before = self.scratch.frames.len();
            if function.regions.contains(region) {
                self.enter(region, Some((inst, which)));
            } else {
                self.error((&codes::V001, format!("region {which} does not exist")), inst);
            }
            if self.scratch.frames.len() > before {
                return;
            }
            which += 1;
        }
        self.define_results(function.insts[inst].results);
    }

    fn define_results(&mut self, results: Slice) {
        for index in results.start as usize..results.start as usize + results.len as usize {
            self.define(Id::new(index));
        }
    }

    fn inst(&mut self, id: InstId, last: bool) {
        let function = self.function;
        let Some(inst) = function.insts.get(id) else {
            let owner = self.scratch.frames.last().and_then(|f| f.owner);
            self.region_error(owner, &codes::V001, "a region lists an instruction that does not exist".to_owned());
            return;
        };
        if std::mem::replace(&mut self.scratch.seen_insts[id.index()], true) {
            self.error((&codes::V003, "the instruction stands in two places".to_owned()), id);
            return;
        }
        if !self.slices(id, inst) {
            return;
        }
        let operands = &function.operands[inst.operands.range()];
        let mut known = true;
        for (i, &value) in operands.iter().enumerate() {
            known &= self.operand(id, i, value);
        }
        let results_ok = self.results(id, inst);
        if known && results_ok {
            self.meaning(id, inst, operands, last);
        }
        if inst.op.is_structured() {
            self.region_of(id, 0);
        } else {
            self.define_results(inst.results);
        }
    }

    /// Whether the slices of an instruction lie within their pools.
    fn slices(&mut self, id: InstId, inst: &Inst) -> bool {
        let function = self.function;
        let within = |slice: Slice, len: usize| slice.start as usize + slice.len as usize <= len;
        let fault = if !within(inst.operands, function.operands.len()) {
            (&codes::V001, "the operands lie outside the function's pool".to_owned())
        } else if !within(inst.results, function.locals.len()) {
            (&codes::V001, "the results lie outside the function's table".to_owned())
        } else if !within(inst.regions, function.owned.len()) {
            (&codes::V001, "the regions lie outside the function's pool".to_owned())
        } else if inst.span as usize >= function.spans.len() {
            (&codes::V016, format!("there is no position {}", inst.span))
        } else if inst.operands.len.max(inst.results.len) as usize > MOST {
            (&codes::V014, format!("more than {MOST} operands or results"))
        } else {
            return true;
        };
        // Without its position an instruction is still whole.
        let whole = inst.span as usize >= function.spans.len() && std::ptr::eq(fault.0, &codes::V016);
        self.error(fault, id);
        whole
    }

    /// Whether the type of an operand is known.
    #[inline]
    fn operand(&mut self, id: InstId, index: usize, value: Value) -> bool {
        match value.kind() {
            ValueKind::Local(local) => match self.scratch.visible.get(local.index()) {
                Some(true) => true,
                Some(false) => {
                    let message = format!("operand {index} is not defined here");
                    self.error((&codes::V003, message), id);
                    self.report.module.types.contains(self.function.locals[local].ty)
                }
                None => {
                    self.error((&codes::V001, format!("operand {index} is a value that does not exist")), id);
                    false
                }
            },
            ValueKind::Constant(constant) => {
                let found = constant.index() < self.report.module.constants.len();
                if !found {
                    self.error((&codes::V001, format!("operand {index} is a constant that does not exist")), id);
                }
                found
            }
            ValueKind::Global(global) => match self.scratch.global_stamp.get_mut(global.index()) {
                Some(stamp) => {
                    if *stamp != self.scratch.stamp {
                        *stamp = self.scratch.stamp;
                        self.summary.globals.push((global, id));
                    }
                    true
                }
                None => {
                    self.error((&codes::V001, format!("operand {index} is a global that does not exist")), id);
                    false
                }
            },
        }
    }

    /// Whether the types of the results are known.
    #[inline]
    fn results(&mut self, id: InstId, inst: &Inst) -> bool {
        let mut known = true;
        for (i, index) in inst.results.range().enumerate() {
            let local = &self.function.locals[Id::new(index)];
            if local.def != Def::Result(id, i as u16) {
                self.error((&codes::V003, format!("result {i} says that it is defined elsewhere")), id);
            }
            let info = self.infos.get(local.ty);
            if info.data || info.broken && self.report.module.types.contains(local.ty) {
                continue;
            }
            if !self.report.module.types.contains(local.ty) {
                self.error((&codes::V001, format!("the type of result {i} does not exist")), id);
                known = false;
                continue;
            }
            let pointer = matches!(self.report.module.types.get(local.ty), Type::Pointer { .. });
            let fault = match inst.op {
                Op::Access if pointer || info.handle => continue,
                Op::Var if pointer => continue,
                _ if pointer || info.handle => {
                    (&codes::V008, format!("a result of {} is no data: {}", inst.op.name(), self.report.ty(local.ty)))
                }
                _ => (&codes::V002, format!("a value cannot be {}", self.report.ty(local.ty))),
            };
            self.error(fault, id);
            known = false;
        }
        known
    }

    /// The rules of the operation itself.
    #[inline]
    fn meaning(&mut self, id: InstId, inst: &Inst, operands: &[Value], last: bool) {
        let ctx = Ctx {
            report: self.report,
            infos: self.infos,
            function: self.function,
            inst,
            operands,
            roots: &self.scratch.roots,
        };
        match ctx.check() {
            Ok(Checked::Nothing) => {}
            Ok(Checked::Root(root)) => {
                if let Some(place) = self.scratch.roots.get_mut(inst.results.start as usize) {
                    *place = root;
                }
            }
            Err(fault) => self.error(fault, id),
        }
        if inst.regions.len > 0 && !inst.op.is_structured() {
            self.error((&codes::V005, format!("{} owns no regions", inst.op.name())), id);
        }
        if inst.op.is_terminator() {
            if !last {
                self.error((&codes::V005, "a terminator stands before the end of its region".to_owned()), id);
            }
            if let Err(fault) = self.terminator(inst, operands) {
                self.error(fault, id);
            }
        }
        if inst.op.effect() == Effect::Quad || inst.op.effect() == Effect::Control || inst.op.effect() == Effect::Writes
        {
            self.summarise(id, inst);
        }
        if inst.op.is_structured()
            && let Err(fault) = self.structure(inst, operands)
        {
            self.error(fault, id);
        }
    }

    fn summarise(&mut self, id: InstId, inst: &Inst) {
        let summary = &mut self.summary;
        match (inst.op, inst.attr) {
            (Op::Ddx | Op::Ddy | Op::QuadOp | Op::QueryLod, _) => {
                summary.quad.get_or_insert(id);
            }
            (Op::Discard | Op::Terminate, _) => {
                summary.discard.get_or_insert(id);
            }
            (Op::Barrier, Attr::Barrier(barrier)) if barrier.execution || barrier.workgroup => {
                summary.barrier.get_or_insert(id);
            }
            (Op::Call, Attr::Function(callee)) => {
                if let Some(stamp) = self.scratch.call_stamp.get_mut(callee.index())
                    && *stamp != self.scratch.stamp
                {
                    *stamp = self.scratch.stamp;
                    summary.calls.push((callee, id));
                }
            }
            _ => {}
        }
    }
}

/// Operands, results or parameters that one instruction or region has at most: [`Def`] counts in 16 bits.
const MOST: usize = u16::MAX as usize;

/// The place of an instruction, for messages about entry points.
pub(super) fn error_at(report: &Report<'_>, function: FunctionId, inst: InstId, fault: Fault, diags: &mut Diags) {
    match report.module.functions.get(function) {
        Some(data) => Place::new(report, data).error(diags, fault.0, inst, fault.1),
        None => report.error(diags, fault.0, Span::NONE, fault.1),
    }
}
