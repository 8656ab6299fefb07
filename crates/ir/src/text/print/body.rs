//! A function as text. An explicit stack keeps deep nesting from being a danger.

use super::super::context::{self, Targets};
use super::super::label::{Label, Labeller, write_label, write_name};
use super::super::write::{label_of, write_constant, write_type};
use super::{ModuleLabels, Options, write_span};
use crate::function::{Attr, Function, Inst, InstId, LocalId, RegionId, Slice, Value, ValueKind};
use crate::module::Module;
use crate::op::{Barrier, Op, SampleAttr};
use crate::types::{self, Scalar, Type, TypeId};
use aquatint_base::{HashMap, Id, Span};
use std::fmt::Write;

/// Prints one function, or single instructions of it.
pub(crate) struct FunctionPrinter<'m> {
    module: &'m Module,
    function: &'m Function,
    labels: &'m ModuleLabels,
    options: Options,
    values: Vec<Label>,
    /// What the constants among the operands of terminators go to.
    targets: HashMap<InstId, Slice>,
}

/// A region that is being printed.
struct Frame {
    region: RegionId,
    next: usize,
    /// The instruction that owns it, and which of its regions it is.
    owner: Option<(InstId, usize)>,
    /// On one line, between braces.
    inline: bool,
}

impl<'m> FunctionPrinter<'m> {
    pub(crate) fn new(module: &'m Module, function: &'m Function, labels: &'m ModuleLabels, options: Options) -> Self {
        let (values, targets) = label_values(module, function, options);
        Self { module, function, labels, options, values, targets }
    }

    /// Writes the whole function.
    pub(crate) fn function(&self, out: &mut String, label: Label) {
        out.push_str("fn ");
        write_label(out, &self.module.names, '@', label);
        out.push('(');
        self.params(out, self.function.body, &[]);
        out.push(')');
        if self.function.result != types::VOID {
            out.push_str(" -> ");
            write_type(out, self.module, self.labels, self.function.result);
        }
        out.push_str(" {\n");
        self.body(out);
    }

    fn body(&self, out: &mut String) {
        let mut printed = vec![false; self.function.regions.len()];
        let mut stack = vec![Frame { region: self.function.body, next: 0, owner: None, inline: false }];
        let mut level = 1;
        if let Some(seen) = printed.get_mut(self.function.body.index()) {
            *seen = true;
        }
        while let Some(frame) = stack.last_mut() {
            let insts = self.function.regions.get(frame.region).map_or(&[][..], |r| &r.insts);
            if let Some(&inst) = insts.get(frame.next) {
                frame.next += 1;
                if frame.inline {
                    out.push(' ');
                } else {
                    indent(out, level);
                }
                self.inst(out, inst);
                let owned = self.owned(inst);
                if !owned.is_empty() {
                    if self.is_switch(inst) {
                        out.push_str(" {\n");
                        level += 1;
                    }
                    self.open(out, inst, 0, &mut stack, &mut level, &mut printed);
                } else if !frame.inline {
                    out.push('\n');
                }
                continue;
            }
            if insts.is_empty() {
                if !frame.inline {
                    indent(out, level);
                }
                out.push_str(if frame.inline { " empty" } else { "empty\n" });
            }
            let (owner, inline) = (frame.owner, frame.inline);
            stack.pop();
            if inline {
                out.push_str(" }");
            } else {
                level -= 1;
                indent(out, level);
                out.push('}');
            }
            let Some((inst, which)) = owner else {
                out.push('\n');
                continue;
            };
            if self.is_switch(inst) {
                out.push('\n');
            }
            if which + 1 < self.owned(inst).len() {
                self.open(out, inst, which + 1, &mut stack, &mut level, &mut printed);
            } else {
                if self.is_switch(inst) {
                    level -= 1;
                    indent(out, level);
                    out.push('}');
                }
                out.push('\n');
            }
        }
    }

