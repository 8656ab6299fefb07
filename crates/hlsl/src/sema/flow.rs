//! Control flow as regions: branches, loops, switches (A9.10, A12). Variables live in memory, so regions hand nothing on;
//! the pass that makes values of variables finds what they carry.

use crate::sema::{Flow, Sema};
use aquatint_ir::types as ir;
use aquatint_ir::{Case, Cases, Op, Value};

impl Sema<'_> {
    /// Ends the region with `op`, unless something ended it.
    pub(crate) fn close(&mut self, op: Op) {
        if !self.cur.dead {
            self.b().terminate(op, &[]);
        }
    }

    /// Ends the region with a jump; what follows is not reached, and is lowered to nowhere.
    pub(crate) fn jump(&mut self, op: Op, operands: &[Value]) {
        if !self.cur.dead {
            self.b().terminate(op, operands);
        }
        self.cur.dead = true;
        let nowhere = self.new_region();
        self.enter(nowhere);
    }

    /// Lowers into a new region, which ends with `op` where nothing else ends it. Whether its end is reached.
    pub(crate) fn region(&mut self, op: Op, body: impl FnOnce(&mut Self)) -> (aquatint_ir::RegionId, bool) {
        let region = self.new_region();
        let before = self.enter(region);
        let dead = std::mem::replace(&mut self.cur.dead, false);
        body(self);
        let ends = !self.cur.dead;
        self.close(op);
        self.cur.dead = dead;
        self.enter(before);
        (region, ends)
    }

    /// `if (condition) then else other`.
    pub(crate) fn emit_if(&mut self, condition: Value, then: impl FnOnce(&mut Self), other: impl FnOnce(&mut Self)) {
        let (then, a) = self.region(Op::Yield, then);
        let (other, b) = self.region(Op::Yield, other);
        self.b().push_if(condition, then, other, &[]);
        if !a && !b {
            self.jump(Op::Unreachable, &[]);
        }
    }

    /// A loop: `body` runs, `next` runs before the next pass. `break` and `continue` in `body` belong to it.
    pub(crate) fn emit_loop(&mut self, body: impl FnOnce(&mut Self), next: impl FnOnce(&mut Self)) {
        self.cur.flow.push(Flow::Loop);
        let (inside, _) = self.region(Op::Continue, body);
        self.cur.flow.pop();
        let (continuing, _) = self.region(Op::Next, next);
        self.b().push_loop(&[], inside, continuing, &[]);
    }

    /// A loop of one pass, which `break` leaves.
    pub(crate) fn emit_once(&mut self, flow: Flow, body: impl FnOnce(&mut Self)) {
        self.cur.flow.push(flow);
        let (inside, _) = self.region(Op::Break, body);
        self.cur.flow.pop();
        let (continuing, _) = self.region(Op::Next, |_| {});
        self.b().push_loop(&[], inside, continuing, &[]);
    }

    /// `break`; false where it belongs to nothing.
    pub(crate) fn emit_break(&mut self) -> bool {
        match self.cur.flow.last() {
            Some(Flow::Loop | Flow::WrappedSwitch { .. }) => self.jump(Op::Break, &[]),
            Some(Flow::Switch { .. }) => {
                let reached = !self.cur.dead;
                if let Some(Flow::Switch { left }) = self.cur.flow.last_mut() {
                    *left |= reached;
                }
                self.jump(Op::Yield, &[]);
            }
            None => return false,
        }
        true
    }

    /// `continue`; false where it belongs to nothing. Switches that are held by a loop of their own are left first.
    pub(crate) fn emit_continue(&mut self) -> bool {
        if !self.cur.flow.iter().any(|f| matches!(f, Flow::Loop)) {
            return false;
        }
        for flow in self.cur.flow.clone().iter().rev() {
            match flow {
                Flow::Loop => {
                    self.jump(Op::Continue, &[]);
                    return true;
                }
                Flow::Switch { .. } => {}
                Flow::WrappedSwitch { continued } => {
                    if let Some(continued) = continued {
                        let yes = self.bool(true);
                        self.store_pointer(*continued, yes);
                    }
                    self.jump(Op::Break, &[]);
                    return true;
                }
            }
        }
        false
    }

    /// A switch on an integer. Each case is its values, whether it is the default, and its body, which says whether its end
    /// falls through.
    pub(crate) fn emit_switch<T>(
        &mut self,
        selector: Value,
        wrapped: bool,
        cases: Vec<(Case, T)>,
        mut body: impl FnMut(&mut Self, T),
    ) {
        if !wrapped {
            self.cur.flow.push(Flow::Switch { left: false });
            let ends = self.switch_inner(selector, cases, &mut body);
            let left = matches!(self.cur.flow.pop(), Some(Flow::Switch { left: true }));
            if !ends && !left {
                self.jump(Op::Unreachable, &[]);
            }
            return;
        }
        let inside_loop = self.cur.flow.iter().any(|f| matches!(f, Flow::Loop));
        let continued = inside_loop.then(|| {
            let flag = self.var(ir::BOOL);
            let no = self.bool(false);
            self.store_pointer(flag, no);
            flag
        });
        self.emit_once(Flow::WrappedSwitch { continued }, |sema| {
            sema.switch_inner(selector, cases, &mut body);
        });
        if let Some(flag) = continued {
            let go = self.load_pointer(flag);
            self.emit_if(
                go,
                |sema| {
                    sema.emit_continue();
                },
                |_| {},
            );
        }
    }

    /// Whether the end of the last case, or the lack of a default, leads behind the switch.
    fn switch_inner<T>(&mut self, selector: Value, cases: Vec<(Case, T)>, body: &mut impl FnMut(&mut Self, T)) -> bool {
        let mut ends = true;
        let mut regions = Vec::new();
        let mut all = Cases::default();
        let count = cases.len();
        let has_default = cases.iter().any(|(case, _)| case.default);
        for (index, (case, content)) in cases.into_iter().enumerate() {
            let last = index + 1 == count && has_default;
            // The end of a case falls into the next; that of the last leaves the switch.
            let end = if last { Op::Yield } else { Op::Fallthrough };
            let (region, open) = self.region(end, |sema| body(sema, content));
            // That of the last case counts.
            ends = open || !has_default;
            regions.push(region);
            all.regions.push(case);
        }
        if !has_default {
            let (region, _) = self.region(Op::Yield, |_| {});
            regions.push(region);
            all.regions.push(Case { values: Vec::new(), default: true });
        }
        self.b().push_switch(selector, all, &regions, &[]);
        ends
    }
}
