//! Regions as statements (sheet D9).

use super::expression::precedence as p;
use super::types::lanes_name;
use super::{Body, Label};
use crate::raise::place_values::{LoopResult, Place};
use aquatint_ir::op::AtomicOp;
use aquatint_ir::types::{Scalar, Space, Type, lanes_of};
use aquatint_ir::{Attr, InstId, LocalId, Op, RegionId, Value};
use smallvec::SmallVec;

/// A structured instruction that is being written.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    inst: InstId,
    op: Op,
    /// For a switch: the region being written, and the flag that says to leave the loop around it.
    case: usize,
    flag: Option<u32>,
}

impl Body<'_, '_> {
    /// All statements of a region.
    pub(super) fn region(&mut self, region: RegionId) {
        let function = self.function;
        for &inst in &function.regions[region].insts {
            self.statement(inst);
        }
    }

    fn statement(&mut self, id: InstId) {
        let function = self.function;
        let inst = &function.insts[id];
        let operands = function.operands(id);
        match inst.op {
            Op::If => self.branch(id),
            Op::Loop => self.repeat(id),
            Op::Switch => self.switch(id),
            Op::Yield => self.give(operands),
            Op::Break => self.leave_loop(operands),
            Op::Continue => self.go_on(id, operands),
            Op::Next => self.next_pass(operands),
            Op::Fallthrough => self.fall(operands),
            Op::Return => self.leave(id, operands),
            Op::Terminate => {
                self.file.line("discard_fragment();");
                self.leave_empty();
            }
            Op::Unreachable => {
                if self.frames.last().is_some_and(|f| f.op == Op::Switch) {
                    self.file.line("break;");
                }
            }
            Op::Discard => self.file.line("discard_fragment();"),
            Op::Store => {
                let &[pointer, value] = operands else { return };
                self.file.start();
                self.store(pointer, value);
                self.push(";\n");
            }
            Op::Var if function.result(id).is_some_and(|l| self.plan.place(l) != Place::Dead) => self.variable(id),
            Op::Call => self.call_function(id, operands),
            Op::Atomic => self.atomic(id, operands),
            Op::CounterAdd => self.counter(id, operands),
            Op::ImageStore => self.image_store(operands),
            Op::StoreBytes => {
                let &[pointer, offset, value] = operands else { return };
                self.file.start();
                self.bytes(pointer, offset, self.type_of(value), false);
                self.push(" = ");
                self.expr(value, 0);
                self.push(";\n");
            }
            Op::Barrier => self.barrier(id),
            _ => self.named(id, operands),
        }
    }

    /// `type name = value;` for what has a name.
    fn named(&mut self, id: InstId, operands: &[Value]) {
        let function = self.function;
        let inst = &function.insts[id];
        if inst.results.len == 2 {
            return self.two_results(id, operands);
        }
        let Some(local) = function.result(id) else { return };
        if self.plan.place(local) != Place::Named {
            return;
        }
        self.file.start();
        self.type_name(function.locals[local].ty);
        self.push(" ");
        let inserts =
            matches!(inst.op, Op::InsertDyn) || inst.op == Op::Insert && lanes_of(function.locals[local].ty).is_none();
        if !inserts {
            self.label(local);
            self.push_label(local);
            self.push(" = ");
            self.inst(id, 0);
            return self.push(";\n");
        }
        self.label(local);
        self.push_label(local);
        self.push(" = ");
        self.expr(operands[0], 0);
        self.push(";\n");
        self.file.start();
        self.push_label(local);
        match (inst.op, inst.attr, self.file.module.types.get(function.locals[local].ty)) {
            (Op::Insert, Attr::Index(index), Type::Struct(s)) => {
                let members = self.interface().structs.get(s.index()).map_or(&[][..], |(_, m)| m.as_slice());
                self.push(".");
                self.push(members.get(index as usize).map_or("", String::as_str));
            }
            (Op::Insert, Attr::Index(index), ty) => {
                self.push(if matches!(ty, Type::Array { .. }) { ".e[" } else { "[" });
                self.file.number(index);
                self.push("]");
            }
            (_, _, ty) => {
                self.push(if matches!(ty, Type::Array { .. }) { ".e[" } else { "[" });
                if let Some(&index) = operands.get(2) {
                    self.expr(index, 0);
                }
                self.push("]");
            }
        }
        self.push(" = ");
        self.expr(operands[1], 0);
        self.push(";\n");
    }

