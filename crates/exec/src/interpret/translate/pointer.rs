//! Pointers, buffer layouts, and what goes through memory.

use super::{Frame, MAX_DEPTH, MAX_ITEMS, Translator};
use crate::interpret::Error;
use crate::interpret::program::{AtomicInst, Inst, Leaf, Memory, Slots, Step};
use aquatint_ir::op::AtomicOp;
use aquatint_ir::types::{MemberLayout, lanes_of};
use aquatint_ir::{Attr, InstId, Op, Scalar, Space, Type, TypeId, Value, ValueKind};

/// A pointer whose place is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct StaticPointer {
    /// The first word of the pointer: never 0.
    pub base: u64,
    pub offset: u64,
    pub strides: u64,
}

impl StaticPointer {
    pub(super) const fn words(self) -> [u64; 3] {
        [self.base, self.offset, self.strides]
    }
}

/// What a global is as a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    Pointer(StaticPointer),
    /// The constant slot that holds the handle.
    Handle(u32),
}

/// Strides of a matrix (from row to row and lane to lane) or vector in a buffer, in bytes.
const fn strides(row: u32, lane: u32) -> u64 {
    row as u64 | (lane as u64) << 32
}

const fn memory_of(space: Space) -> Option<Memory> {
    match space {
        Space::Function | Space::Private | Space::Input | Space::Output => Some(Memory::Lane),
        Space::Workgroup => Some(Memory::Shared),
        Space::Uniform | Space::Storage | Space::Push => Some(Memory::Buffer),
        Space::Handle => None,
    }
}

impl<'m> Translator<'m> {
    /// Whether an array is one of buffers or handles, not one in a buffer.
    pub(super) fn is_descriptor_array(&self, ty: TypeId) -> bool {
        let Type::Array { element, stride: 0, .. } = self.module.types.get(ty) else { return false };
        self.module.types.is_handle(ty)
            || matches!(self.module.types.get(element), Type::Struct(_) | Type::Array { .. })
    }

    /// Strides of the matrix or vector that a type is, or is an array of.
    pub(super) fn strides_of(&self, mut ty: TypeId, layout: Option<MemberLayout>) -> u64 {
        while let Type::Array { element, .. } = self.module.types.get(ty) {
            ty = element;
        }
        match self.module.types.get(ty) {
            Type::Vector(kind, _) => strides(0, kind.bytes()),
            Type::Matrix { scalar, rows, columns } => {
                let row_major = layout.is_none_or(|layout| layout.row_major || layout.matrix_stride == 0);
                let packed = scalar.bytes() * u32::from(if row_major { columns } else { rows });
                let line = layout.map_or(0, |layout| layout.matrix_stride);
                let line = if line == 0 { packed } else { line };
                if row_major { strides(line, scalar.bytes()) } else { strides(scalar.bytes(), line) }
            }
            _ => 0,
        }
    }

    /// The pointer that a value is, if its place is known.
    pub(super) fn static_pointer(&self, frame: &Frame<'_>, value: Value) -> Option<StaticPointer> {
        match value.kind() {
            ValueKind::Local(id) => frame.pointers.get(&id).copied(),
            ValueKind::Global(id) => match self.globals.get(&id) {
                Some(Place::Pointer(pointer)) => Some(*pointer),
                _ => None,
            },
            ValueKind::Constant(_) => None,
        }
    }

    /// Memory and pointee of a pointer.
    fn pointee(&self, frame: &Frame<'_>, value: Value) -> Result<(Memory, TypeId), Error> {
        let Type::Pointer { space, pointee } = self.module.types.get(self.type_of(frame, value)) else {
            return Err(Error::Malformed("an access through a value that is no pointer"));
        };
        Ok((memory_of(space).ok_or(Error::Malformed("a pointer to handles"))?, pointee))
    }

