//! Reading sources and writing destinations (sheet 2.2).

use super::Lower;
use super::lanes::{self, Lane, Lanes4};
use super::state::{self, ADDRESS, OUTPUT, PREDICATE, TEMP, TEXTURE, kind_of, mask_lanes, slot_of};
use crate::tokens::{Destination, Instruction, RegisterKind, Relative, RelativeIndex, Source, SourceModifier};
use aquatint_ir::types::{self, Scalar};
use aquatint_ir::{Attr, Op, Value};
use smallvec::SmallVec;

/// The result of an instruction, before modifiers.
pub enum Outcome {
    /// One scalar for all written lanes.
    Scalar(Value),
    /// A vector with one lane for each written lane, in order (a scalar where one lane is written).
    Packed(Value),
    /// Four lanes, of which the mask picks.
    Lanes(Lanes4),
}

impl Lower<'_, '_> {
    /// The lanes of a source's register before its swizzle. `row` is added to the register number (matrices).
    pub fn register_lanes(&mut self, source: &Source, row: u16) -> Lanes4 {
        let register = source.register;
        let Some(index) = register.index.checked_add(row) else { return self.zeros() };
        match register.kind {
            RegisterKind::Const => match source.relative {
                Some(relative) => self.relative_constant(register.index, row, relative),
                None => self.float_constant(index),
            },
            RegisterKind::Input => match source.relative {
                Some(relative) => self.relative_input(index, relative),
                None => self.input_register(index),
            },
            RegisterKind::Texture if self.shader.version.is_ps_1_0_to_1_3() => {
                match self.texture_loaded >> index.min(7) & 1 != 0 {
                    true => self.slot(TEXTURE + usize::from(index.min(7))),
                    false => self.texture_coordinate(index),
                }
            }
            RegisterKind::Texture => self.texture_coordinate(index),
            RegisterKind::Temp => match index {
                0..32 => self.slot(TEMP + usize::from(index)),
                _ => self.zeros(),
            },
            RegisterKind::PixelPosition => self.pixel_position(),
            RegisterKind::Face => self.face(),
            RegisterKind::Address => {
                // Only an index in every real version; its value as a float is the obvious meaning.
                let lanes = self.slot(ADDRESS);
                let value = lanes::gather(&mut self.b, &lanes);
                lanes::whole(self.b.convert(value, Scalar::F32))
            }
            RegisterKind::Loop => match self.loop_counter {
                Some(counter) => lanes::replicate(self.b.convert(counter, Scalar::F32)),
                None => self.zeros(),
            },
            RegisterKind::ConstInt => {
                let lanes = self.int_constant(index);
                let value = lanes::gather(&mut self.b, &lanes);
                lanes::whole(self.b.convert(value, Scalar::F32))
            }
            RegisterKind::ConstBool => {
                let value = self.bool_constant(index);
                lanes::replicate(self.b.convert(value, Scalar::F32))
            }
            kind => match slot_of(kind, index) {
                Some(slot) if kind_of(slot) == Scalar::F32 => self.slot(slot),
                _ => self.zeros(),
            },
        }
    }

    fn slot(&self, slot: usize) -> Lanes4 {
        self.state.slots[slot]
    }

    fn zeros(&mut self) -> Lanes4 {
        [self.zero_lane(Scalar::F32); 4]
    }

    /// A source at the given positions of its swizzle (0–3), with its modifier.
    pub fn read(&mut self, source: &Source, positions: &[u8]) -> Value {
        self.read_row(source, 0, positions)
    }

    /// A source whose register number is raised by `row`.
    pub fn read_row(&mut self, source: &Source, row: u16, positions: &[u8]) -> Value {
        let register = self.register_lanes(source, row);
        let wanted: SmallVec<[Lane; 4]> =
            positions.iter().map(|&p| register[usize::from(source.swizzle.lane(p))]).collect();
        let value = lanes::gather(&mut self.b, &wanted);
        self.modified(value, source.modifier, &register)
    }

    /// A source at the positions of a write mask.
    pub fn read_mask(&mut self, source: &Source, mask: u8) -> Value {
        let positions: SmallVec<[u8; 4]> = mask_lanes(mask).map(|lane| lane as u8).collect();
        self.read(source, &positions)
    }

    /// One lane of a source by position.
    pub fn read_lane(&mut self, source: &Source, position: u8) -> Value {
        self.read(source, &[position])
    }