    fn two_results(&mut self, id: InstId, operands: &[Value]) {
        let function = self.function;
        let results: SmallVec<[LocalId; 2]> = function.results(id).collect();
        let &[first, second] = results.as_slice() else { return };
        if self.plan.place(first) == Place::Dead {
            return;
        }
        self.label(first);
        self.label(second);
        let op = function.insts[id].op;
        let call = match op {
            Op::Frexp => Some("frexp("),
            Op::Modf => Some("modf("),
            _ => None,
        };
        let ty = function.locals[first].ty;
        if let Some(call) = call {
            self.file.start();
            self.type_name(function.locals[second].ty);
            self.push(" ");
            self.push_label(second);
            self.push(";\n");
            self.file.start();
            self.type_name(ty);
            self.push(" ");
            self.push_label(first);
            self.push(" = ");
            self.push(call);
            self.list(operands);
            self.push(", ");
            self.push_label(second);
            return self.push(");\n");
        }
        let &[a, b] = operands else { return };
        let carry = op == Op::IAddCarry;
        self.file.start();
        self.type_name(ty);
        self.push(" ");
        self.push_label(first);
        self.push(" = ");
        self.expr(a, p::SUM);
        self.push(if carry { " + " } else { " - " });
        self.expr(b, p::SUM + 1);
        self.push(";\n");
        self.file.start();
        self.type_name(ty);
        self.push(" ");
        self.push_label(second);
        self.push(" = ");
        self.type_name(ty);
        self.push("(");
        if carry {
            self.push_label(first);
        } else {
            self.expr(a, p::RELATION + 1);
        }
        self.push(" < ");
        self.expr(if carry { a } else { b }, p::RELATION + 1);
        self.push(");\n");
    }

    // Branches.

    /// Whether a region writes no statement before its end.
    fn is_empty(&self, region: RegionId) -> bool {
        let function = self.function;
        let silent = |&inst: &InstId| {
            let op = function.insts[inst].op;
            op.effect() != aquatint_ir::Effect::Writes
                && !op.is_structured()
                && function.results(inst).all(|l| !matches!(self.plan.place(l), Place::Named))
        };
        match function.regions[region].insts.split_last() {
            Some((last, rest)) => function.insts[*last].op == Op::Yield && rest.iter().all(silent),
            None => true,
        }
    }

    /// The operands of a region's `yield` where they can be written before the branch as well.
    fn simple_results(&self, region: RegionId) -> Option<&[Value]> {
        let last = self.function.terminator(region)?;
        let operands = self.function.operands(last);
        let simple = |v: &Value| match v.as_local() {
            Some(local) => matches!(self.plan.place(local), Place::Named | Place::Variable | Place::Free),
            None => true,
        };
        (self.is_empty(region) && operands.iter().all(simple)).then_some(operands)
    }

    fn declare_results(&mut self, id: InstId, initial: Option<&[Value]>) {
        let function = self.function;
        for (index, local) in function.results(id).enumerate() {
            if self.plan.place(local) == Place::Dead {
                continue;
            }
            self.file.start();
            self.type_name(function.locals[local].ty);
            self.push(" ");
            self.label(local);
            self.push_label(local);
            if let Some(&value) = initial.and_then(|i| i.get(index)) {
                self.push(" = ");
                self.expr(value, 0);
            }
            self.push(";\n");
        }
    }

    fn branch(&mut self, id: InstId) {
        let function = self.function;
        let &[then, other] = function.regions_of(id) else { return };
        let Some(&condition) = function.operands(id).first() else { return };
        let results = function.insts[id].results.len > 0;
        let from_other = self.simple_results(other).map(SmallVec::<[Value; 4]>::from);
        let from_then = self.simple_results(then).map(SmallVec::<[Value; 4]>::from);
        match (from_then, from_other) {
            (Some(_), Some(_)) if !results => {}
            (_, Some(initial)) => {
                self.declare_results(id, results.then_some(&initial[..]));
                self.head(condition, false);
                self.arm(id, then);
                self.file.line("}");
            }
            (Some(initial), None) => {
                self.declare_results(id, results.then_some(&initial[..]));
                self.head(condition, true);
                self.arm(id, other);
                self.file.line("}");
            }
            (None, None) => {
                self.declare_results(id, None);
                self.head(condition, false);
                self.arm(id, then);
                self.file.line("} else {");
                self.arm(id, other);
                self.file.line("}");
            }
        }
    }

