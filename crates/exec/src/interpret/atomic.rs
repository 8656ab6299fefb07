//! Atomics and hidden counters.

use super::machine::Machine;
use super::mask;
use super::memory::{read, write};
use super::program::{AtomicInst, Memory};
use super::resources::{Entry, Resources};
use aquatint_ir::eval::lane_fn;
use aquatint_ir::op::AtomicOp;
use aquatint_ir::{Op, Scalar};

/// The value that an atomic leaves.
pub(super) fn combine(op: AtomicOp, kind: Scalar, before: u64, comparand: u64, value: u64) -> u64 {
    let float = kind.is_float();
    let with = |integer: Op, other: Op| {
        // Kinds that have no such operation keep the value.
        lane_fn(if float { other } else { integer }, kind).map_or(before, |f| f(before, value, 0))
    };
    match op {
        AtomicOp::Add => with(Op::IAdd, Op::FAdd),
        AtomicOp::Sub => with(Op::ISub, Op::FSub),
        AtomicOp::And => with(Op::And, Op::And),
        AtomicOp::Or => with(Op::Or, Op::Or),
        AtomicOp::Xor => with(Op::Xor, Op::Xor),
        AtomicOp::Min => with(Op::IMin, Op::FMin),
        AtomicOp::Max => with(Op::IMax, Op::FMax),
        AtomicOp::Exchange => value,
        AtomicOp::CompareExchange => {
            if before == comparand {
                value
            } else {
                before
            }
        }
    }
}

impl Machine<'_> {
    pub(super) fn atomic(&mut self, resources: &mut Resources, inst: &AtomicInst, lane: usize) {
        let [base, offset] = [0, 1].map(|word| self.slot(inst.pointer + word, lane));
        let value = self.slot(inst.value, lane);
        let comparand = inst.comparand.map_or(0, |slot| self.slot(slot, lane));
        let mut before = 0;
        if base != 0 && !mask::has(&self.helpers, lane) {
            if inst.memory == Memory::Buffer {
                let bytes = self.bytes_mut(resources, base);
                before = read(bytes, offset, inst.kind);
                write(bytes, offset, inst.kind, combine(inst.op, inst.kind, before, comparand, value));
            } else if let Some(place) = self.word(inst.memory, offset, lane) {
                before = *place;
                *place = combine(inst.op, inst.kind, before, comparand, value);
            }
        }
        if let Some(out) = inst.out {
            self.set_slot(out, lane, before);
        }
    }

    pub(super) fn counter(&mut self, resources: &mut Resources, out: Option<u32>, pointer: u32, up: bool, lane: usize) {
        let mut slot = 0;
        if let Some(Entry::Buffer(index)) = self.entry(self.slot(pointer, lane))
            && !mask::has(&self.helpers, lane)
        {
            let counter = &mut resources.buffers[index].counter;
            let before = *counter;
            *counter = if up { before.wrapping_add(1) } else { before.wrapping_sub(1) };
            slot = if up { before } else { *counter };
        }
        if let Some(out) = out {
            self.set_slot(out, lane, u64::from(slot));
        }
    }
}