    /// Applies a source modifier; `register` is the whole register, for `_dz` and `_dw`.
    fn modified(&mut self, value: Value, modifier: SourceModifier, register: &Lanes4) -> Value {
        use SourceModifier as M;
        let (_, count) = self.b.lanes_of(value);
        match modifier {
            M::None | M::Not => value,
            M::Negate => self.b.op(Op::FNeg, &[value]),
            M::Abs => self.b.op(Op::FAbs, &[value]),
            M::AbsNegate => {
                let positive = self.b.op(Op::FAbs, &[value]);
                self.b.op(Op::FNeg, &[positive])
            }
            M::Bias | M::BiasNegate => {
                let half = self.b.splat_f32(0.5, count);
                let result = self.b.op(Op::FSub, &[value, half]);
                self.negated_if(result, modifier == M::BiasNegate)
            }
            M::Sign | M::SignNegate => {
                let (two, one) = (self.b.splat_f32(2.0, count), self.b.splat_f32(1.0, count));
                let doubled = self.b.op(Op::FMul, &[value, two]);
                let result = self.b.op(Op::FSub, &[doubled, one]);
                self.negated_if(result, modifier == M::SignNegate)
            }
            M::Complement => {
                let one = self.b.splat_f32(1.0, count);
                self.b.op(Op::FSub, &[one, value])
            }
            M::X2 | M::X2Negate => {
                let two = self.b.splat_f32(2.0, count);
                let result = self.b.op(Op::FMul, &[value, two]);
                self.negated_if(result, modifier == M::X2Negate)
            }
            M::DivideZ | M::DivideW => {
                let lane = register[if modifier == M::DivideZ { 2 } else { 3 }];
                let divisor = lanes::gather(&mut self.b, &[lane]);
                self.divided(value, divisor)
            }
        }
    }

    fn negated_if(&mut self, value: Value, negate: bool) -> Value {
        if negate { self.b.op(Op::FNeg, &[value]) } else { value }
    }

    /// `value / divisor` lane by lane, 1 where the divisor is 0 (sheet 2.2, `_dz` and `_dw`).
    fn divided(&mut self, value: Value, divisor: Value) -> Value {
        let (_, count) = self.b.lanes_of(value);
        let zero = self.b.f32(0.0);
        let is_zero = self.b.op(Op::FEq, &[divisor, zero]);
        let all = self.b.splat(divisor, count);
        let quotient = self.b.op(Op::FDiv, &[value, all]);
        let one = self.b.splat_f32(1.0, count);
        self.b.select(is_zero, one, quotient)
    }

    /// The index that a relative address gives: `base` plus a0 or aL, in i32.
    pub fn relative_index(&mut self, base: u16, relative: Relative) -> Value {
        let added = match relative.index {
            RelativeIndex::Address(lane) => {
                let lane = self.state.slots[ADDRESS][usize::from(lane & 3)];
                lanes::gather(&mut self.b, &[lane])
            }
            RelativeIndex::Loop => self.loop_counter.unwrap_or_else(|| self.b.i32(0)),
        };
        if base == 0 {
            return added;
        }
        let base = self.b.i32(i32::from(base));
        self.b.op(Op::IAdd, &[added, base])
    }

    /// Writes a result through shift, saturation, predicate and mask.
    pub fn write(&mut self, instruction: &Instruction, outcome: Outcome) {
        let Some(destination) = instruction.destination else { return };
        self.write_to(instruction, &destination, outcome);
    }

    /// [`Lower::write`] to a destination other than the instruction's own.
    pub fn write_to(&mut self, instruction: &Instruction, destination: &Destination, outcome: Outcome) {
        let mask = destination.mask.0 & 0xF;
        let count = mask.count_ones() as u8;
        if count == 0 {
            return;
        }
        let outcome = self.result_modifiers(destination, outcome);
        let mut result: SmallVec<[Lane; 4]> = match outcome {
            Outcome::Scalar(value) => std::iter::repeat_n(Lane::scalar(value), usize::from(count)).collect(),
            Outcome::Packed(value) => (0..count).map(|index| Lane::new(value, index)).collect(),
            Outcome::Lanes(all) => mask_lanes(mask).map(|lane| all[lane]).collect(),
        };
        let slot = slot_of(destination.register.kind, destination.register.index);
        let in_memory = destination.relative.is_some()
            || (destination.register.kind == RegisterKind::Output && self.output_array.is_some());
        if let Some(predicate) = instruction.predicate {
            let old: SmallVec<[Lane; 4]> = match (in_memory, slot) {
                (true, _) => self.memory_lanes(destination, mask),
                (false, Some(slot)) => mask_lanes(mask).map(|lane| self.state.slots[slot][lane]).collect(),
                (false, None) => return,
            };
            let picked: SmallVec<[Lane; 4]> = mask_lanes(mask)
                .map(|lane| self.state.slots[PREDICATE][usize::from(predicate.swizzle.lane(lane as u8))])
                .collect();
            let same = picked.iter().all(|lane| *lane == picked[0]);
            let condition =
                if same { lanes::gather(&mut self.b, &picked[..1]) } else { lanes::gather(&mut self.b, &picked) };
            let (new, old) = (lanes::gather(&mut self.b, &result), lanes::gather(&mut self.b, &old));
            let value = match predicate.negate {
                false => self.b.select(condition, new, old),
                true => self.b.select(condition, old, new),
            };
            result = (0..count).map(|index| Lane::new(value, index)).collect();
        }
        if in_memory {
            return self.store_memory(destination, mask, &result);
        }
        let Some(slot) = slot else { return };
        if (TEXTURE..ADDRESS).contains(&slot) {
            self.load_texture_register(slot - TEXTURE);
        }
        for (lane, from) in mask_lanes(mask).zip(result) {
            self.state.slots[slot][lane] = from;
        }
    }