    fn head(&mut self, condition: Value, negated: bool) {
        self.file.start();
        self.push("if (");
        if negated {
            self.negated(condition);
        } else {
            self.expr(condition, 0);
        }
        self.push(") {\n");
    }

    fn arm(&mut self, id: InstId, region: RegionId) {
        self.frames.push(Frame { inst: id, op: Op::If, case: 0, flag: None });
        self.file.depth += 1;
        self.region(region);
        self.file.depth -= 1;
        self.frames.pop();
    }

    fn negated(&mut self, condition: Value) {
        let inst = condition
            .as_local()
            .filter(|&l| self.plan.place(l) == Place::Inline)
            .and_then(|l| self.function.def_inst(l));
        if let Some(inst) = inst {
            let opposite = match self.function.insts[inst].op {
                Op::Not => {
                    if let Some(&inner) = self.function.operands(inst).first() {
                        self.expr(inner, 0);
                    }
                    return;
                }
                Op::IEq => " != ",
                Op::INe => " == ",
                Op::ILt => " >= ",
                Op::ILe => " > ",
                Op::IGt => " <= ",
                Op::IGe => " < ",
                _ => "",
            };
            if !opposite.is_empty()
                && let &[a, b] = self.function.operands(inst)
            {
                self.expr(a, p::RELATION + 1);
                self.push(opposite);
                return self.expr(b, p::RELATION + 1);
            }
        }
        self.push("!");
        self.expr(condition, p::UNARY);
    }

    /// `yield`: hands results to the `if` or `switch` around.
    fn give(&mut self, operands: &[Value]) {
        let Some(&frame) = self.frames.last() else { return };
        let results: SmallVec<[LocalId; 4]> = self.function.results(frame.inst).collect();
        for (&value, &result) in operands.iter().zip(&results) {
            // Arms that only repeat what the declaration says are not written at all, so this one says something else.
            self.assign(result, value);
        }
        if frame.op == Op::Switch {
            self.file.line("break;");
        }
    }

    fn assign(&mut self, to: LocalId, value: Value) {
        if self.plan.place(to) == Place::Dead || self.is_same(to, value) {
            return;
        }
        self.file.start();
        self.push_label(to);
        self.push(" = ");
        self.expr(value, 0);
        self.push(";\n");
    }

    /// Whether a value is that very variable.
    fn is_same(&self, to: LocalId, value: Value) -> bool {
        let resolved = self.resolve(value);
        let label = |l: LocalId| self.labels.get(l.index()).copied().unwrap_or_default();
        resolved.as_local().is_some_and(|l| l == to || matches!(label(l), Label::Number(_)) && label(l) == label(to))
    }

    fn resolve(&self, mut value: Value) -> Value {
        while let Some(Label::Alias(other)) = value.as_local().and_then(|l| self.labels.get(l.index())) {
            value = *other;
        }
        value
    }

    // Loops.

