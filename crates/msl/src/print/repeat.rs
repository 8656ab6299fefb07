//! Loops (sheet D9.2, D9.3).

use super::statement::Frame;
use super::{Body, Label};
use crate::raise::plan::LoopResult;
use crate::raise::plan::Place;
use aquatint_ir::{InstId, LocalId, Op, Value};
use smallvec::SmallVec;

impl Body<'_, '_> {
    pub(super) fn repeat(&mut self, id: InstId) {
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

    pub(super) fn declare(&mut self, local: LocalId) {
        self.file.start();
        self.type_name(self.function.locals[local].ty);
        self.push(" ");
        self.label(local);
        self.push_label(local);
    }

    pub(super) fn innermost_loop(&self) -> Option<usize> {
        self.frames.iter().rposition(|f| f.op == Op::Loop)
    }

    pub(super) fn leave_loop(&mut self, operands: &[Value]) {
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

    pub(super) fn go_on(&mut self, id: InstId, operands: &[Value]) {
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

    pub(super) fn next_pass(&mut self, operands: &[Value]) {
        let function = self.function;
        let Some(at) = self.innermost_loop() else { return };
        let Some(&body) = function.regions_of(self.frames[at].inst).first() else { return };
        let params: SmallVec<[LocalId; 8]> = function.params(body).collect();
        self.assign_together(&params, operands);
    }

    /// Assigns all at once: an assignment waits until no other needs what it overwrites; where each waits for another,
    /// values go through temporaries.
    pub(super) fn assign_together(&mut self, targets: &[LocalId], values: &[Value]) {
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
}