    pub(super) fn memory(&mut self, frame: &mut Frame<'m>, id: InstId) -> Result<(), Error> {
        let function = frame.function;
        let inst = function.insts[id];
        let operands = function.operands(id);
        match (inst.op, operands) {
            (Op::Var, init) => {
                let local = function.result(id).ok_or(Error::Malformed("a var without its pointer"))?;
                let Type::Pointer { pointee, .. } = self.module.types.get(function.locals[local].ty) else {
                    return Err(Error::Malformed("a var that is no pointer"));
                };
                let count = self.words_of(pointee)?;
                let address = self.lane_memory(count)?;
                let from = match init {
                    [] => None,
                    &[init, ..] => Some(self.sized(frame, init, count)?),
                };
                self.emit(Inst::Init { address, from, count });
                frame.pointers.insert(local, StaticPointer { base: 1, offset: u64::from(address), strides: 0 });
            }
            (Op::Access, &[base, ref steps @ ..]) => self.access(frame, id, base, steps)?,
            (Op::Load, &[pointer]) => {
                let (memory, ty) = self.pointee(frame, pointer)?;
                let out = self.define_result(frame, id)?;
                if out.count != self.words_of(ty)? {
                    return Err(Error::Malformed("a load of another type"));
                }
                let known = self.static_pointer(frame, pointer);
                let plan = if memory == Memory::Buffer { self.plan(ty)? } else { 0 };
                let inst = match known {
                    Some(known) if memory == Memory::Lane => {
                        Inst::LoadStatic { out: out.first, address: known.offset as u32, count: out.count }
                    }
                    Some(known) if memory == Memory::Buffer => {
                        Inst::LoadUniform { out: out.first, pointer: known.words(), plan }
                    }
                    _ => {
                        let pointer = self.sized(frame, pointer, 3)?;
                        Inst::Load { memory, out: out.first, pointer, count: out.count, plan }
                    }
                };
                self.emit(inst);
            }
            (Op::Store, &[pointer, value]) => {
                let (memory, ty) = self.pointee(frame, pointer)?;
                let count = self.words_of(ty)?;
                let a = self.sized(frame, value, count)?;
                let plan = if memory == Memory::Buffer { self.plan(ty)? } else { 0 };
                match self.static_pointer(frame, pointer) {
                    Some(known) if memory == Memory::Lane => {
                        self.emit(Inst::StoreStatic { address: known.offset as u32, a, count });
                    }
                    _ => {
                        let pointer = self.sized(frame, pointer, 3)?;
                        self.emit(Inst::Store { memory, pointer, a, count, plan });
                    }
                }
            }
            (Op::LoadBytes, &[pointer, offset]) => {
                let (pointer, offset) = self.raw(frame, pointer, offset)?;
                let out = self.define_result(frame, id)?;
                let local = function.result(id).ok_or(Error::Malformed("a load without its result"))?;
                let plan = self.plan(function.locals[local].ty)?;
                self.emit(Inst::LoadRaw { out: out.first, pointer, offset, plan });
            }
            (Op::StoreBytes, &[pointer, offset, value]) => {
                let (pointer, offset) = self.raw(frame, pointer, offset)?;
                let ty = self.type_of(frame, value);
                let (count, plan) = (self.words_of(ty)?, self.plan(ty)?);
                let a = self.sized(frame, value, count)?;
                self.emit(Inst::StoreRaw { pointer, offset, a, plan });
            }
            (Op::ArrayLength, &[pointer]) => {
                let (memory, ty) = self.pointee(frame, pointer)?;
                let Type::Array { element, stride, .. } = self.module.types.get(ty) else {
                    return Err(Error::Malformed("the length of no array"));
                };
                if memory != Memory::Buffer {
                    return Err(Error::Malformed("the length of an array outside a buffer"));
                }
                let stride = self.stride_of(element, stride)?;
                let pointer = self.sized(frame, pointer, 3)?;
                let out = self.define_result(frame, id)?;
                if out.count != 1 {
                    return Err(Error::Malformed("a length that is no scalar"));
                }
                self.emit(Inst::ArrayLength { out: out.first, pointer, stride });
            }
            (Op::Atomic, &[pointer, ref values @ ..]) => {
                let (memory, ty) = self.pointee(frame, pointer)?;
                let (Some((kind, 1)), Attr::Atomic(op)) = (lanes_of(ty), inst.attr) else {
                    return Err(Error::Malformed("an atomic on no scalar"));
                };
                let (comparand, value) = match (op, values) {
                    (AtomicOp::CompareExchange, &[comparand, value]) => (Some(comparand), value),
                    (AtomicOp::CompareExchange, _) => return Err(Error::Malformed("an exchange without comparand")),
                    (_, &[value]) => (None, value),
                    _ => return Err(Error::Malformed("an atomic without its value")),
                };
                let comparand = comparand.map(|value| self.sized(frame, value, 1)).transpose()?;
                let value = self.sized(frame, value, 1)?;
                let pointer = self.sized(frame, pointer, 3)?;
                let out = function.result(id).map(|local| self.define(frame, local)).transpose()?;
                let number = self.program.atomics.len() as u32;
                let out = out.filter(|out| out.count == 1).map(|out| out.first);
                self.program.atomics.push(AtomicInst { memory, pointer, op, kind, comparand, value, out });
                self.emit(Inst::Atomic(number));
            }
            (Op::CounterAdd, &[pointer]) => {
                let (memory, _) = self.pointee(frame, pointer)?;
                let Attr::Counter(up) = inst.attr else { return Err(Error::Malformed("a counter without direction")) };
                if memory != Memory::Buffer {
                    return Err(Error::Malformed("a counter of no buffer"));
                }
                let pointer = self.sized(frame, pointer, 3)?;
                let out = function.result(id).map(|local| self.define(frame, local)).transpose()?;
                let out = out.filter(|out| out.count == 1).map(|out| out.first);
                self.emit(Inst::Counter { out, pointer, up });
            }
            _ => return Err(Error::Malformed("a memory operation with a wrong number of operands")),
        }
        Ok(())
    }