    fn repeat(&mut self, id: InstId) {
        let function = self.function;
        let &[body, continuing] = function.regions_of(id) else { return };
        let Some(plan) = self.plan.loops.get(&id) else { return };
        let results: SmallVec<[LocalId; 4]> = function.results(id).collect();
        let own = |k: usize| !matches!(plan.results.get(k), Some(LoopResult::Param(_)));
        for (index, &local) in results.iter().enumerate() {
            if own(index) && self.plan.place(local) != Place::Dead {
                self.declare(local);
                self.push(";\n");
            }
        }
        for (param, &value) in function.params(body).zip(function.operands(id)) {
            if self.plan.place(param) != Place::Dead {
                self.declare(param);
                self.push(" = ");
                self.expr(value, 0);
                self.push(";\n");
            }
        }
        let mut again = None;
        if !plan.inline_continuing {
            for param in function.params(continuing) {
                if self.plan.place(param) != Place::Dead {
                    self.declare(param);
                    self.zero(function.locals[param].ty);
                    self.push(";\n");
                }
            }
            let flag = self.fresh();
            self.file.start();
            self.push("bool ");
            self.push_numbered(flag);
            self.push(" = false;\n");
            again = Some(flag);
        }
        self.file.line("while (true) {");
        self.file.depth += 1;
        self.frames.push(Frame { inst: id, op: Op::Loop, case: 0, flag: None });
        if let Some(flag) = again {
            self.file.start();
            self.push("if (");
            self.push_numbered(flag);
            self.push(") {\n");
            self.file.depth += 1;
            self.region(continuing);
            self.file.depth -= 1;
            self.file.line("}");
            self.file.start();
            self.push_numbered(flag);
            self.push(" = true;\n");
        }
        self.region(body);
        self.frames.pop();
        self.file.depth -= 1;
        self.file.line("}");
        for (index, &local) in results.iter().enumerate() {
            if let Some(&LoopResult::Param(param)) = plan.results.get(index) {
                let label = self.labels.get(param.index()).copied().unwrap_or_default();
                if let Some(slot) = self.labels.get_mut(local.index()) {
                    *slot = label;
                }
            }
        }
    }

    fn declare(&mut self, local: LocalId) {
        self.file.start();
        self.type_name(self.function.locals[local].ty);
        self.push(" ");
        self.label(local);
        self.push_label(local);
    }

    fn innermost_loop(&self) -> Option<usize> {
        self.frames.iter().rposition(|f| f.op == Op::Loop)
    }

    fn leave_loop(&mut self, operands: &[Value]) {
        let Some(at) = self.innermost_loop() else { return };
        let inst = self.frames[at].inst;
        let Some(plan) = self.plan.loops.get(&inst) else { return };
        for (index, (result, &value)) in self.function.results(inst).zip(operands).enumerate() {
            if !matches!(plan.results.get(index), Some(LoopResult::Param(_))) {
                self.assign(result, value);
            }
        }
        if let Some(flag) = self.frames[at..].iter().find_map(|f| f.flag) {
            self.file.start();
            self.push_numbered(flag);
            self.push(" = true;\n");
        }
        self.file.line("break;");
    }

    fn go_on(&mut self, id: InstId, operands: &[Value]) {
        let function = self.function;
        let Some(at) = self.innermost_loop() else { return };
        let inst = self.frames[at].inst;
        let &[body, continuing] = function.regions_of(inst) else { return };
        let Some(plan) = self.plan.loops.get(&inst) else { return };
        let params: SmallVec<[LocalId; 8]> = function.params(continuing).collect();
        if plan.inline_continuing {
            for (param, &value) in params.iter().zip(operands) {
                let value = self.resolve(value);
                if let Some(label) = self.labels.get_mut(param.index()) {
                    *label = Label::Alias(value);
                }
            }
            self.region(continuing);
        } else {
            self.assign_together(&params, operands);
        }
        // At the end of the body the loop goes on by itself.
        if function.terminator(body) != Some(id) {
            self.file.line("continue;");
        }
    }

    fn next_pass(&mut self, operands: &[Value]) {
        let function = self.function;
        let Some(at) = self.innermost_loop() else { return };
        let Some(&body) = function.regions_of(self.frames[at].inst).first() else { return };
        let params: SmallVec<[LocalId; 8]> = function.params(body).collect();
        self.assign_together(&params, operands);
    }

