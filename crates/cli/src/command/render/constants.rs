//! Register files, filled from the defaults of constant tables, the camera, a JSON file, options, and preshaders; what
//! comes later wins.

use super::Notes;
use super::camera::{self, Camera};
use super::stage::Stage;
use crate::args::low;
use crate::codes;
use crate::exit::Failure;
use crate::files;
use crate::uniforms;
use aquatint::base::Diagnostic;
use aquatint::d3d9::ctab::{Constant, ConstantTable, RegisterSet};
use aquatint::d3d9::effect::Registers;
use aquatint::d3d9::lower::reflection::RegisterFile;
use serde_json::{Map, Value};

/// A register file that grows as it is written, and knows what was.
#[derive(Clone, Debug, Default)]
pub struct File<T> {
    values: Vec<T>,
    written: Vec<bool>,
}

impl<T: Copy + Default> File<T> {
    fn set(&mut self, register: usize, value: T) {
        // Registers are 16-bit numbers wherever they come from, so a file stays small.
        if self.values.len() <= register {
            self.values.resize(register + 1, T::default());
            self.written.resize(register + 1, false);
        }
        self.values[register] = value;
        self.written[register] = true;
    }

    fn has(&self, register: usize) -> bool {
        self.written.get(register).copied().unwrap_or(false)
    }

    /// The values.
    pub fn values(&self) -> &[T] {
        &self.values
    }
}

/// The constants of one stage.
#[derive(Clone, Debug, Default)]
pub struct Constants {
    /// c#.
    pub floats: File<[f32; 4]>,
    /// i#.
    pub ints: File<[i32; 4]>,
    /// b#.
    pub bools: File<bool>,
}

impl Constants {
    fn put(&mut self, first: u16, registers: &Registers) {
        let first = usize::from(first);
        match registers {
            Registers::Float(all) => all.iter().enumerate().for_each(|(i, &value)| self.floats.set(first + i, value)),
            Registers::Int(all) => all.iter().enumerate().for_each(|(i, &value)| self.ints.set(first + i, value)),
            Registers::Bool(all) => all.iter().enumerate().for_each(|(i, &value)| self.bools.set(first + i, value)),
        }
    }

    /// Initial values of a constant table.
    fn defaults(&mut self, table: &ConstantTable) {
        for constant in &table.constants {
            let (Some(words), count) = (&constant.default, usize::from(constant.count)) else { continue };
            let lanes = || words.as_chunks::<4>().0.iter().take(count);
            let registers = match constant.set {
                RegisterSet::Float4 => Registers::Float(lanes().map(|l| l.map(f32::from_bits)).collect()),
                RegisterSet::Int4 => Registers::Int(lanes().map(|l| l.map(|word| word as i32)).collect()),
                RegisterSet::Bool => Registers::Bool(words.iter().take(count).map(|&word| word != 0).collect()),
                RegisterSet::Sampler => continue,
            };
            self.put(constant.index, &registers);
        }
    }
}

/// The constants of both stages.
#[derive(Clone, Debug, Default)]
pub struct Both {
    /// Of the vertex shader.
    pub vertex: Constants,
    /// Of the pixel shader.
    pub pixel: Constants,
}

/// What the command line gives.
pub struct Given<'a> {
    low: &'a low::Render,
    camera: &'a Camera,
    json: Map<String, Value>,
}

/// A constant table with the files that its names go to.
struct Named<'a> {
    table: &'a ConstantTable,
    constants: &'a mut Constants,
}

impl Named<'_> {
    /// Sets a constant by name; whether there is one.
    fn set(&mut self, name: &str, value: &Value) -> Result<bool, String> {
        let mut found = false;
        let same = |constant: &&Constant| constant.name == name && constant.set != RegisterSet::Sampler;
        // A name may stand in two sets (5.1): both are set.
        for constant in self.table.constants.iter().filter(same) {
            let registers = uniforms::convert(self.table, constant, value)?;
            self.constants.put(constant.index, &registers);
            found = true;
        }
        Ok(found)
    }
}