    /// The operands of a byte access.
    fn raw(&mut self, frame: &Frame<'_>, pointer: Value, offset: Value) -> Result<(u32, u32), Error> {
        if self.pointee(frame, pointer)?.0 != Memory::Buffer {
            return Err(Error::Malformed("a byte access outside a buffer"));
        }
        Ok((self.sized(frame, pointer, 3)?, self.sized(frame, offset, 1)?))
    }

    fn access(&mut self, frame: &mut Frame<'m>, id: InstId, base: Value, path: &[Value]) -> Result<(), Error> {
        let function = frame.function;
        let local = function.result(id).ok_or(Error::Malformed("an access without its pointer"))?;
        let base_ty = self.type_of(frame, base);
        if self.module.types.is_handle(base_ty) {
            return self.access_handle(frame, id, base, base_ty, path);
        }
        let (memory, mut ty) = self.pointee(frame, base)?;
        let known = self.static_pointer(frame, base);
        let mut place = known;
        let mut steps = Vec::new();
        for &index in path {
            let fixed = self.fixed_index(index);
            let part = self.module.types.step(ty, fixed.unwrap_or(0));
            // A constant step outside is a dynamic one that misses.
            let (fixed, part) = match part {
                Some(part) => (fixed, part),
                None => (None, self.module.types.step(ty, 0).ok_or(Error::Malformed("a path that does not fit"))?),
            };
            let slot = self.sized(frame, index, 1)?;
            let step = self.step(memory, ty, part, fixed, slot)?;
            place = place.and_then(|place| follow(place, step, fixed));
            steps.push(step);
            ty = part;
        }
        let claimed = self.module.types.get(function.locals[local].ty);
        if !matches!(claimed, Type::Pointer { pointee, .. } if pointee == ty) {
            return Err(Error::Malformed("an access that gives another type"));
        }
        if let Some(place) = place {
            frame.pointers.insert(local, place);
            return Ok(());
        }
        let base = self.sized(frame, base, 3)?;
        let out = self.define(frame, local)?;
        if out.count != 3 {
            return Err(Error::Malformed("an access that gives no pointer"));
        }
        self.emit_access(out, base, &steps, false);
        Ok(())
    }