    /// Assigns all at once: an assignment waits until no other needs what it overwrites; where each waits for another,
    /// values go through temporaries.
    fn assign_together(&mut self, targets: &[LocalId], values: &[Value]) {
        let mut left: SmallVec<[usize; 8]> = (0..targets.len().min(values.len()))
            .filter(|&k| self.plan.place(targets[k]) != Place::Dead && !self.is_same(targets[k], values[k]))
            .collect();
        if let [only] = left[..] {
            return self.assign(targets[only], values[only]);
        }
        let marked: SmallVec<[LocalId; 8]> = left.iter().map(|&k| targets[k]).collect();
        let mut mentions: Vec<SmallVec<[LocalId; 4]>> = vec![SmallVec::new(); targets.len()];
        for &k in &left {
            self.mentioned(values[k], &marked, &mut mentions[k]);
        }
        // Bounds the work on hostile input: of very many values those that clash go through temporaries at once.
        let patient = left.len() <= 16;
        let mut temporaries: SmallVec<[(usize, u32); 8]> = SmallVec::new();
        if !patient {
            for &k in &left {
                if !mentions[k].is_empty() {
                    temporaries.push((k, self.temporary(targets[k], values[k])));
                }
            }
        }
        while !left.is_empty() {
            let waits = |k: usize| left.iter().any(|&other| other != k && mentions[other].contains(&targets[k]));
            let free = if patient { left.iter().position(|&k| !waits(k)) } else { Some(left.len() - 1) };
            let Some(at) = free else {
                // Each waits for another: the first that needs something gets its value now, and needs nothing more.
                let Some(&k) = left.iter().find(|&&k| !mentions[k].is_empty()) else { return };
                temporaries.push((k, self.temporary(targets[k], values[k])));
                mentions[k].clear();
                continue;
            };
            let k = left.remove(at);
            match temporaries.iter().find(|(of, _)| *of == k) {
                Some(&(_, number)) => {
                    self.file.start();
                    self.push_label(targets[k]);
                    self.push(" = ");
                    self.push_numbered(number);
                    self.push(";\n");
                }
                None => self.assign(targets[k], values[k]),
            }
        }
    }

    /// Keeps a value for later.
    fn temporary(&mut self, like: LocalId, value: Value) -> u32 {
        let number = self.fresh();
        self.file.start();
        self.type_name(self.function.locals[like].ty);
        self.push(" ");
        self.push_numbered(number);
        self.push(" = ");
        self.expr(value, 0);
        self.push(";\n");
        number
    }

    /// Which of `marked` the text of a value mentions.
    fn mentioned(&self, value: Value, marked: &[LocalId], found: &mut SmallVec<[LocalId; 4]>) {
        let mut stack: SmallVec<[Value; 16]> = SmallVec::from_slice(&[value]);
        while let Some(value) = stack.pop() {
            let Some(local) = self.resolve(value).as_local() else { continue };
            match (self.plan.place(local), self.function.def_inst(local)) {
                (Place::Inline | Place::Free | Place::Path, Some(inst)) => {
                    stack.extend(self.function.operands(inst).iter().copied());
                }
                _ => {
                    if marked.contains(&local) && !found.contains(&local) {
                        found.push(local);
                    }
                }
            }
        }
    }

    // Switches.

    fn switch(&mut self, id: InstId) {
        let function = self.function;
        let inst = &function.insts[id];
        let Some(&selector) = function.operands(id).first() else { return };
        let Attr::Cases(cases) = inst.attr else { return };
        let Some(cases) = function.cases.get(cases) else { return };
        self.declare_results(id, None);
        for &region in function.regions_of(id) {
            for param in function.params(region) {
                if self.plan.place(param) != Place::Dead {
                    self.declare(param);
                    self.zero(function.locals[param].ty);
                    self.push(";\n");
                }
            }
        }
        let mut flag = None;
        if self.plan.flagged.contains(&id) {
            let around = self.innermost_loop().map_or(0, |at| at);
            flag = self.frames[around..].iter().find_map(|f| f.flag);
            if flag.is_none() {
                let number = self.fresh();
                self.file.start();
                self.push("bool ");
                self.push_numbered(number);
                self.push(" = false;\n");
                flag = Some(number);
            }
        }
        self.file.start();
        self.push("switch (");
        self.expr(selector, 0);
        self.push(") {\n");
        self.file.depth += 1;
        let kind = lanes_of(self.type_of(selector)).map_or(Scalar::I32, |(kind, _)| kind);
        for (number, (&region, case)) in function.regions_of(id).iter().zip(&cases.regions).enumerate() {
            let labels = case.values.len() + usize::from(case.default);
            for index in 0..labels {
                self.file.start();
                match case.values.get(index) {
                    Some(&bits) => {
                        self.push("case ");
                        super::literal::scalar(&mut self.file.out, kind, bits, false);
                        self.push(":");
                    }
                    None => self.push("default:"),
                }
                self.push(if index + 1 == labels { " {\n" } else { "\n" });
            }
            if labels == 0 {
                // Reached by falling through only; a label that nothing selects keeps the shape.
                self.file.line("{");
            }
            self.frames.push(Frame { inst: id, op: Op::Switch, case: number, flag });
            self.file.depth += 1;
            self.region(region);
            self.file.depth -= 1;
            self.frames.pop();
            self.file.line("}");
        }
        self.file.depth -= 1;
        self.file.line("}");
        if let Some(flag) = flag {
            self.file.start();
            self.push("if (");
            self.push_numbered(flag);
            self.push(") {\n");
            self.file.depth += 1;
            self.file.line("break;");
            self.file.depth -= 1;
            self.file.line("}");
        }
    }