impl<'a> Given<'a> {
    /// Reads the constants file.
    pub fn new(low: &'a low::Render, camera: &'a Camera) -> Result<Given<'a>, Failure> {
        let mut json = Map::new();
        if let Some(path) = &low.constants {
            let name = files::display(path);
            let fail = |error: String| {
                Failure::File(Box::new(Diagnostic::error(&codes::AQ0009, format!("constants file '{name}': {error}"))))
            };
            match serde_json::from_slice(&files::read(path)?).map_err(|error| fail(error.to_string()))? {
                Value::Object(members) => json = members,
                _ => return Err(fail("it is no JSON object".to_owned())),
            }
        }
        Ok(Given { low, camera, json })
    }

    /// Fills the files of both stages.
    pub fn fill(&self, vertex: Option<&Stage>, pixel: &Stage, notes: &mut Notes) -> Both {
        let mut both = Both::default();
        // Inputs of preshaders are files of their own.
        let mut inputs = Both::default();
        {
            let mut named = Vec::new();
            let vertex_parts = vertex.map(|stage| (stage, &mut both.vertex, &mut inputs.vertex));
            let parts = vertex_parts.into_iter().chain([(pixel, &mut both.pixel, &mut inputs.pixel)]);
            for (stage, constants, inputs) in parts {
                if let Some(table) = &stage.metadata.table {
                    constants.defaults(table);
                    named.push(Named { table, constants });
                }
                if let Some(table) = stage.metadata.preshader.as_ref().and_then(|p| p.inputs.as_ref()) {
                    inputs.defaults(table);
                    named.push(Named { table, constants: inputs });
                }
            }
            if self.camera.by_name {
                self.fill_camera(&mut named, notes);
            }
            self.fill_names(&mut named, vertex.is_some(), notes);
        }
        self.fill_registers(vertex.is_some(), &mut both, notes);
        for (stage, constants, inputs) in vertex.map(|s| (s, &mut both.vertex, &inputs.vertex)).into_iter().chain([(
            pixel,
            &mut both.pixel,
            &inputs.pixel,
        )]) {
            run_preshader(stage, constants, inputs, notes);
            unset_inputs(stage, inputs, notes);
            unset(stage, constants, notes);
        }
        both
    }

    fn fill_camera(&self, named: &mut [Named<'_>], notes: &mut Notes) {
        let mut found = false;
        for named in named.iter_mut() {
            for constant in &named.table.constants {
                let Some(role) = camera::role(&constant.name) else { continue };
                let value = named.table.ty(constant.ty).and_then(|ty| self.camera.value(role, ty));
                let registers = value.and_then(|value| uniforms::convert(named.table, constant, &value).ok());
                if let Some(registers) = registers {
                    named.constants.put(constant.index, &registers);
                    found = true;
                }
            }
        }
        if !found && self.low.mvp.is_empty() {
            notes.untaken(
                "no constant's name asks for a matrix of the camera; name its registers with --mvp cN".to_owned(),
            );
        }
    }

    /// Members of the JSON file that are names.
    fn fill_names(&self, named: &mut [Named<'_>], has_vertex: bool, notes: &mut Notes) {
        for (name, value) in &self.json {
            if matches!(name.as_str(), "vs" | "ps") && value.is_object() {
                continue;
            }
            let mut found = false;
            for named in named.iter_mut() {
                match named.set(name, value) {
                    Ok(here) => found |= here,
                    Err(error) => {
                        notes.untaken(format!("constant '{name}': {error}"));
                        found = true;
                    }
                }
            }
            // Without a vertex shader there is one file that a register can mean.
            if !found && (has_vertex || uniforms::register(name).is_none()) {
                notes.untaken(format!("no shader has a constant '{name}'"));
            }
        }
    }

    /// Registers: members of the JSON file, then options.
    fn fill_registers(&self, has_vertex: bool, both: &mut Both, notes: &mut Notes) {
        if !has_vertex {
            let registers = self.json.iter().filter(|(name, _)| uniforms::register(name).is_some());
            registers.for_each(|(name, value)| set_register(&mut both.pixel, name, value, notes));
        }
        for (stage, constants) in [("vs", &mut both.vertex), ("ps", &mut both.pixel)] {
            let Some(Value::Object(members)) = self.json.get(stage) else { continue };
            for (name, value) in members {
                match uniforms::register(name) {
                    Some(_) => set_register(constants, name, value, notes),
                    None => notes.untaken(format!("'{name}' below \"{stage}\" is no register such as c0, i0, b0")),
                }
            }
        }
        let all = self.camera.all();
        for &first in &self.low.mvp {
            for column in 0..4 {
                both.vertex.floats.set(usize::from(first) + column, all.map(|row| row[column]));
            }
        }
        self.low.c.iter().for_each(|&(register, value)| both.pixel.floats.set(register.into(), value));
        self.low.vc.iter().for_each(|&(register, value)| both.vertex.floats.set(register.into(), value));
        for constants in [&mut both.vertex, &mut both.pixel] {
            self.low.i.iter().for_each(|&(register, value)| constants.ints.set(register.into(), value));
            self.low.b.iter().for_each(|&(register, value)| constants.bools.set(register.into(), value));
        }
    }
}

/// `"c4": [1, 2, 3, 4]`, and on to the next registers where there are more numbers.
fn set_register(constants: &mut Constants, name: &str, value: &Value, notes: &mut Notes) {
    let Some((set, first)) = uniforms::register(name) else { return };
    let mut numbers = Vec::new();
    if let Err(error) = uniforms::flatten(value, &mut numbers) {
        return notes.untaken(format!("register '{name}': {error}"));
    }
    let chunks =
        || numbers.chunks(4).map(|chunk| std::array::from_fn::<f64, 4, _>(|i| chunk.get(i).copied().unwrap_or(0.0)));
    let registers = match set {
        RegisterSet::Float4 => Registers::Float(chunks().map(|lanes| lanes.map(|lane| lane as f32)).collect()),
        RegisterSet::Int4 => Registers::Int(chunks().map(|lanes| lanes.map(|lane| lane as i32)).collect()),
        RegisterSet::Bool => Registers::Bool(numbers.iter().map(|&number| number != 0.0).collect()),
        RegisterSet::Sampler => return notes.untaken(format!("'{name}' is a sampler; --tex binds its texture")),
    };
    let count = if set == RegisterSet::Bool { numbers.len() } else { numbers.len().div_ceil(4) };
    if u32::from(first) as usize + count > set.widest() as usize {
        return notes.untaken(format!("register '{name}': {} numbers reach past the file", numbers.len()));
    }
    constants.put(first, &registers);
}

fn run_preshader(stage: &Stage, constants: &mut Constants, inputs: &Constants, notes: &mut Notes) {
    let Some(preshader) = &stage.metadata.preshader else { return };
    match preshader.eval(inputs.floats.values().as_flattened(), &[]) {
        Ok(outputs) => {
            let writes = preshader.writes();
            // Registers whose lanes are written in part keep the rest.
            for (register, mask) in writes.floats.iter().enumerate().filter(|(_, mask)| **mask != 0) {
                let mut value = constants.floats.values().get(register).copied().unwrap_or_default();
                for (lane, place) in value.iter_mut().enumerate().filter(|(lane, _)| mask >> lane & 1 != 0) {
                    *place = outputs.floats.get(4 * register + lane).copied().unwrap_or(0.0);
                }
                constants.floats.set(register, value);
            }
            for (register, mask) in writes.ints.iter().enumerate().filter(|(_, mask)| **mask != 0) {
                let mut value = constants.ints.values().get(register).copied().unwrap_or_default();
                for (lane, place) in value.iter_mut().enumerate().filter(|(lane, _)| mask >> lane & 1 != 0) {
                    *place = outputs.ints.get(4 * register + lane).copied().unwrap_or(0);
                }
                constants.ints.set(register, value);
            }
            for (register, _) in writes.bools.iter().enumerate().filter(|(_, written)| **written) {
                constants.bools.set(register, outputs.bools.get(register).copied().unwrap_or(false));
            }
        }
        Err(error) => notes.untaken(format!("'{}': {error}; what it computes reads as 0", stage.name)),
    }
}

/// Warns of constants that the preshader reads and nobody set.
fn unset_inputs(stage: &Stage, inputs: &Constants, notes: &mut Notes) {
    let table = stage.metadata.preshader.as_ref().and_then(|preshader| preshader.inputs.as_ref());
    let is_set = |constant: &&Constant| {
        let first = usize::from(constant.index);
        constant.set != RegisterSet::Float4
            || (first..first + usize::from(constant.count)).any(|r| inputs.floats.has(r))
    };
    let constants = table.map_or(&[][..], |table| &table.constants);
    let missing: Vec<&str> = constants.iter().filter(|c| !is_set(c)).map(|constant| constant.name.as_str()).collect();
    if !missing.is_empty() {
        notes.unbound(
            format!("the preshader of '{}' reads what is not set and reads as 0: {}", stage.name, missing.join(", ")),
            "set it by name with --constants",
        );
    }
}

/// Warns of registers that the shader reads and nobody set.
fn unset(stage: &Stage, constants: &Constants, notes: &mut Notes) {
    let mut missing = Vec::new();
    let mut look = |letter: char, file: &RegisterFile, has: &dyn Fn(usize) -> bool| {
        let registers: Vec<usize> = file.registers().filter(|&register| !has(register)).collect();
        // A file that is addressed relatively is uploaded whole; no one sets all of it.
        if !file.relative || registers.len() == file.packed_count() as usize {
            missing.extend(runs(letter, &registers));
        }
    };
    look('c', &stage.reflection.floats, &|register| constants.floats.has(register));
    look('i', &stage.reflection.ints, &|register| constants.ints.has(register));
    look('b', &stage.reflection.bools, &|register| constants.bools.has(register));
    if !missing.is_empty() {
        let what = if stage.reflection.version.is_pixel() { "--c, --i, --b" } else { "--vc, --i, --b, --camera" };
        notes.unbound(
            format!("'{}' reads constants that are not set and read as 0: {}", stage.name, missing.join(", ")),
            &format!("set them with {what} or --constants"),
        );
    }
}

/// Registers as runs: `c0–c3`, `c7`.
fn runs(letter: char, registers: &[usize]) -> Vec<String> {
    let chunks = registers.chunk_by(|a, b| a + 1 == *b);
    let text = |chunk: &[usize]| match chunk {
        [first, .., last] => format!("{letter}{first}\u{2013}{letter}{last}"),
        [only] => format!("{letter}{only}"),
        [] => String::new(),
    };
    chunks.map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_are_named_in_runs() {
        assert_eq!(runs('c', &[0, 1, 2, 7]), ["c0\u{2013}c2", "c7"]);
    }
}
