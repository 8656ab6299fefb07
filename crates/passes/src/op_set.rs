//! Sets of operations: which a target's printer prints, which an expansion takes away.

use aquatint_ir::walk::Walk;
use aquatint_ir::{Function, FunctionId, InstId, Module, Op};

const WORDS: usize = 4;
const _: () = assert!(Op::ALL.len() <= WORDS * 64);

/// A set of operations. Built in `const` context, so that a writer's set is a table beside its printer.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct OpSet([u64; WORDS]);

impl OpSet {
    /// No operation.
    pub const NONE: OpSet = OpSet([0; WORDS]);

    /// Every operation.
    pub const ALL: OpSet = OpSet::of(Op::ALL);

    /// The listed operations.
    pub const fn of(ops: &[Op]) -> Self {
        let mut words = [0; WORDS];
        let mut i = 0;
        while i < ops.len() {
            words[ops[i] as usize / 64] |= 1 << (ops[i] as usize % 64);
            i += 1;
        }
        OpSet(words)
    }

    /// Both sets.
    #[must_use]
    pub const fn with(self, other: OpSet) -> Self {
        let mut words = self.0;
        let mut i = 0;
        while i < WORDS {
            words[i] |= other.0[i];
            i += 1;
        }
        OpSet(words)
    }

    /// This set without the operations of the other.
    #[must_use]
    pub const fn without(self, other: OpSet) -> Self {
        let mut words = self.0;
        let mut i = 0;
        while i < WORDS {
            words[i] &= !other.0[i];
            i += 1;
        }
        OpSet(words)
    }

    /// Whether the operation is in the set.
    #[inline]
    pub const fn has(self, op: Op) -> bool {
        self.0[op as usize / 64] & (1 << (op as usize % 64)) != 0
    }

    /// Adds an operation.
    #[inline]
    pub const fn insert(&mut self, op: Op) {
        self.0[op as usize / 64] |= 1 << (op as usize % 64);
    }

    /// Whether the sets share an operation.
    pub const fn meets(self, other: OpSet) -> bool {
        let mut i = 0;
        while i < WORDS {
            if self.0[i] & other.0[i] != 0 {
                return true;
            }
            i += 1;
        }
        false
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self == Self::NONE
    }

    /// The operations in the order of the op table.
    pub fn iter(self) -> impl Iterator<Item = Op> {
        Op::ALL.iter().copied().filter(move |&op| self.has(op))
    }

    /// The operations that a function's regions reach.
    pub fn used_by(function: &Function) -> Self {
        let mut set = Self::NONE;
        for inst in Walk::new(function).insts() {
            set.insert(function.insts[inst].op);
        }
        set
    }

    /// The operations of all instructions of a function, also of those that no region reaches any more: at least
    /// [`OpSet::used_by`], and cheaper.
    pub(crate) fn at_most(function: &Function) -> Self {
        let mut set = Self::NONE;
        for inst in function.insts.as_slice() {
            set.insert(inst.op);
        }
        set
    }
}

impl std::fmt::Debug for OpSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter().map(Op::name)).finish()
    }
}

/// An instruction whose operation the set does not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotAllowed {
    /// The function.
    pub function: FunctionId,
    /// The instruction.
    pub inst: InstId,
    /// Its operation.
    pub op: Op,
}

impl std::fmt::Display for NotAllowed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` is left after the passes that should have expanded it", self.op.name())
    }
}

impl std::error::Error for NotAllowed {}

/// Checks that every reachable instruction's operation is in `allowed`: what a writer asks after raising, so that a
/// forgotten pass is found before a line is printed. The first that is not is the error. Linear.
pub fn check_ops(module: &Module, allowed: &OpSet) -> Result<(), NotAllowed> {
    for (id, function) in module.functions.iter() {
        for inst in Walk::new(function).insts() {
            let op = function.insts[inst].op;
            if !allowed.has(op) {
                return Err(NotAllowed { function: id, inst, op });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use aquatint_ir::{Builder, types};

    #[test]
    fn sets_do_what_sets_do() {
        const FEW: OpSet = OpSet::of(&[Op::FAdd, Op::Barrier]);
        assert!(FEW.has(Op::FAdd) && FEW.has(Op::Barrier) && !FEW.has(Op::FSub));
        assert!(FEW.meets(OpSet::of(&[Op::Barrier])) && !FEW.meets(OpSet::of(&[Op::FSub])));
        assert_eq!(FEW.without(OpSet::of(&[Op::FAdd])), OpSet::of(&[Op::Barrier]));
        assert_eq!(FEW.with(OpSet::of(&[Op::FSub])).iter().collect::<Vec<_>>(), [Op::FAdd, Op::FSub, Op::Barrier]);
        assert_eq!(OpSet::ALL.iter().count(), Op::ALL.len());
    }

    #[test]
    fn an_operation_outside_the_set_is_named() {
        let mut module = Module::new();
        let name = module.names.intern("main");
        let id = module.functions.push(Function::new(name, types::VOID));
        Builder::edit(&mut module, id, |b| {
            let one = b.f32(1.0);
            b.op(Op::RcpD3d9, &[one]);
            b.terminate(Op::Return, &[]);
        });
        let without = OpSet::ALL.without(OpSet::of(&[Op::RcpD3d9]));
        assert_eq!(check_ops(&module, &OpSet::ALL), Ok(()));
        assert_eq!(check_ops(&module, &without).map_err(|e| e.op), Err(Op::RcpD3d9));
    }
}