    /// Writes what stands before region `which` of an instruction, and begins the region.
    fn open(
        &self,
        out: &mut String,
        inst: InstId,
        which: usize,
        stack: &mut Vec<Frame>,
        level: &mut usize,
        printed: &mut [bool],
    ) {
        let Some(&region) = self.owned(inst).get(which) else { return };
        match (self.op(inst), which) {
            (Some(Op::If | Op::Loop), 0) => {}
            (Some(Op::If), 1) => out.push_str(" else"),
            (Some(Op::Loop), 1) => {
                out.push_str(" continuing");
                if self.function.regions.get(region).is_some_and(|r| r.params.len > 0) {
                    out.push_str(" (");
                    self.params(out, region, &[]);
                    out.push(')');
                }
            }
            (Some(Op::Switch), _) => {
                indent(out, *level);
                self.case_label(out, inst, which);
                if self.function.regions.get(region).is_some_and(|r| r.params.len > 0) {
                    out.push_str(" (");
                    self.params(out, region, &[]);
                    out.push(')');
                }
            }
            _ => out.push_str(" region"),
        }
        out.push_str(" {");
        let mut begin = || match printed.get_mut(region.index()) {
            Some(seen) => !std::mem::replace(seen, true),
            None => false,
        };
        if !begin() {
            out.push_str(" <region again>");
            // Pretend that it was printed, so that what follows it is.
            stack.push(Frame { region, next: usize::MAX, owner: Some((inst, which)), inline: true });
            return;
        }
        let insts = self.function.regions.get(region).map_or(&[][..], |r| &r.insts);
        let single = match insts {
            [] => true,
            [one] => self.owned(*one).is_empty() && self.op(*one).is_some_and(Op::is_terminator),
            _ => false,
        };
        // `{ }` stands for the yield of nothing in an `if`.
        let silent = self.op(inst) == Some(Op::If)
            && single
            && insts.first().and_then(|&i| self.function.insts.get(i)).is_some_and(|i| {
                let plain = !i.precise && !i.relaxed && i.attr == Attr::None && i.results.len == 0;
                plain && i.op == Op::Yield && i.operands.len == 0 && !(self.options.spans && i.span != 0)
            });
        if !single {
            out.push('\n');
            *level += 1;
        }
        let next = usize::from(silent);
        stack.push(Frame { region, next, owner: Some((inst, which)), inline: single });
    }

    fn case_label(&self, out: &mut String, inst: InstId, which: usize) {
        let data = &self.function.insts[inst];
        let Attr::Cases(id) = data.attr else {
            out.push_str("<no case>");
            return;
        };
        let Some(case) = self.function.cases.get(id).and_then(|c| c.regions.get(which)) else {
            out.push_str("<no case>");
            return;
        };
        let kind = self.operands(data).first().and_then(|&v| self.kind(v)).unwrap_or(Scalar::I32);
        for (i, &bits) in case.values.iter().enumerate() {
            out.push_str(if i == 0 { "case " } else { ", " });
            super::super::number::write(out, if kind.is_integer() { kind } else { Scalar::U64 }, bits);
        }
        if case.default || case.values.is_empty() {
            let word = if case.default { "default" } else { "case" };
            out.push_str(if case.values.is_empty() { "" } else { ", " });
            out.push_str(word);
        }
    }

