//! What the entry function exchanges with the outside world: globals, and the reflection that describes them (sheet 4.2).

use super::Lower;
use super::lanes::Lane;
use super::reflection::{Interface, Reflection, RegisterRange, SamplerUse};
use super::semantics::{self, Semantic};
use super::state::{COLOR, DEPTH, POSITION, TEMP};
use crate::tokens::{Shader, Usage};
use aquatint_base::{Name, Span};
use aquatint_ir::types::TypeId;
use aquatint_ir::{Global, GlobalId, GlobalKind, Sampling, Space};
use std::mem::take;

/// An input that is declared in the module.
pub struct Input {
    /// Its meaning.
    pub semantic: Semantic,
    /// Register in the bytecode.
    pub register: u16,
    /// Lanes declared.
    pub mask: u8,
    /// Its global.
    pub global: GlobalId,
}

/// An output that is declared in the module.
pub struct Output {
    /// What the reflection says of it.
    pub interface: Interface,
}

/// Members of the driver's uniform block at register b1 that the shader itself reads. The block begins with the 48 bytes of
/// the pixel extras (alpha reference, fog); the bump data of stage n lie at 48 + 32 n.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExtraMember {
    /// BUMPENVMAT00, 01, 10, 11 of a stage.
    BumpMatrix(u16),
    /// BUMPENVLSCALE and BUMPENVLOFFSET of a stage.
    BumpLuminance(u16),
}

impl Lower<'_, '_> {
    /// Register space of the stage: descriptor set 0 for vertex shaders, 1 for pixel shaders.
    pub fn binding_space(&self) -> u32 {
        u32::from(self.shader.version.is_pixel())
    }

    /// Enters a global whose name no other has: the caller's names are unique by register.
    pub fn add_global(&mut self, name: &str, ty: TypeId, space: Space, kind: GlobalKind) -> GlobalId {
        let name = self.b.names.intern(name);
        self.add_named_global(name, ty, space, kind)
    }

    /// A name with the number of a register in it: `oT3`, `s0_texture`.
    pub fn numbered(&mut self, stem: &str, number: u16, suffix: &str) -> Name {
        fn push_digits(text: &mut String, number: u16) {
            if number >= 10 {
                push_digits(text, number / 10);
            }
            text.push(char::from(b'0' + (number % 10) as u8));
        }
        self.b.names.intern_with(|text| {
            text.push_str(stem);
            push_digits(text, number);
            text.push_str(suffix);
        })
    }

    /// [`Self::add_global`] of a name that is interned.
    pub fn add_named_global(&mut self, name: Name, ty: TypeId, space: Space, kind: GlobalKind) -> GlobalId {
        let value_ty = if space == Space::Handle { ty } else { self.b.types.pointer(space, ty) };
        self.b.globals.push(Global { name, ty, value_ty, space, kind, span: Span::NONE })
    }

    /// Makes what must stand before the first instruction.
    pub fn begin_interface(&mut self) {
        let one = Lane::scalar(self.b.f32(1.0));
        if self.shader.version.is_pixel() {
            return;
        }
        // Lanes of COLOR0 that the shader does not write are 1; a position that it does not write is (0, 0, 0, 1).
        if self.shader.version.major < 3 {
            self.state.slots[COLOR] = [one; 4];
        }
        self.state.slots[POSITION][3] = one;
        self.begin_output_array();
        self.begin_input_array();
    }