    fn emit_access(&mut self, out: Slots, base: u32, steps: &[Step], handle: bool) {
        let first = self.program.steps.len() as u32;
        self.program.steps.extend_from_slice(steps);
        let steps = (first, self.program.steps.len() as u32);
        self.emit(Inst::Access { out: out.first, base, steps, handle });
    }

    fn access_handle(
        &mut self,
        frame: &mut Frame<'m>,
        id: InstId,
        base: Value,
        mut ty: TypeId,
        path: &[Value],
    ) -> Result<(), Error> {
        let mut steps = Vec::new();
        for &index in path {
            let Type::Array { element, length, .. } = self.module.types.get(ty) else {
                return Err(Error::Malformed("a step into a handle"));
            };
            let index = self.sized(frame, index, 1)?;
            steps.push(Step::Descriptor { index, count: length, stride: self.descriptors(element) });
            ty = element;
        }
        let base = self.sized(frame, base, 1)?;
        let out = self.define_result(frame, id)?;
        if out.count != 1 {
            return Err(Error::Malformed("an access that gives no handle"));
        }
        self.emit_access(out, base, &steps, true);
        Ok(())
    }

    /// Registers that one element of a descriptor array takes.
    fn descriptors(&self, mut ty: TypeId) -> u32 {
        let mut count = 1_u32;
        while self.is_descriptor_array(ty)
            && let Type::Array { element, length, .. } = self.module.types.get(ty)
        {
            count = count.saturating_mul(length.unwrap_or(1));
            ty = element;
        }
        count
    }

    /// The index that a constant is.
    fn fixed_index(&self, index: Value) -> Option<u32> {
        let constant = self.module.constants.get(index.as_constant()?)?;
        let bits = constant.lane(0)?;
        u32::try_from(bits).ok()
    }

    /// The step from `ty` to its part.
    fn step(
        &mut self,
        memory: Memory,
        ty: TypeId,
        part: TypeId,
        fixed: Option<u32>,
        index: u32,
    ) -> Result<Step, Error> {
        let struct_index = || fixed.ok_or(Error::Malformed("a struct step that is not constant"));
        let kind = self.module.types.get(ty);
        if memory != Memory::Buffer {
            return Ok(match kind {
                Type::Struct(_) => Step::Fixed { offset: self.words_before(ty, struct_index()?)?, strides: None },
                _ => {
                    let (all, stride) = (self.words_of(ty)?, self.words_of(part)?);
                    Step::Element { index, count: all.checked_div(stride).unwrap_or(0), stride }
                }
            });
        }
        Ok(match kind {
            Type::Struct(id) => {
                let number = struct_index()?;
                let member = self.module.types.structs.get(id).and_then(|s| s.members.get(number as usize)).copied();
                let member = member.ok_or(Error::Malformed("a member that does not exist"))?;
                let offset = match member.layout {
                    Some(layout) => layout.offset,
                    None => self.packed_offset(ty, number, 0)?,
                };
                Step::Fixed { offset, strides: Some(self.strides_of(member.ty, member.layout)) }
            }
            Type::Array { length, .. } if self.is_descriptor_array(ty) => {
                Step::Descriptor { index, count: length, stride: self.descriptors(part) }
            }
            Type::Array { element, length, stride } => {
                let stride = self.stride_of(element, stride)?;
                match length {
                    Some(count) => Step::Element { index, count, stride },
                    None => Step::Runtime { index, stride },
                }
            }
            Type::Matrix { rows, .. } => Step::Row { index, count: u32::from(rows) },
            Type::Vector(_, lanes) => Step::Lane { index, count: u32::from(lanes) },
            _ => return Err(Error::Malformed("a step into a scalar")),
        })
    }