    /// Writes one instruction without its regions and without a line end.
    pub(crate) fn inst(&self, out: &mut String, id: InstId) {
        let Some(inst) = self.function.insts.get(id) else {
            out.push_str("<no instruction>");
            return;
        };
        for (i, local) in locals(inst.results, self.function).enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            self.param(out, local);
        }
        if inst.results.len > 0 {
            out.push_str(" = ");
        }
        out.push_str(inst.op.name());
        write_suffix(out, inst.attr);
        if inst.precise {
            out.push_str(" precise");
        }
        if inst.relaxed {
            out.push_str(" relaxed");
        }
        self.rest(out, id, inst);
        if self.options.spans {
            write_span(out, self.function.spans.get(inst.span as usize).copied().unwrap_or(Span::NONE));
        }
    }

    fn rest(&self, out: &mut String, id: InstId, inst: &Inst) {
        let operands = self.operands(inst);
        match (inst.op, inst.attr) {
            (Op::Extract | Op::Insert, Attr::Index(index)) => {
                for (i, &value) in operands.iter().enumerate() {
                    self.operand(out, id, inst, i, value);
                    if i == 0 {
                        let _ = write!(out, "[{index}]");
                    }
                }
            }
            (Op::Shuffle, Attr::Lanes(lanes)) => {
                self.list(out, id, inst);
                out.push_str(", [");
                for (i, &lane) in lanes.as_slice().iter().enumerate() {
                    out.push_str(if i == 0 { "" } else { ", " });
                    out.push_str(LANES.get(usize::from(lane)).copied().unwrap_or("?"));
                }
                out.push(']');
            }
            (Op::Access, _) => self.path(out, inst),
            (Op::Call, Attr::Function(callee)) => {
                out.push(' ');
                write_label(out, &self.module.names, '@', label_of(&self.labels.functions, callee.index()));
                out.push('(');
                let callee = self.module.functions.get(callee);
                for (i, &value) in operands.iter().enumerate() {
                    out.push_str(if i == 0 { "" } else { ", " });
                    let ty = callee.and_then(|f| nth_param(f, f.body, i));
                    self.value(out, value, self.kind_of(ty));
                }
                out.push(')');
            }
            (Op::Barrier, Attr::Barrier(barrier)) => write_barrier(out, barrier),
            (Op::Loop, _) => {
                let body = self.function.owned.get(inst.regions.start as usize).copied();
                let params = body.and_then(|r| self.function.regions.get(r)).map_or(0, |r| r.params.len);
                if let Some(body) = body.filter(|_| params > 0 || !operands.is_empty()) {
                    out.push_str(" (");
                    self.params(out, body, operands);
                    out.push(')');
                }
            }
            _ => self.list(out, id, inst),
        }
    }

    fn list(&self, out: &mut String, id: InstId, inst: &Inst) {
        for (i, &value) in self.operands(inst).iter().enumerate() {
            self.operand(out, id, inst, i, value);
        }
    }

    /// Operand `i` of a list, behind its blank or comma.
    fn operand(&self, out: &mut String, id: InstId, inst: &Inst, i: usize, value: Value) {
        out.push_str(if i == 0 { " " } else { ", " });
        let context = if value.as_constant().is_none() {
            None
        } else if inst.op.is_terminator() {
            self.kind_of(self.target_type(id, inst, i))
        } else {
            let first = self.operands(inst).first().filter(|_| i > 0).and_then(|&v| self.kind(v));
            context::operand(inst.op, i, first, self.kind_of(self.first_result(inst)))
        };
        self.value(out, value, context);
    }

    /// The declared type that operand `i` of a terminator goes to.
    fn target_type(&self, id: InstId, inst: &Inst, i: usize) -> Option<TypeId> {
        if inst.op == Op::Return {
            return (i == 0).then_some(self.function.result);
        }
        let local = locals(*self.targets.get(&id)?, self.function).nth(i)?;
        self.function.locals.get(local).map(|l| l.ty)
    }

    fn path(&self, out: &mut String, inst: &Inst) {
        let operands = self.operands(inst);
        let Some((&base, steps)) = operands.split_first() else { return };
        out.push(' ');
        self.value(out, base, None);
        let mut ty = match self.module.types.get(self.module.type_of(self.function, base)) {
            Type::Pointer { pointee, .. } => pointee,
            _ => self.module.type_of(self.function, base),
        };
        for &step in steps {
            out.push('[');
            let index = step.as_constant().and_then(|c| self.module.constants.get(c));
            let fixed = index.filter(|c| c.ty == types::U32).and_then(|c| c.lane(0)).map(|bits| bits as u32);
            let member = match (self.module.types.get(ty), fixed) {
                (Type::Struct(id), Some(n)) => {
                    self.module.types.structs.get(id).and_then(|s| s.members.get(n as usize))
                }
                _ => None,
            };
            match member.filter(|m| m.name.index() < self.module.names.len()) {
                Some(member) => {
                    out.push('.');
                    write_name(out, self.module.names.get(member.name));
                }
                None => self.value(out, step, Some(Scalar::U32)),
            }
            out.push(']');
            let index = index.and_then(|c| c.lane(0)).unwrap_or(0) as u32;
            ty = self.module.types.step(ty, index).unwrap_or(types::VOID);
        }
    }

    fn value(&self, out: &mut String, value: Value, context: Option<Scalar>) {
        match value.kind() {
            ValueKind::Local(id) => match self.values.get(id.index()) {
                Some(Label::Number(u32::MAX)) | None => {
                    let _ = write!(out, "%<undefined {}>", id.index());
                }
                Some(&label) => write_label(out, &self.module.names, '%', label),
            },
            ValueKind::Constant(id) => write_constant(out, self.module, self.labels, id, context),
            ValueKind::Global(id) => match self.labels.globals.get(id.index()) {
                Some(&label) => write_label(out, &self.module.names, '@', label),
                None => {
                    let _ = write!(out, "@<undefined {}>", id.index());
                }
            },
        }
    }

    /// `%a: type`, separated by commas; with first values behind `=` where there are any.
    fn params(&self, out: &mut String, region: RegionId, first: &[Value]) {
        let slice = self.function.regions.get(region).map_or(Slice::default(), |r| r.params);
        let mut first = first.iter();
        for (i, local) in locals(slice, self.function).enumerate() {
            out.push_str(if i == 0 { "" } else { ", " });
            self.param(out, local);
            if let Some(&value) = first.next() {
                out.push_str(" = ");
                let ty = self.function.locals.get(local).map(|l| l.ty);
                self.value(out, value, self.kind_of(ty));
            }
        }
        for (i, &value) in first.enumerate() {
            out.push_str(if i == 0 && slice.len == 0 { "= " } else { ", = " });
            self.value(out, value, None);
        }
    }

    fn param(&self, out: &mut String, local: LocalId) {
        self.value(out, Value::local(local), None);
        out.push_str(": ");
        let ty = self.function.locals.get(local).map_or(types::VOID, |l| l.ty);
        write_type(out, self.module, self.labels, ty);
    }

    fn op(&self, inst: InstId) -> Option<Op> {
        self.function.insts.get(inst).map(|i| i.op)
    }

    fn is_switch(&self, inst: InstId) -> bool {
        self.op(inst) == Some(Op::Switch)
    }

    fn operands(&self, inst: &Inst) -> &'m [Value] {
        slice(&self.function.operands, inst.operands)
    }

    fn owned(&self, inst: InstId) -> &'m [RegionId] {
        self.function.insts.get(inst).map_or(&[], |i| slice(&self.function.owned, i.regions))
    }

    fn first_result(&self, inst: &Inst) -> Option<TypeId> {
        locals(inst.results, self.function).next().and_then(|l| self.function.locals.get(l)).map(|l| l.ty)
    }

    fn kind(&self, value: Value) -> Option<Scalar> {
        context::kind_of(&self.module.types, self.module.type_of(self.function, value))
    }

    fn kind_of(&self, ty: Option<TypeId>) -> Option<Scalar> {
        context::kind_of(&self.module.types, ty?)
    }
}