    /// A t register of ps_1_0–ps_1_3 becomes a register like others: until then it reads as its coordinate.
    fn load_texture_register(&mut self, index: usize) {
        if self.texture_loaded >> index & 1 == 0 {
            self.state.slots[TEXTURE + index] = self.texture_coordinate(index as u16);
            self.texture_loaded |= 1 << index;
        }
    }

    fn result_modifiers(&mut self, destination: &Destination, outcome: Outcome) -> Outcome {
        if destination.shift == 0 && !destination.saturate {
            return outcome;
        }
        let mask = destination.mask.0 & 0xF;
        let (mut value, scalar) = match outcome {
            Outcome::Scalar(value) => (value, true),
            Outcome::Packed(value) => (value, false),
            Outcome::Lanes(all) => {
                let picked: SmallVec<[Lane; 4]> = mask_lanes(mask).map(|lane| all[lane]).collect();
                (lanes::gather(&mut self.b, &picked), false)
            }
        };
        if self.b.lanes_of(value).0 != Scalar::F32 {
            return if scalar { Outcome::Scalar(value) } else { Outcome::Packed(value) };
        }
        if destination.shift != 0 {
            let (_, count) = self.b.lanes_of(value);
            let factor = self.b.splat_f32(f32::from(destination.shift).exp2(), count);
            value = self.b.op(Op::FMul, &[value, factor]);
        }
        if destination.saturate {
            value = self.b.op(Op::FSaturate, &[value]);
        }
        if scalar { Outcome::Scalar(value) } else { Outcome::Packed(value) }
    }

    fn memory_place(&mut self, destination: &Destination) -> Option<Value> {
        let array = self.output_array?;
        let index = match destination.relative {
            Some(relative) => self.relative_index(destination.register.index, relative),
            None => self.b.i32(i32::from(destination.register.index)),
        };
        Some(self.b.access(array, index))
    }

    fn memory_lanes(&mut self, destination: &Destination, mask: u8) -> SmallVec<[Lane; 4]> {
        match self.memory_place(destination) {
            Some(place) => {
                let value = self.b.load(place);
                mask_lanes(mask).map(|lane| Lane::new(value, lane as u8)).collect()
            }
            None => SmallVec::new(),
        }
    }

    fn store_memory(&mut self, destination: &Destination, mask: u8, result: &[Lane]) {
        let Some(place) = self.memory_place(destination) else { return };
        let mut all = match mask {
            0xF => [self.zero_lane(Scalar::F32); 4],
            _ => lanes::whole(self.b.load(place)),
        };
        for (lane, from) in mask_lanes(mask).zip(result) {
            all[lane] = *from;
        }
        let value = lanes::gather(&mut self.b, &all);
        self.b.store(place, value);
    }

    /// The outputs' array, made before the first instruction where any output is addressed relatively.
    pub fn begin_output_array(&mut self) {
        let relative = |i: &Instruction| i.destination.is_some_and(|d| d.relative.is_some());
        if self.shader.version.is_pixel() || !self.shader.instructions.iter().any(relative) {
            return;
        }
        let element = types::VEC4F;
        let array = self.b.types.array(element, (state::TARGET - OUTPUT) as u32);
        let pointer = self.b.types.pointer(aquatint_ir::Space::Function, array);
        self.output_array = Some(self.prologue_value(Op::Var, Attr::None, &[], pointer));
    }
}
