//! What each entry point reaches: stages of intrinsics (B0.2), recursion (A11.4), first values of statics (A13.3).

use crate::intrinsics::Stages;
use crate::sema::Sema;
use crate::sema::codes;
use aquatint_base::{Diagnostic, HashSet, Span};
use aquatint_ir::{Attr, Builder, Function as IrFunction, Op};

impl Sema<'_> {
    /// Checks what the entry points reach, and calls the first values of statics at their heads.
    pub(crate) fn check_entries(&mut self) {
        for (index, &(number, root, span)) in self.entries.clone().iter().enumerate() {
            let reached = self.reach(root, span);
            let entry = self.module.entry_points[number].clone();
            let mut reported = HashSet::default();
            for &instance in &reached {
                for (name, stages, place) in self.instances[instance].stage_uses.clone() {
                    if stages.admits(entry.stage) || !reported.insert((name, place)) {
                        continue;
                    }
                    let stage = entry.stage.name();
                    let (code, message) = match (name, stages) {
                        ("discard", _) => (&codes::AQ3064, format!("a {stage} stage does not discard")),
                        ("groupshared memory", _) => {
                            (&codes::AQ3049, format!("a {stage} stage has no groupshared memory"))
                        }
                        (_, Stages::Derivative) => {
                            (&codes::AQ3032, format!("'{name}' needs derivatives, which a {stage} stage has not"))
                        }
                        _ => (&codes::AQ3030, format!("a {stage} stage has no '{name}'")),
                    };
                    let entry_name = self.module.names.get(entry.name).to_owned();
                    let diagnostic = Diagnostic::error(code, message)
                        .at(place, "")
                        .at(span, format!("entry point '{entry_name}' reaches it"));
                    self.diags.push(diagnostic);
                }
            }
            self.initialise_statics(index, entry.function, &reached);
        }
    }

    /// All instances that one reaches, itself first. A call back to one that is active is recursion.
    fn reach(&mut self, root: usize, entry: Span) -> Vec<usize> {
        let mut state = vec![0u8; self.instances.len()];
        let mut order = Vec::new();
        let mut stack: Vec<(usize, usize)> = vec![(root, 0)];
        state[root] = 1;
        order.push(root);
        while let Some((at, next)) = stack.last_mut() {
            let at = *at;
            let call = self.instances[at].calls.get(*next).copied().or_else(|| {
                // The first values of statics are reached as well.
                let beyond = *next - self.instances[at].calls.len();
                let variable = *self.instances[at].statics.get(beyond)?;
                self.variables[variable].init.map(|init| (init, self.variables[variable].span))
            });
            let Some((callee, span)) = call else {
                state[at] = 2;
                stack.pop();
                continue;
            };
            *next += 1;
            match state[callee] {
                0 => {
                    state[callee] = 1;
                    order.push(callee);
                    stack.push((callee, 0));
                }
                1 => {
                    let cycle: Vec<String> = stack
                        .iter()
                        .skip_while(|(i, _)| *i != callee)
                        .map(|(i, _)| self.instance_name(*i))
                        .chain(std::iter::once(self.instance_name(callee)))
                        .collect();
                    let diagnostic = Diagnostic::error(&codes::AQ3011, format!("recursion: {}", cycle.join(" calls ")))
                        .at(span, "")
                        .at(entry, "an entry point reaches it");
                    self.diags.push(diagnostic);
                    // Once is enough: the call is not followed.
                }
                _ => {}
            }
        }
        order
    }

    fn instance_name(&self, instance: usize) -> String {
        match self.functions.get(self.instances[instance].function) {
            Some(function) => format!("'{}'", self.module.names.get(function.name)),
            None => "an initialiser".to_owned(),
        }
    }

    /// Calls the initialisers of the statics that are reached, in the order of their declaration, before the body.
    fn initialise_statics(&mut self, index: usize, function: aquatint_ir::FunctionId, reached: &[usize]) {
        let mut statics: Vec<usize> = reached.iter().flat_map(|&i| self.instances[i].statics.iter().copied()).collect();
        statics.sort_unstable();
        statics.dedup();
        let Some(&at) = self.entry_statics.get(index) else { return };
        if statics.is_empty() {
            return;
        }
        let mut taken = std::mem::replace(&mut self.module.functions[function], IrFunction::placeholder());
        let mut calls = Vec::new();
        {
            let mut b = Builder::new(&mut self.module, &mut taken);
            for variable in statics {
                let Some(init) = self.variables[variable].init else { continue };
                let id = self.instances[init].id;
                calls.push(b.create(Op::Call, Attr::Function(id), &[], &[], &[]));
            }
        }
        let body = taken.body;
        let at = at.min(taken.regions[body].insts.len());
        taken.regions[body].insts.splice(at..at, calls);
        self.module.functions[function] = taken;
    }
}
