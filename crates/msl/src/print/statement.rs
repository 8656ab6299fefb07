//! Regions as statements (sheet D9).

use super::Body;
use super::operator::precedence as p;
use crate::raise::plan::Place;
use aquatint_ir::types::{Type, lanes_of};
use aquatint_ir::{Attr, InstId, LocalId, Op, RegionId, Value};
use smallvec::SmallVec;

/// A structured instruction that is being written.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// The instruction.
    pub inst: InstId,
    /// Its operation.
    pub op: Op,
    /// For a switch: the region being written, and the flag that says to leave the loop around it.
    pub case: usize,
    pub flag: Option<u32>,
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
                self.push(".");
                self.push(self.interface().member(s, index as usize));
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
}