    fn fall(&mut self, operands: &[Value]) {
        let Some(&frame) = self.frames.last() else { return };
        let Some(&next) = self.function.regions_of(frame.inst).get(frame.case + 1) else { return };
        let params: SmallVec<[LocalId; 4]> = self.function.params(next).collect();
        self.assign_together(&params, operands);
    }

    // Leaving.

    fn leave(&mut self, id: InstId, operands: &[Value]) {
        if let Some(&value) = operands.first() {
            self.file.start();
            self.push("return ");
            self.expr(value, 0);
            return self.push(";\n");
        }
        let last = self.function.terminator(self.function.body) == Some(id);
        if self.entry && !self.interface().outputs.is_empty() {
            self.leave_empty();
        } else if !last {
            self.file.line("return;");
        }
    }

    /// Returns whatever there is to return.
    fn leave_empty(&mut self) {
        self.file.start();
        self.push("return");
        if self.entry && !self.interface().outputs.is_empty() {
            self.push(" ");
            self.push(self.interface().output_variable);
        } else if !self.entry && self.function.result != aquatint_ir::types::VOID {
            self.push(" ");
            self.type_name(self.function.result);
            self.push("{}");
        }
        self.push(";\n");
    }

    // Calls, atomics, barriers.

    /// Begins `type name = ` for a result that is used, and the line in any case.
    fn begin_result(&mut self, id: InstId) {
        self.file.start();
        if let Some(local) = self.function.result(id)
            && self.plan.place(local) != Place::Dead
        {
            self.type_name(self.function.locals[local].ty);
            self.push(" ");
            self.label(local);
            self.push_label(local);
            self.push(" = ");
        }
    }

    fn call_function(&mut self, id: InstId, operands: &[Value]) {
        let Attr::Function(callee) = self.function.insts[id].attr else { return };
        let Some(index) = self.find_function(callee) else { return };
        self.begin_result(id);
        let name = self.interface().functions.get(index).map_or("", String::as_str);
        self.push(name);
        self.push("(");
        self.list(operands);
        let mut first = operands.is_empty();
        let (mut input, mut output) = (false, false);
        for &global in self.file.reach.needs_of(callee) {
            let Some(text) = self.interface().globals.get(global.index()) else { continue };
            let mut text = text.as_str();
            for (variable, seen) in
                [(self.interface().input_variable, &mut input), (self.interface().output_variable, &mut output)]
            {
                if text.strip_prefix(variable).is_some_and(|rest| rest.starts_with('.')) {
                    text = if *seen { "" } else { variable };
                    *seen = true;
                }
            }
            if text.is_empty() || self.is_spec_constant(global) {
                continue;
            }
            if !first {
                self.push(", ");
            }
            first = false;
            self.push(text);
        }
        self.push(");\n");
    }

    pub(super) fn is_spec_constant(&self, global: aquatint_ir::GlobalId) -> bool {
        self.file.module.spec_constants.iter().any(|s| s.global == global)
    }