    /// Bytes from one element to the next: the declared ones, or those of a packed element.
    fn stride_of(&mut self, element: TypeId, stride: u32) -> Result<u32, Error> {
        if stride != 0 { Ok(stride) } else { self.packed_size(element, 0) }
    }

    /// Bytes of a type; scalars follow each other without gaps where nothing else is declared.
    fn packed_size(&mut self, ty: TypeId, depth: usize) -> Result<u32, Error> {
        if depth > MAX_DEPTH {
            return Err(Error::TooLarge("nesting of types"));
        }
        // Types without scalars can nest so that a walk of them never ends.
        if self.words_of(ty)? == 0 && !matches!(self.module.types.get(ty), Type::Array { length: None, .. }) {
            return Ok(0);
        }
        let size = match self.module.types.get(ty) {
            Type::Scalar(kind) => u64::from(kind.bytes()),
            Type::Vector(kind, lanes) => u64::from(kind.bytes()) * u64::from(lanes),
            Type::Matrix { scalar, rows, columns } => u64::from(scalar.bytes()) * u64::from(rows) * u64::from(columns),
            Type::Array { element, length, stride } => {
                let stride = if stride != 0 { stride } else { self.packed_size(element, depth + 1)? };
                u64::from(stride) * u64::from(length.unwrap_or(0))
            }
            Type::Struct(id) => {
                let module = self.module;
                let Some(all) = module.types.structs.get(id) else { return Ok(0) };
                if all.size != 0 {
                    return Ok(all.size);
                }
                u64::from(self.packed_offset(ty, all.members.len() as u32, depth + 1)?)
            }
            _ => 0,
        };
        u32::try_from(size).map_err(|_| Error::TooLarge("a layout"))
    }

    /// Where member `number` of a struct without a layout begins.
    fn packed_offset(&mut self, ty: TypeId, number: u32, depth: usize) -> Result<u32, Error> {
        let module = self.module;
        let Type::Struct(id) = module.types.get(ty) else { return Ok(0) };
        let Some(all) = module.types.structs.get(id) else { return Ok(0) };
        let mut offset = 0_u64;
        for member in all.members.iter().take(number as usize + 1).enumerate() {
            let align = u64::from(self.alignment(member.1.ty));
            offset = offset.next_multiple_of(align);
            if member.0 < number as usize {
                offset += u64::from(self.packed_size(member.1.ty, depth + 1)?);
            }
        }
        u32::try_from(offset).map_err(|_| Error::TooLarge("a layout"))
    }

    /// The width of the first scalar, as the alignment of a packed member.
    fn alignment(&self, mut ty: TypeId) -> u32 {
        for _ in 0..MAX_DEPTH {
            ty = match self.module.types.get(ty) {
                Type::Scalar(kind) | Type::Vector(kind, _) | Type::Matrix { scalar: kind, .. } => return kind.bytes(),
                Type::Array { element, .. } => element,
                Type::Struct(id) => match self.module.types.structs.get(id) {
                    // The widest member decides, and 64-bit ones are rare enough to look only one level deep.
                    Some(all) => {
                        let wide =
                            all.members.iter().any(|m| lanes_of(m.ty).is_some_and(|(kind, _)| kind.bits() == 64));
                        match all.members.first() {
                            Some(_) if wide => return 8,
                            Some(member) => member.ty,
                            None => return 1,
                        }
                    }
                    None => return 1,
                },
                _ => return 1,
            };
        }
        1
    }

    /// The leaves of a type in a buffer, relative to a pointer.
    fn plan(&mut self, ty: TypeId) -> Result<u32, Error> {
        if let Some(&plan) = self.plans.get(&ty) {
            return Ok(plan);
        }
        // Refuses types that are too large before their leaves are listed.
        self.words_of(ty)?;
        let start = self.program.leaves.len() as u32;
        self.leaves(ty, 0, None, 0)?;
        let plan = self.program.plans.len() as u32;
        self.program.plans.push(start..self.program.leaves.len() as u32);
        self.plans.insert(ty, plan);
        Ok(plan)
    }

