//! Loads and stores.

use super::machine::Machine;
use super::mask;
use super::program::{Leaf, Memory, Step};
use super::resources::{Entry, Resources};
use aquatint_ir::Scalar;

/// The bits of a scalar in a buffer, or 0 out of range. A bool is a 32-bit word, true unless zero.
#[inline]
pub(super) fn read(bytes: &[u8], offset: u64, kind: Scalar) -> u64 {
    fn at<const N: usize>(bytes: &[u8], offset: u64) -> Option<[u8; N]> {
        bytes.get(usize::try_from(offset).ok()?..)?.first_chunk().copied()
    }
    let bits = match kind.bytes() {
        2 => at(bytes, offset).map(|b| u64::from(u16::from_le_bytes(b))),
        4 => at(bytes, offset).map(|b| u64::from(u32::from_le_bytes(b))),
        _ => at(bytes, offset).map(u64::from_le_bytes),
    };
    let bits = bits.unwrap_or(0);
    if kind == Scalar::Bool { u64::from(bits != 0) } else { bits }
}

/// Writes a scalar to a buffer; dropped out of range.
#[inline]
pub(super) fn write(bytes: &mut [u8], offset: u64, kind: Scalar, bits: u64) {
    let size = kind.bytes() as usize;
    let place = usize::try_from(offset).ok().and_then(|offset| bytes.get_mut(offset..)?.get_mut(..size));
    if let Some(place) = place {
        place.copy_from_slice(&bits.to_le_bytes()[..size]);
    }
}

/// Where a leaf lies, from the words of the pointer.
#[inline]
fn address(leaf: &Leaf, offset: u64, strides: u64) -> u64 {
    offset
        .wrapping_add(u64::from(leaf.offset))
        .wrapping_add(u64::from(leaf.row) * (strides & 0xFFFF_FFFF))
        .wrapping_add(u64::from(leaf.column) * (strides >> 32))
}

