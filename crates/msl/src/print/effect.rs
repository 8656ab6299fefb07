//! What acts on something else than values: calls, atomics, stores to textures, barriers (sheet D2, D9.6, D10).

use super::Body;
use super::operator::precedence as p;
use super::types::lanes_name;
use crate::raise::plan::Place;
use aquatint_ir::op::AtomicOp;
use aquatint_ir::types::{Scalar, Space, Type, lanes_of};
use aquatint_ir::{Attr, InstId, Value};
use smallvec::SmallVec;

impl Body<'_, '_> {
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

    pub(super) fn call_function(&mut self, id: InstId, operands: &[Value]) {
        let Attr::Function(callee) = self.function.insts[id].attr else { return };
        let Some(index) = self.find_function(callee) else { return };
        self.begin_result(id);
        self.push(self.interface().function(index));
        self.push("(");
        self.list(operands);
        let mut first = operands.is_empty();
        let (mut input, mut output) = (false, false);
        for &global in self.file.reach.needs_of(callee) {
            let mut text = self.interface().global(global);
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
        self.interface().specs.binary_search(&global).is_ok()
    }

    pub(super) fn atomic(&mut self, id: InstId, operands: &[Value]) {
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

    pub(super) fn counter(&mut self, id: InstId, operands: &[Value]) {
        let Some(global) = operands.first().and_then(|v| v.as_global()) else { return };
        let up = matches!(self.function.insts[id].attr, Attr::Counter(true));
        self.begin_result(id);
        self.push(if up { "atomic_fetch_add_explicit(" } else { "atomic_fetch_sub_explicit(" });
        let interface = self.interface();
        self.push(interface.counter(global).map_or("", |counter| interface.get(counter.name)));
        self.push(if up { ", 1u, memory_order_relaxed);\n" } else { ", 1u, memory_order_relaxed) - 1u;\n" });
    }

    pub(super) fn image_store(&mut self, operands: &[Value]) {
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

    pub(super) fn barrier(&mut self, id: InstId) {
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
