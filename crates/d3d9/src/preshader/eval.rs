//! Running a preshader.

use super::opcode::Meaning;
use super::{Instruction, Operand, Place, Preshader, Table, Writes};
use crate::ctab::RegisterSet;

/// What a run gives, flat: register times four, plus lane. Scalars that no instruction writes are zero; see
/// [`Preshader::writes`] for which those are.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Outputs {
    /// The shader's `c#`, or the result of an expression from scalar 0.
    pub floats: Vec<f32>,
    /// The shader's `i#`.
    pub ints: Vec<i32>,
    /// The shader's `b#`, one entry a register.
    pub bools: Vec<bool>,
}

impl Outputs {
    /// Puts the values over a shader's register files, the written lanes alone. Registers past a file are left out.
    pub fn apply(&self, writes: &Writes, floats: &mut [[f32; 4]], ints: &mut [[i32; 4]], bools: &mut [bool]) {
        lanes(&self.floats, &writes.floats, floats);
        lanes(&self.ints, &writes.ints, ints);
        for ((target, &value), _) in bools.iter_mut().zip(&self.bools).zip(&writes.bools).filter(|(_, w)| **w) {
            *target = value;
        }
    }
}

fn lanes<T: Copy>(values: &[T], masks: &[u8], file: &mut [[T; 4]]) {
    for ((register, values), mask) in file.iter_mut().zip(values.chunks(4)).zip(masks) {
        for (lane, &value) in values.iter().enumerate().filter(|(lane, _)| mask >> lane & 1 != 0) {
            register[lane] = value;
        }
    }
}

/// An operation that has a name and no evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// Its name.
    pub name: &'static str,
    /// Which instruction, from 0.
    pub instruction: usize,
}

impl std::fmt::Display for Unsupported {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "preshader instruction {} is `{}`, which cannot be evaluated", self.instruction, self.name)
    }
}

impl std::error::Error for Unsupported {}

impl Preshader {
    /// Computes the outputs.
    ///
    /// `constants` is the `c` table, four scalars a register, filled from parameters as [`Preshader::inputs`] names
    /// them; `texture` is the `i` table of texture shaders, else empty. What they lack reads as 0. Arithmetic is in
    /// double precision, rounded when an output is stored.
    pub fn eval(&self, constants: &[f32], texture: &[f32]) -> Result<Outputs, Unsupported> {
        let mut run = Run {
            preshader: self,
            constants,
            texture,
            constant_registers: self.constant_registers(),
            temporaries: Vec::new(),
            outputs: Outputs::default(),
        };
        // The wrap rule needs the final size of each table, so outputs are sized before the first instruction.
        for instruction in &self.instructions {
            run.reserve(instruction);
        }
        for (index, instruction) in self.instructions.iter().enumerate() {
            run.step(instruction).ok_or(Unsupported { name: instruction.op.name, instruction: index })?;
        }
        Ok(run.outputs)
    }

    /// Registers of the `c` table: what its names cover, and what instructions name outright.
    fn constant_registers(&self) -> u32 {
        let named = self.inputs.as_ref().map_or(0, |table| table.extent(RegisterSet::Float4));
        let used = self.instructions.iter().flat_map(|instruction| {
            instruction.inputs.iter().enumerate().filter_map(move |(i, input)| {
                let (place, last) = match input.index {
                    None => (input.place, u32::from(instruction.read(i)) - 1),
                    Some(index) => (index, 0),
                };
                (place.table == Table::Constant).then(|| place.offset.saturating_add(last) / 4 + 1)
            })
        });
        used.max().unwrap_or(0).max(named)
    }
}

struct Run<'a> {
    preshader: &'a Preshader,
    constants: &'a [f32],
    texture: &'a [f32],
    constant_registers: u32,
    temporaries: Vec<f64>,
    outputs: Outputs,
}

fn grow<T: Clone + Default>(table: &mut Vec<T>, length: usize) {
    if table.len() < length {
        table.resize(length, T::default());
    }
}

/// Rounds to single precision and keeps a NaN's sign, which the conversion itself does not promise.
fn single(value: f64) -> f32 {
    if value.is_nan() { f32::NAN.copysign(if value.is_sign_negative() { -1.0 } else { 1.0 }) } else { value as f32 }
}