/// The letters of lanes.
pub(in crate::text) const LANES: [&str; 4] = ["x", "y", "z", "w"];

/// The type of parameter `index` of a region.
pub(in crate::text) fn nth_param(function: &Function, region: RegionId, index: usize) -> Option<TypeId> {
    let params = function.regions.get(region)?.params;
    let at = (index < params.len as usize).then_some(params.start as usize + index)?;
    function.locals.get(Id::new(at)).map(|l| l.ty)
}

/// A region on the way through a function.
struct Stop {
    region: RegionId,
    /// The next instruction; `None` before the region has begun.
    next: Option<usize>,
    /// Regions of the last instruction that are still to visit.
    owned: std::ops::Range<usize>,
    targets: Targets,
    /// The targets within `owned`.
    inner: Targets,
}

/// The labels of all values that a region reaches, in order of print, and what the constants among the operands of
/// terminators go to.
fn label_values(module: &Module, function: &Function, options: Options) -> (Vec<Label>, HashMap<InstId, Slice>) {
    let mut values = vec![Label::Number(u32::MAX); function.locals.len()];
    let mut goals = HashMap::default();
    let mut labeller = Labeller::new(&module.names);
    let mut label = |slice: Slice| {
        for local in locals(slice, function) {
            let name = if options.names { function.names.get(&local).copied() } else { None };
            if let Some(place) = values.get_mut(local.index()).filter(|l| **l == Label::Number(u32::MAX)) {
                *place = labeller.next(name);
            }
        }
    };
    let mut seen = vec![false; function.regions.len()];
    let stop = |region, targets| Stop { region, next: None, owned: 0..0, targets, inner: targets };
    let mut stack = vec![stop(function.body, Targets::default())];
    while let Some(here) = stack.last_mut() {
        let Some(data) = function.regions.get(here.region) else {
            stack.pop();
            continue;
        };
        let Some(next) = here.next else {
            if std::mem::replace(&mut seen[here.region.index()], true) {
                stack.pop();
            } else {
                label(data.params);
                here.next = Some(0);
            }
            continue;
        };
        if let Some(index) = here.owned.next() {
            let inner = here.inner;
            stack.extend(function.owned.get(index).map(|&region| stop(region, inner)));
            continue;
        }
        let Some(&id) = data.insts.get(next) else {
            stack.pop();
            continue;
        };
        here.next = Some(next + 1);
        let Some(inst) = function.insts.get(id) else { continue };
        label(inst.results);
        here.owned = bounded(inst.regions, function.owned.len());
        let first = function.owned.get(here.owned.start).and_then(|&r| function.regions.get(r));
        here.inner = here.targets.within(inst.op, inst.results, first.map_or(Slice::default(), |r| r.params));
        let goal = here.targets.of(inst.op);
        if goal.len > 0 && slice(&function.operands, inst.operands).iter().any(|v| v.as_constant().is_some()) {
            goals.insert(id, goal);
        }
    }
    (values, goals)
}