    /// `known` are the strides of a matrix or vector; `None` where the pointer has them.
    fn leaves(&mut self, ty: TypeId, base: u64, known: Option<u64>, depth: usize) -> Result<(), Error> {
        if depth > MAX_DEPTH {
            return Err(Error::TooLarge("nesting of types"));
        }
        if self.words_of(ty)? == 0 {
            return Ok(());
        }
        match self.module.types.get(ty) {
            Type::Scalar(kind) => self.leaf(base, 0, 0, kind, Some(0))?,
            Type::Vector(kind, lanes) => {
                for lane in 0..lanes {
                    self.leaf(base, 0, lane, kind, known)?;
                }
            }
            Type::Matrix { scalar, rows, columns } => {
                for row in 0..rows {
                    for column in 0..columns {
                        self.leaf(base, row, column, scalar, known)?;
                    }
                }
            }
            Type::Array { element, length, stride } => {
                let stride = u64::from(self.stride_of(element, stride)?);
                for i in 0..u64::from(length.unwrap_or(0)) {
                    self.leaves(element, base.saturating_add(i * stride), known, depth + 1)?;
                }
            }
            Type::Struct(id) => {
                let module = self.module;
                let Some(all) = module.types.structs.get(id) else { return Ok(()) };
                let mut packed = 0_u64;
                for member in &all.members {
                    let offset = match member.layout {
                        Some(layout) => u64::from(layout.offset),
                        None => packed.next_multiple_of(u64::from(self.alignment(member.ty))),
                    };
                    if member.layout.is_none() {
                        packed = offset + u64::from(self.packed_size(member.ty, depth + 1)?);
                    }
                    let strides = self.strides_of(member.ty, member.layout);
                    self.leaves(member.ty, base + offset, Some(strides), depth + 1)?;
                }
            }
            _ => return Err(Error::Malformed("a pointer or handle in a buffer")),
        }
        Ok(())
    }

    fn leaf(&mut self, base: u64, row: u8, column: u8, kind: Scalar, known: Option<u64>) -> Result<(), Error> {
        if self.program.leaves.len() as u64 >= MAX_ITEMS {
            return Err(Error::TooLarge("a layout"));
        }
        let (offset, row, column) = match known {
            Some(known) => {
                let (row_stride, lane_stride) = (known & 0xFFFF_FFFF, known >> 32);
                (base + u64::from(row) * row_stride + u64::from(column) * lane_stride, 0, 0)
            }
            None => (base, row, column),
        };
        let offset = u32::try_from(offset).map_err(|_| Error::TooLarge("a layout"))?;
        self.program.leaves.push(Leaf { offset, row, column, kind });
        Ok(())
    }
}

/// A step from a known place, if it leads to a known place.
fn follow(place: StaticPointer, step: Step, fixed: Option<u32>) -> Option<StaticPointer> {
    let further = |offset: u64, strides: u64| Some(StaticPointer { offset: place.offset + offset, strides, ..place });
    let (row_stride, lane_stride) = (place.strides & 0xFFFF_FFFF, place.strides >> 32);
    match (step, fixed) {
        (Step::Fixed { offset, strides }, _) => further(u64::from(offset), strides.unwrap_or(0)),
        (Step::Element { count, stride, .. }, Some(i)) if i < count => {
            further(u64::from(i) * u64::from(stride), place.strides)
        }
        (Step::Row { count, .. }, Some(i)) if i < count => further(u64::from(i) * row_stride, lane_stride << 32),
        (Step::Lane { count, .. }, Some(i)) if i < count => further(u64::from(i) * lane_stride, 0),
        (Step::Descriptor { count, stride, .. }, Some(i)) if count.is_none_or(|count| i < count) => {
            let element = u64::from(i) * u64::from(stride);
            (element <= u64::from(u32::MAX)).then(|| StaticPointer { base: place.base + element, ..place })
        }
        _ => None,
    }
}