impl Run<'_> {
    fn reserve(&mut self, instruction: &Instruction) {
        let end = instruction.output.offset as usize + usize::from(instruction.written());
        let whole = end.next_multiple_of(4);
        match instruction.output.table {
            Table::OutputFloat => grow(&mut self.outputs.floats, whole),
            Table::OutputInt => grow(&mut self.outputs.ints, whole),
            Table::OutputBool => {
                let first = instruction.output.offset as usize / 4;
                grow(&mut self.outputs.bools, first + usize::from(instruction.written()));
            }
            Table::Temporary => grow(&mut self.temporaries, whole),
            Table::Immediate | Table::Constant | Table::Input => {}
        }
    }

    /// `None` where the operation has no evaluation.
    fn step(&mut self, instruction: &Instruction) -> Option<()> {
        let n = u32::from(instruction.components);
        let input = |run: &Self, i: usize, component: u32| {
            let component = if instruction.read(i) == 1 { 0 } else { component };
            instruction.inputs.get(i).map_or(0.0, |operand| run.get(operand, component))
        };
        let mut results = [0.0; 4];
        match instruction.op.meaning {
            Meaning::Unary(f) => (0..n).for_each(|j| results[j as usize] = f(input(self, 0, j))),
            Meaning::Binary(f) => {
                (0..n).for_each(|j| results[j as usize] = f(input(self, 0, j), input(self, 1, j)));
            }
            Meaning::Ternary(f) => {
                (0..n).for_each(|j| results[j as usize] = f(input(self, 0, j), input(self, 1, j), input(self, 2, j)))
            }
            Meaning::Dot => results[0] = (0..n).map(|j| input(self, 0, j) * input(self, 1, j)).sum(),
            Meaning::DotScalars => {
                let half = instruction.inputs.len() / 2;
                results[0] = (0..half).map(|i| input(self, i, 0) * input(self, half + i, 0)).sum();
            }
            Meaning::Unsupported => return None,
        }
        for (j, &value) in results.iter().take(instruction.written().into()).enumerate() {
            self.set(instruction.output, j, value);
        }
        Some(())
    }

    fn set(&mut self, place: Place, component: usize, value: f64) {
        let at = place.offset as usize + component;
        match place.table {
            Table::OutputFloat => put(&mut self.outputs.floats, at, single(value)),
            Table::OutputInt => put(&mut self.outputs.ints, at, value.round_ties_even() as i32),
            Table::OutputBool => put(&mut self.outputs.bools, place.offset as usize / 4 + component, value != 0.0),
            Table::Temporary => put(&mut self.temporaries, at, value),
            Table::Immediate | Table::Constant | Table::Input => {}
        }
    }

    fn get(&self, operand: &Operand, component: u32) -> f64 {
        let table = operand.place.table;
        // In 32 bits with wrap-around, as the native evaluator computes it.
        let base = operand.index.map_or(0, |index| {
            let value = self.scalar(index.table, index.offset);
            // What does not fit an i32 counts as 0.
            if value.abs() <= f64::from(i32::MAX) { value.round_ties_even() as i32 as u32 } else { 0 }
        });
        let offset = base.wrapping_mul(4).wrapping_add(operand.place.offset).wrapping_add(component);
        let (register, lane) = (offset / 4, offset % 4);
        let registers = self.registers(table);
        if register < registers {
            return self.scalar(table, offset);
        }
        let size = if table == Table::Constant { registers.next_power_of_two() } else { registers };
        match register.checked_rem(size) {
            Some(wrapped) if wrapped < registers => self.scalar(table, 4 * wrapped + lane),
            _ => 0.0,
        }
    }

    fn registers(&self, table: Table) -> u32 {
        let of = |scalars: usize| u32::try_from(scalars.div_ceil(4)).unwrap_or(u32::MAX);
        match table {
            Table::Immediate => of(self.preshader.literals.len()),
            Table::Constant => self.constant_registers,
            Table::Input => of(self.texture.len()),
            Table::OutputFloat => of(self.outputs.floats.len()),
            Table::OutputInt => of(self.outputs.ints.len()),
            Table::OutputBool => u32::try_from(self.outputs.bools.len()).unwrap_or(u32::MAX),
            Table::Temporary => of(self.temporaries.len()),
        }
    }

    fn scalar(&self, table: Table, offset: u32) -> f64 {
        let at = offset as usize;
        match table {
            Table::Immediate => self.preshader.literals.get(at).copied(),
            Table::Constant => self.constants.get(at).copied().map(f64::from),
            Table::Input => self.texture.get(at).copied().map(f64::from),
            Table::OutputFloat => self.outputs.floats.get(at).copied().map(f64::from),
            Table::OutputInt => self.outputs.ints.get(at).copied().map(f64::from),
            Table::OutputBool => self.outputs.bools.get(at / 4).copied().map(f64::from),
            Table::Temporary => self.temporaries.get(at).copied(),
        }
        .unwrap_or(0.0)
    }
}

fn put<T>(table: &mut [T], at: usize, value: T) {
    if let Some(place) = table.get_mut(at) {
        *place = value;
    }
}
