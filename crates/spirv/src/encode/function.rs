//! Functions, memory, calls.

use super::Encoder;
use aquatint_ir::types::{self, Space, Type};
use aquatint_ir::walk::Walk;
use aquatint_ir::{Attr, Function, FunctionId, Inst, InstId, LocalId, Op as IrOp, Value, ValueKind};
use spirv::{Capability, Op, StorageClass};

impl Encoder<'_> {
    /// Writes a function.
    pub fn function(&mut self, id: FunctionId) {
        let module = self.module;
        let function = &module.functions[id];
        self.locals.clear();
        self.locals.resize(function.locals.len(), 0);
        let result = self.ty(function.result);
        let mut signature = vec![result];
        for param in function.params(function.body) {
            signature.push(self.ty(function.locals[param].ty));
        }
        let ty = self.function_type(&signature);
        let own = self.function_ids[id.index()];
        self.name(own, module.names.get(function.name));
        self.functions.op(Op::Function, &[result, own, spirv::FunctionControl::NONE.bits(), ty]);
        for (param, &ty) in function.params(function.body).zip(&signature[1..]) {
            let id = self.local(param);
            self.functions.op(Op::FunctionParameter, &[ty, id]);
        }
        let start = self.id();
        self.begin_block(start);
        // All variables of a function stand in its first block (SPIR-V 2.4).
        for inst in Walk::new(function).insts() {
            if function.insts[inst].op == IrOp::Var {
                self.variable(function, inst);
            }
        }
        self.region(function, function.body);
        if !self.closed {
            self.functions.op(Op::Unreachable, &[]);
            self.closed = true;
        }
        self.functions.op(Op::FunctionEnd, &[]);
        if self.options.names {
            // In the order of the values: that of the map is another's affair.
            let mut names: Vec<_> = function.names.iter().map(|(&local, &name)| (local, name)).collect();
            names.sort_unstable_by_key(|&(local, _)| local);
            for (local, name) in names {
                if self.locals[local.index()] != 0 {
                    let id = self.locals[local.index()];
                    self.name(id, module.names.get(name));
                }
            }
        }
    }

    fn variable(&mut self, function: &Function, inst: InstId) {
        let Some(local) = function.result(inst) else { return };
        let Type::Pointer { pointee, .. } = self.module.types.get(function.locals[local].ty) else { return };
        let pointee_id = self.ty(pointee);
        let pointer = self.pointer(StorageClass::Function, pointee_id);
        let initial = self.first_value(function, inst, pointee_id);
        let id = self.local(local);
        self.functions.op(Op::Variable, &[pointer, id, StorageClass::Function as u32, initial]);
    }

    fn first_value(&mut self, function: &Function, inst: InstId, pointee: u32) -> u32 {
        match function.operands(inst).first().and_then(|v| v.as_constant()) {
            Some(constant) => self.constant(constant),
            None => self.null(pointee),
        }
    }

    /// A variable within a loop is a new one each time round.
    pub fn renew(&mut self, function: &Function, inst: InstId) {
        let Some(local) = function.result(inst) else { return };
        let Type::Pointer { pointee, .. } = self.module.types.get(function.locals[local].ty) else { return };
        let pointee = self.ty(pointee);
        let initial = self.first_value(function, inst, pointee);
        let id = self.local(local);
        self.functions.op(Op::Store, &[id, initial]);
    }

    /// The id of a local; forward references get theirs early.
    #[inline]
    pub fn local(&mut self, local: LocalId) -> u32 {
        let index = local.index();
        if self.locals[index] == 0 {
            self.locals[index] = self.id();
        }
        self.locals[index]
    }

    /// The id of an operand. Handles of globals are loaded.
    pub fn value(&mut self, value: Value) -> u32 {
        match value.kind() {
            ValueKind::Local(local) => self.local(local),
            ValueKind::Constant(constant) => self.constant(constant),
            ValueKind::Global(global) => {
                let variable = self.global(global);
                let item = &self.module.globals[global];
                if item.space == Space::Handle && !matches!(self.module.types.get(item.ty), Type::Array { .. }) {
                    let ty = self.ty(item.ty);
                    self.load_handle(variable, ty)
                } else {
                    variable
                }
            }
        }
    }

    /// Writes one instruction that is not control flow.
    pub fn inst(&mut self, function: &Function, id: InstId, in_loop: bool) {
        let inst = function.insts[id];
        match inst.op {
            IrOp::Var if in_loop => self.renew(function, id),
            IrOp::Var => {}
            IrOp::Load => {
                let pointer = self.value(function.operands(id)[0]);
                self.simple(function, id, &inst, Op::Load, &[pointer]);
            }
            IrOp::Store => {
                let operands = function.operands(id);
                let (pointer, value) = (self.value(operands[0]), self.value(operands[1]));
                self.functions.op(Op::Store, &[pointer, value]);
            }
            IrOp::Access => self.access(function, id, &inst),
            IrOp::ArrayLength => self.array_length(function, id, &inst),
            IrOp::Atomic => self.atomic(function, id, &inst),
            IrOp::Call => {
                let Attr::Function(callee) = inst.attr else { return };
                let mut operands = smallvec::SmallVec::<[u32; 8]>::from_slice(&[self.function_ids[callee.index()]]);
                for &value in function.operands(id) {
                    operands.push(self.value(value));
                }
                match function.result(id) {
                    Some(_) => self.simple(function, id, &inst, Op::FunctionCall, &operands),
                    None => {
                        let void = self.ty(types::VOID);
                        let unused = self.id();
                        self.functions.op2(Op::FunctionCall, &[void, unused], &operands);
                    }
                }
            }
            IrOp::Discard => {
                self.capability(Capability::DemoteToHelperInvocation);
                if self.options.environment < crate::Environment::Vulkan1_3 {
                    self.extension("SPV_EXT_demote_to_helper_invocation");
                }
                self.functions.op(Op::DemoteToHelperInvocation, &[]);
            }
            IrOp::Barrier => self.barrier(&inst),
            IrOp::Sample
            | IrOp::Gather
            | IrOp::Fetch
            | IrOp::ImageLoad
            | IrOp::ImageStore
            | IrOp::QuerySize
            | IrOp::QueryLevels
            | IrOp::QuerySamples
            | IrOp::QueryLod => self.texture(function, id, &inst),
            _ => self.arithmetic(function, id, &inst),
        }
    }

    /// An instruction with a result: `op type id operands`.
    pub fn simple(&mut self, function: &Function, id: InstId, inst: &Inst, op: Op, operands: &[u32]) {
        let Some(local) = function.result(id) else { return };
        let ty = self.ty(function.locals[local].ty);
        let result = self.local(local);
        self.functions.op2(op, &[ty, result], operands);
        if inst.precise && is_arithmetic(op) {
            self.decorations.op(Op::Decorate, &[result, spirv::Decoration::NoContraction as u32]);
        }
        if inst.relaxed {
            self.decorations.op(Op::Decorate, &[result, spirv::Decoration::RelaxedPrecision as u32]);
        }
    }

    fn access(&mut self, function: &Function, id: InstId, inst: &Inst) {
        let operands = function.operands(id);
        let base = operands[0];
        let mut path = smallvec::SmallVec::<[u32; 6]>::new();
        let handle = base.as_global().is_some_and(|g| self.module.globals[g].space == Space::Handle);
        path.push(match base.as_global() {
            Some(global) => self.global(global),
            None => self.value(base),
        });
        let mut fixed = true;
        for &step in &operands[1..] {
            fixed &= step.as_constant().is_some();
            path.push(self.value(step));
        }
        if let Some(global) = base.as_global()
            && !fixed
        {
            self.indexed(global);
        }
        let Some(local) = function.result(id) else { return };
        if handle {
            let ty = self.ty(function.locals[local].ty);
            let pointer = self.pointer(StorageClass::UniformConstant, ty);
            let place = self.id();
            self.functions.op2(Op::AccessChain, &[pointer, place], &path);
            let result = self.local(local);
            self.functions.op(Op::Load, &[ty, result, place]);
        } else {
            self.simple(function, id, inst, Op::AccessChain, &path);
        }
    }

    /// A dynamic index into an array of resources needs a capability.
    fn indexed(&mut self, global: aquatint_ir::GlobalId) {
        let item = &self.module.globals[global];
        let Type::Array { element, .. } = self.module.types.get(item.ty) else { return };
        match (item.space, self.module.types.get(element)) {
            (Space::Handle, Type::Texture(types::Texture { kind: types::TextureKind::Storage(..), .. })) => {
                self.capability(Capability::StorageImageArrayDynamicIndexing);
            }
            (Space::Handle, _) => self.capability(Capability::SampledImageArrayDynamicIndexing),
            (Space::Uniform, _) => self.capability(Capability::UniformBufferArrayDynamicIndexing),
            (Space::Storage, _) => self.capability(Capability::StorageBufferArrayDynamicIndexing),
            _ => {}
        }
    }

    fn array_length(&mut self, function: &Function, id: InstId, inst: &Inst) {
        // The operand is an access to the last member of a block, or the block's only member.
        let operand = function.operands(id)[0];
        let (block, member) = match operand.as_local().and_then(|l| function.def_inst(l)) {
            Some(access) if function.insts[access].op == IrOp::Access => {
                let path = function.operands(access);
                let member = path.last().and_then(|v| v.as_constant()).and_then(|c| self.module.constants[c].lane(0));
                let before = &path[..path.len() - 1];
                (self.block_pointer(function, before), member.unwrap_or(0) as u32)
            }
            _ => (self.value(operand), 0),
        };
        self.simple(function, id, inst, Op::ArrayLength, &[block, member]);
    }

    /// A pointer to the block that a path without its last step leads to.
    fn block_pointer(&mut self, function: &Function, path: &[Value]) -> u32 {
        let base = self.value(path[0]);
        if path.len() == 1 {
            return base;
        }
        let pointee = match self.module.types.get(self.module.type_of(function, path[0])) {
            Type::Pointer { pointee, .. } => pointee,
            _ => return base,
        };
        let block = path[1..].iter().try_fold(pointee, |ty, step| {
            let fixed = step.as_constant().and_then(|c| self.module.constants[c].lane(0)).unwrap_or(0);
            self.module.types.step(ty, fixed as u32)
        });
        let block = self.ty(block.unwrap_or(pointee));
        let pointer = self.pointer(StorageClass::StorageBuffer, block);
        let steps: smallvec::SmallVec<[u32; 4]> = path[1..].iter().map(|&v| self.value(v)).collect();
        let id = self.id();
        self.functions.op2(Op::AccessChain, &[pointer, id, base], &steps);
        id
    }

    fn atomic(&mut self, function: &Function, id: InstId, inst: &Inst) {
        use aquatint_ir::op::AtomicOp;
        let Attr::Atomic(kind) = inst.attr else { return };
        let operands: Vec<u32> = function.operands(id).iter().map(|&v| self.value(v)).collect();
        let pointer = self.module.type_of(function, function.operands(id)[0]);
        let workgroup = matches!(self.module.types.get(pointer), Type::Pointer { space: Space::Workgroup, .. });
        let scope = self.u32_constant(if workgroup { spirv::Scope::Workgroup } else { spirv::Scope::Device } as u32);
        let relaxed = self.u32_constant(0);
        let kind_of = function.result(id).and_then(|l| types::lanes_of(function.locals[l].ty)).map(|(kind, _)| kind);
        let signed = kind_of.is_some_and(|k| k.is_signed());
        if kind_of.is_some_and(|k| k.bits() == 64) {
            self.capability(Capability::Int64Atomics);
        }
        let op = match kind {
            AtomicOp::Add => Op::AtomicIAdd,
            AtomicOp::Sub => Op::AtomicISub,
            AtomicOp::And => Op::AtomicAnd,
            AtomicOp::Or => Op::AtomicOr,
            AtomicOp::Xor => Op::AtomicXor,
            AtomicOp::Min if signed => Op::AtomicSMin,
            AtomicOp::Min => Op::AtomicUMin,
            AtomicOp::Max if signed => Op::AtomicSMax,
            AtomicOp::Max => Op::AtomicUMax,
            AtomicOp::Exchange => Op::AtomicExchange,
            AtomicOp::CompareExchange => {
                let all = [operands[0], scope, relaxed, relaxed, operands[2], operands[1]];
                return self.simple(function, id, inst, Op::AtomicCompareExchange, &all);
            }
        };
        self.simple(function, id, inst, op, &[operands[0], scope, relaxed, operands[1]]);
    }

    fn barrier(&mut self, inst: &Inst) {
        let Attr::Barrier(barrier) = inst.attr else { return };
        // Without memory to order there is nothing to acquire or release (VUID 04733).
        let any = barrier.workgroup || barrier.storage || barrier.texture;
        let mut semantics = if any { spirv::MemorySemantics::ACQUIRE_RELEASE } else { spirv::MemorySemantics::RELAXED };
        if barrier.workgroup {
            semantics |= spirv::MemorySemantics::WORKGROUP_MEMORY;
        }
        if barrier.storage {
            semantics |= spirv::MemorySemantics::UNIFORM_MEMORY;
        }
        if barrier.texture {
            semantics |= spirv::MemorySemantics::IMAGE_MEMORY;
        }
        let workgroup = self.u32_constant(spirv::Scope::Workgroup as u32);
        let wide = barrier.storage || barrier.texture;
        let memory = self.u32_constant(if wide { spirv::Scope::Device } else { spirv::Scope::Workgroup } as u32);
        let semantics = self.u32_constant(semantics.bits());
        if barrier.execution {
            self.functions.op(Op::ControlBarrier, &[workgroup, memory, semantics]);
        } else if any {
            self.functions.op(Op::MemoryBarrier, &[memory, semantics]);
        }
    }
}

/// What `NoContraction` may decorate.
const fn is_arithmetic(op: Op) -> bool {
    matches!(op, Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem | Op::FNegate | Op::Dot)
}