    fn atomic(&mut self, id: InstId, operands: &[Value]) {
        let Attr::Atomic(op) = self.function.insts[id].attr else { return };
        let (Some(&pointer), Some(&value)) = (operands.first(), operands.last()) else { return };
        let (kind, space) = match self.file.module.types.get(self.type_of(pointer)) {
            Type::Pointer { space, pointee } => (lanes_of(pointee).map_or(Scalar::U32, |(kind, _)| kind), space),
            _ => return,
        };
        let word = if space == Space::Workgroup { "threadgroup" } else { "device" };
        let ty = if kind == Scalar::I32 { "atomic_int" } else { "atomic_uint" };
        if op == AtomicOp::CompareExchange {
            let &[_, comparand, _] = operands else { return };
            let Some(local) = self.function.result(id) else { return };
            self.file.start();
            self.push(lanes_name(kind, 1));
            self.push(" ");
            self.label(local);
            self.push_label(local);
            self.push(" = ");
            self.expr(comparand, 0);
            self.push(";\n");
            self.file.start();
            // Weak exchanges may fail for no reason: again, while the value is the expected one (sheet D9.6).
            self.push("while (!atomic_compare_exchange_weak_explicit((");
            self.push(word);
            self.push(" ");
            self.push(ty);
            self.push("*)&");
            self.path(pointer);
            self.push(", &");
            self.push_label(local);
            self.push(", ");
            self.expr(value, 0);
            self.push(", memory_order_relaxed, memory_order_relaxed) && ");
            self.push_label(local);
            self.push(" == ");
            self.expr(comparand, p::EQUALITY + 1);
            return self.push(") { }\n");
        }
        self.begin_result(id);
        self.push(match op {
            AtomicOp::Add => "atomic_fetch_add_explicit((",
            AtomicOp::Sub => "atomic_fetch_sub_explicit((",
            AtomicOp::And => "atomic_fetch_and_explicit((",
            AtomicOp::Or => "atomic_fetch_or_explicit((",
            AtomicOp::Xor => "atomic_fetch_xor_explicit((",
            AtomicOp::Min => "atomic_fetch_min_explicit((",
            AtomicOp::Max => "atomic_fetch_max_explicit((",
            AtomicOp::Exchange | AtomicOp::CompareExchange => "atomic_exchange_explicit((",
        });
        self.push(word);
        self.push(" ");
        self.push(ty);
        self.push("*)&");
        self.path(pointer);
        self.push(", ");
        self.expr(value, 0);
        self.push(", memory_order_relaxed);\n");
    }

    fn counter(&mut self, id: InstId, operands: &[Value]) {
        let Some(global) = operands.first().and_then(|v| v.as_global()) else { return };
        let up = matches!(self.function.insts[id].attr, Attr::Counter(true));
        self.begin_result(id);
        self.push(if up { "atomic_fetch_add_explicit(" } else { "atomic_fetch_sub_explicit(" });
        let name = self.interface().counters.iter().find(|c| c.global == global).map_or("", |c| c.name.as_str());
        self.push(name);
        self.push(if up { ", 1u, memory_order_relaxed);\n" } else { ", 1u, memory_order_relaxed) - 1u;\n" });
    }

    fn image_store(&mut self, operands: &[Value]) {
        let &[handle, coordinates, value] = operands else { return };
        let Type::Texture(texture) = self.file.module.types.get(self.type_of(handle)) else { return };
        self.file.start();
        self.expr(handle, p::POSTFIX);
        self.push(".write(");
        let (kind, lanes) = lanes_of(self.type_of(value)).unwrap_or((Scalar::F32, 4));
        if lanes == 4 {
            self.expr(value, 0);
        } else {
            self.push(lanes_name(kind, 4));
            self.push("(");
            self.expr(value, 0);
            for _ in lanes..4 {
                self.push(", ");
                super::literal::scalar(&mut self.file.out, kind, 0, false);
            }
            self.push(")");
        }
        self.push(", ");
        self.texel(texture, coordinates, None);
        self.push(");\n");
    }

    fn barrier(&mut self, id: InstId) {
        let Attr::Barrier(barrier) = self.function.insts[id].attr else { return };
        let flags: SmallVec<[&str; 3]> = [
            (barrier.workgroup, "mem_flags::mem_threadgroup"),
            (barrier.storage, "mem_flags::mem_device"),
            (barrier.texture, "mem_flags::mem_texture"),
        ]
        .into_iter()
        .filter_map(|(wanted, name)| wanted.then_some(name))
        .collect();
        self.file.start();
        self.push("threadgroup_barrier(");
        self.push(if flags.is_empty() { "mem_flags::mem_none" } else { "" });
        for (i, flag) in flags.iter().enumerate() {
            self.push(if i > 0 { " | " } else { "" });
            self.push(flag);
        }
        self.push(");\n");
    }
}
