//! `if` and `switch` (sheet D9.3, D9.4).

use super::operator::precedence as p;
use super::statement::Frame;
use super::{Body, Label};
use crate::raise::plan::Place;
use aquatint_ir::types::{Scalar, lanes_of};
use aquatint_ir::{Attr, InstId, LocalId, Op, RegionId, Value};
use smallvec::SmallVec;

impl Body<'_, '_> {
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

    pub(super) fn declare_results(&mut self, id: InstId, initial: Option<&[Value]>) {
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

    pub(super) fn branch(&mut self, id: InstId) {
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
    pub(super) fn give(&mut self, operands: &[Value]) {
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

    pub(super) fn assign(&mut self, to: LocalId, value: Value) {
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
    pub(super) fn is_same(&self, to: LocalId, value: Value) -> bool {
        let resolved = self.resolve(value);
        let label = |l: LocalId| self.labels.get(l.index()).copied().unwrap_or_default();
        resolved.as_local().is_some_and(|l| l == to || matches!(label(l), Label::Number(_)) && label(l) == label(to))
    }

    pub(super) fn resolve(&self, mut value: Value) -> Value {
        while let Some(Label::Alias(other)) = value.as_local().and_then(|l| self.labels.get(l.index())) {
            value = *other;
        }
        value
    }

    pub(super) fn switch(&mut self, id: InstId) {
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

    pub(super) fn fall(&mut self, operands: &[Value]) {
        let Some(&frame) = self.frames.last() else { return };
        let Some(&next) = self.function.regions_of(frame.inst).get(frame.case + 1) else { return };
        let params: SmallVec<[LocalId; 4]> = self.function.params(next).collect();
        self.assign_together(&params, operands);
    }
}