    /// Gives the varyings their locations and makes the reflection.
    pub fn finish(&mut self) -> (Reflection, Option<aquatint_base::Diagnostic>) {
        let version = self.shader.version;
        if version.is_pixel() {
            let semantics: Vec<Semantic> = self.input_globals.iter().map(|i| i.semantic).collect();
            let locations = semantics::locations(&semantics, &self.options.locations);
            for input in &self.input_globals {
                let location = locations.iter().find(|(s, _)| *s == input.semantic).map(|&(_, location)| location);
                if let GlobalKind::Input(io) = &mut self.b.globals[input.global].kind {
                    io.location = location;
                }
            }
        }
        let globals = &self.b.globals;
        let mut inputs: Vec<Interface> = self
            .input_globals
            .iter()
            .map(|i| Interface {
                semantic: i.semantic,
                register: i.register,
                mask: i.mask,
                location: globals[i.global].io().and_then(|io| io.location),
                centroid: globals[i.global].io().is_some_and(|io| io.sampling == Sampling::Centroid),
            })
            .collect();
        inputs.sort_by_key(|i| (i.location, i.register));
        let outputs: Vec<Interface> = self.output_globals.iter().map(|o| o.interface).collect();
        let samplers = (0u16..)
            .zip(&self.textures)
            .filter_map(|(register, bound)| bound.map(|b| SamplerUse { register, kind: b.kind, compare: b.compare }))
            .collect();
        let has = |usage| outputs.iter().any(|o| o.semantic == Semantic::new(usage, 0));
        let slots = self.shader.slots();
        let written = self.written.clone();
        let reflection = Reflection {
            version,
            entry: self.options.entry.clone(),
            writes_fog: !version.is_pixel() && has(Usage::Fog),
            writes_point_size: !version.is_pixel() && has(Usage::PSize),
            writes_depth: version.is_pixel() && written.0[DEPTH] != 0,
            samplers,
            preshader_floats: preshader_floats(self.shader),
            temps: written.0[TEMP..TEMP + 32].iter().rposition(|m| *m != 0).map_or(0, |last| last as u16 + 1),
            instructions: self.shader.instructions.len() as u32,
            slots: (slots.total(), slots.texture),
            uses_vpos: self.uses.vpos,
            uses_vface: self.uses.vface,
            uses_kill: self.uses.kill,
            uses_derivatives: self.uses.derivatives,
            bump_stages: self.uses.bump_stages,
            projectable_stages: self.uses.projectable,
            inputs,
            outputs,
            floats: take(&mut self.files.floats),
            ints: take(&mut self.files.ints),
            bools: take(&mut self.files.bools),
            float_defs: take(&mut self.files.float_defs),
            int_defs: take(&mut self.files.int_defs),
            bool_defs: take(&mut self.files.bool_defs),
        };
        (reflection, self.failed.take())
    }
}

/// Float registers that the CTAB names as arrays, matrices or structs: (first, count).
pub fn ctab_arrays(shader: &Shader) -> Vec<(u16, u16)> {
    let Some(table) = ctab_of(shader) else { return Vec::new() };
    table
        .constants
        .iter()
        .filter(|c| c.set == crate::ctab::RegisterSet::Float4 && c.count > 1)
        .map(|c| (c.index, c.count))
        .collect()
}

/// The shader's own constant table, if it has a good one.
fn ctab_of(shader: &Shader) -> Option<crate::ctab::ConstantTable> {
    let comment = shader.comment(b"CTAB")?;
    let words = shader.comment_words(comment);
    let bytes: Vec<u8> = words.get(1..)?.iter().flat_map(|word| word.to_le_bytes()).collect();
    crate::ctab::parse(&bytes, 0, shader.source, &mut aquatint_base::Diags::new())
}

/// Registers that the shader's preshader writes.
fn preshader_floats(shader: &Shader) -> Vec<RegisterRange> {
    let Some(comment) = shader.comment(b"PRES") else { return Vec::new() };
    let words = shader.comment_words(comment);
    let bytes: Vec<u8> = words.iter().skip(1).flat_map(|word| word.to_le_bytes()).collect();
    let Some(preshader) = crate::preshader::parse(&bytes, 0, shader.source, &mut aquatint_base::Diags::new()) else {
        return Vec::new();
    };
    let floats = preshader.writes().floats;
    let registers = (0u16..).zip(&floats).filter(|(_, lanes)| **lanes != 0).map(|(register, _)| register);
    let mut all: Vec<RegisterRange> = Vec::new();
    for (packed, register) in (0u16..).zip(registers) {
        match all.last_mut() {
            Some(last) if last.first + last.count == register => last.count += 1,
            _ => all.push(RegisterRange { first: register, count: 1, packed }),
        }
    }
    all
}