fn bounded(slice: Slice, len: usize) -> std::ops::Range<usize> {
    let start = (slice.start as usize).min(len);
    start..(slice.start as usize + slice.len as usize).clamp(start, len)
}

fn slice<T>(pool: &[T], slice: Slice) -> &[T] {
    &pool[bounded(slice, pool.len())]
}

fn locals(slice: Slice, function: &Function) -> impl Iterator<Item = LocalId> + use<> {
    bounded(slice, function.locals.len()).map(Id::new)
}

/// Blanks up to a bound: without it, deep nesting would make the text grow with its square.
fn indent(out: &mut String, level: usize) {
    for _ in 0..level.min(64) {
        out.push_str("    ");
    }
}

/// Writes the part of an attribute that belongs to the operation's spelling.
fn write_suffix(out: &mut String, attr: Attr) {
    match attr {
        Attr::Sample(flags) | Attr::Fetch(flags) => write_flags(out, flags),
        Attr::Gather(flags, component) => {
            write_flags(out, flags);
            out.push('.');
            out.push_str(LANES.get(usize::from(component)).copied().unwrap_or("?"));
        }
        Attr::Derivative(which) => suffix(out, which.name()),
        Attr::Atomic(op) => suffix(out, op.name()),
        Attr::Counter(up) => suffix(out, if up { "up" } else { "down" }),
        Attr::Quad(lane) => suffix(out, lane.name()),
        Attr::Wave(op) => suffix(out, op.name()),
        Attr::None | Attr::Index(_) | Attr::Lanes(_) | Attr::Barrier(_) | Attr::Cases(_) | Attr::Function(_) => {}
    }
}

fn suffix(out: &mut String, name: &str) {
    out.push('.');
    out.push_str(name);
}

fn write_flags(out: &mut String, flags: SampleAttr) {
    for (flag, name) in SampleAttr::NAMES {
        if flags.has(flag) {
            suffix(out, name);
        }
    }
}

fn write_barrier(out: &mut String, barrier: Barrier) {
    out.push_str(" (");
    let mut first = true;
    for (set, name) in [
        (barrier.execution, "execution"),
        (barrier.workgroup, "workgroup"),
        (barrier.storage, "storage"),
        (barrier.texture, "texture"),
    ] {
        if set {
            out.push_str(if first { "" } else { ", " });
            out.push_str(name);
            first = false;
        }
    }
    out.push(')');
}