impl<'p> Machine<'p> {
    fn leaves(&self, plan: u32) -> &'p [Leaf] {
        let range = &self.program.plans[plan as usize];
        &self.program.leaves[range.start as usize..range.end as usize]
    }

    /// The bytes that the first word of a pointer stands for.
    #[inline]
    pub(super) fn bytes<'r>(&self, resources: &'r Resources, word: u64) -> &'r [u8] {
        match self.entry(word) {
            Some(Entry::Buffer(index)) => &resources.buffers[index].bytes,
            _ => &[],
        }
    }

    /// The same to change.
    #[inline]
    pub(super) fn bytes_mut<'r>(&self, resources: &'r mut Resources, word: u64) -> &'r mut [u8] {
        match self.entry(word) {
            Some(Entry::Buffer(index)) => &mut resources.buffers[index].bytes,
            _ => &mut [],
        }
    }

    /// Elements of a runtime array, those that fit whole.
    pub(super) fn elements(&self, resources: &Resources, word: u64, offset: u64, stride: u32) -> u64 {
        let size = self.bytes(resources, word).len() as u64;
        size.saturating_sub(offset).checked_div(u64::from(stride)).unwrap_or(0)
    }

    /// Follows the steps of an access.
    pub(super) fn access(
        &mut self,
        resources: &Resources,
        out: u32,
        base: u32,
        steps: &[Step],
        handle: bool,
        lane: usize,
    ) {
        let mut word = self.slot(base, lane);
        let (mut offset, mut strides) =
            if handle { (0, 0) } else { (self.slot(base + 1, lane), self.slot(base + 2, lane)) };
        for step in steps {
            let index = |slot: u32| u64::from(self.slot(slot, lane) as u32);
            // A step outside leads nowhere.
            let inside = match *step {
                Step::Fixed { offset: more, strides: new } => {
                    offset = offset.wrapping_add(u64::from(more));
                    strides = new.unwrap_or(strides);
                    true
                }
                Step::Element { index: i, count, stride } => {
                    offset = offset.wrapping_add(index(i) * u64::from(stride));
                    index(i) < u64::from(count)
                }
                Step::Runtime { index: i, stride } => {
                    let all = self.elements(resources, word, offset, stride);
                    offset = offset.wrapping_add(index(i) * u64::from(stride));
                    index(i) < all
                }
                Step::Row { index: i, count } => {
                    offset = offset.wrapping_add(index(i).wrapping_mul(strides & 0xFFFF_FFFF));
                    strides &= !0xFFFF_FFFF;
                    index(i) < u64::from(count)
                }
                Step::Lane { index: i, count } => {
                    offset = offset.wrapping_add(index(i).wrapping_mul(strides >> 32));
                    index(i) < u64::from(count)
                }
                Step::Descriptor { index: i, count, stride } => {
                    let element = (word & 0xFFFF_FFFF).saturating_add(index(i) * u64::from(stride));
                    word = word & !0xFFFF_FFFF | element & 0xFFFF_FFFF;
                    element <= 0xFFFF_FFFF && count.is_none_or(|count| index(i) < u64::from(count))
                }
            };
            if !inside {
                word = 0;
            }
        }
        self.set_slot(out, lane, word);
        if !handle {
            self.set_slot(out + 1, lane, offset);
            self.set_slot(out + 2, lane, strides);
        }
    }

    fn pointer(&self, pointer: u32, lane: usize) -> [u64; 3] {
        [0, 1, 2].map(|word| self.slot(pointer + word, lane))
    }

    pub(super) fn init(&mut self, address: u32, from: Option<u32>, count: u32) {
        let n = self.lanes;
        let (address, count) = (address as usize * n, count as usize);
        let (active, memory, slots) = (&self.active, &mut self.memory, &self.slots);
        for word in 0..count {
            mask::for_each(active, |lane| {
                memory[address + word * n + lane] = match from {
                    Some(from) => slots[(from as usize + word) * n + lane],
                    None => 0,
                };
            });
        }
    }

    pub(super) fn store_static(&mut self, address: u32, a: u32, count: u32) {
        self.init(address, Some(a), count);
    }

    pub(super) fn load_uniform(&mut self, resources: &Resources, out: u32, pointer: [u64; 3], plan: u32) {
        let bytes = self.bytes(resources, pointer[0]);
        let n = self.lanes;
        for (word, leaf) in self.leaves(plan).iter().enumerate() {
            let bits = read(bytes, address(leaf, pointer[1], pointer[2]), leaf.kind);
            let first = (out as usize + word) * n;
            self.slots[first..first + n].fill(bits);
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one instruction")]
    pub(super) fn load(
        &mut self,
        resources: &Resources,
        memory: Memory,
        out: u32,
        pointer: u32,
        count: u32,
        plan: u32,
        lane: usize,
    ) {
        let [base, offset, strides] = self.pointer(pointer, lane);
        if memory == Memory::Buffer {
            let bytes = self.bytes(resources, base);
            for (word, leaf) in self.leaves(plan).iter().enumerate() {
                let bits = read(bytes, address(leaf, offset, strides), leaf.kind);
                self.set_slot(out + word as u32, lane, bits);
            }
            return;
        }
        for word in 0..count {
            let bits = match base {
                0 => 0,
                _ => self.word(memory, offset + u64::from(word), lane).map_or(0, |place| *place),
            };
            self.set_slot(out + word, lane, bits);
        }
    }

    /// A word of lane or workgroup memory.
    pub(super) fn word(&mut self, memory: Memory, offset: u64, lane: usize) -> Option<&mut u64> {
        let offset = usize::try_from(offset).ok()?;
        match memory {
            Memory::Lane => self.memory.get_mut(offset.checked_mul(self.lanes)?.checked_add(lane)?),
            Memory::Shared => self.shared.get_mut(offset),
            Memory::Buffer => None,
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one instruction")]
    pub(super) fn store(
        &mut self,
        resources: &mut Resources,
        memory: Memory,
        pointer: u32,
        a: u32,
        count: u32,
        plan: u32,
        lane: usize,
    ) {
        let [base, offset, strides] = self.pointer(pointer, lane);
        if memory == Memory::Buffer {
            if mask::has(&self.helpers, lane) {
                return;
            }
            let bytes = self.bytes_mut(resources, base);
            for (word, leaf) in self.leaves(plan).iter().enumerate() {
                write(bytes, address(leaf, offset, strides), leaf.kind, self.slot(a + word as u32, lane));
            }
            return;
        }
        for word in 0..if base == 0 { 0 } else { count } {
            let bits = self.slot(a + word, lane);
            if let Some(place) = self.word(memory, offset + u64::from(word), lane) {
                *place = bits;
            }
        }
    }

    /// The byte that a byte access begins at.
    fn raw(&self, pointer: u32, offset: u32, lane: usize) -> (u64, u64) {
        let [base, start, _] = self.pointer(pointer, lane);
        (base, start.wrapping_add(u64::from(self.slot(offset, lane) as u32 & !3)))
    }

    /// Where a leaf lies whose matrices and vectors are packed.
    fn packed(leaf: &Leaf, leaves: &[Leaf], word: usize) -> u64 {
        // Only a matrix or vector alone, or an array of them, has leaves with rows and columns of their own.
        if leaf.row == 0 && leaf.column == 0 {
            return u64::from(leaf.offset);
        }
        let before = leaves[..word].iter().rev().take_while(|other| other.offset == leaf.offset).count();
        u64::from(leaf.offset) + before as u64 * u64::from(leaf.kind.bytes())
    }

    pub(super) fn load_raw(
        &mut self,
        resources: &Resources,
        out: u32,
        pointer: u32,
        offset: u32,
        plan: u32,
        lane: usize,
    ) {
        let (base, start) = self.raw(pointer, offset, lane);
        let bytes = self.bytes(resources, base);
        let leaves = self.leaves(plan);
        for (word, leaf) in leaves.iter().enumerate() {
            let bits = read(bytes, start.wrapping_add(Self::packed(leaf, leaves, word)), leaf.kind);
            self.set_slot(out + word as u32, lane, bits);
        }
    }

    pub(super) fn store_raw(
        &mut self,
        resources: &mut Resources,
        pointer: u32,
        offset: u32,
        a: u32,
        plan: u32,
        lane: usize,
    ) {
        let (base, start) = self.raw(pointer, offset, lane);
        let bytes = self.bytes_mut(resources, base);
        let leaves = self.leaves(plan);
        for (word, leaf) in leaves.iter().enumerate() {
            let place = start.wrapping_add(Self::packed(leaf, leaves, word));
            write(bytes, place, leaf.kind, self.slot(a + word as u32, lane));
        }
    }

    pub(super) fn array_length(&mut self, resources: &Resources, out: u32, pointer: u32, stride: u32, lane: usize) {
        let [base, offset, _] = self.pointer(pointer, lane);
        let count = self.elements(resources, base, offset, stride);
        self.set_slot(out, lane, count.min(u64::from(u32::MAX)));
    }
}
