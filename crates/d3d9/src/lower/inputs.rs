//! Inputs: vertex attributes, varyings, and what the pipeline itself provides (sheet 3.1, 3.2, 3.4, 3.6).

use super::Lower;
use super::interface::Input;
use super::lanes::{self, Lane, Lanes4};
use super::semantics::{self, Semantic};
use super::state::mask_lanes;
use crate::tokens::{RegisterKind, Relative, Usage};
use aquatint_ir::types::{self, Scalar, Space, TypeId};
use aquatint_ir::{Attr, Builtin, GlobalId, GlobalKind, Io, Op, Sampling, Value};

impl Lower<'_, '_> {
    /// The lanes of v#.
    pub fn input_register(&mut self, index: u16) -> Lanes4 {
        let zero = self.zero_lane(Scalar::F32);
        let mut all = [zero; 4];
        let mut declared = false;
        let version = self.shader.version;
        for position in 0..self.declared.len() {
            let declaration = self.declared[position];
            let destination = &declaration.destination;
            if destination.register.kind != RegisterKind::Input || destination.register.index != index {
                continue;
            }
            let Some((usage, number)) = declaration.semantic(version) else { continue };
            declared = true;
            let semantic = Semantic::new(usage, number);
            let mask = destination.mask.0 & 0xF;
            let loaded = self.input(semantic, index, mask, destination.centroid);
            for lane in mask_lanes(mask) {
                all[lane] = loaded[lane];
            }
        }
        if declared {
            return all;
        }
        let semantic = match (version.is_pixel(), version.major) {
            (true, 0..=2) => Some(Semantic::new(Usage::Color, index as u8)),
            (true, _) => Some(Semantic::new(Usage::TexCoord, index as u8)),
            (false, _) => semantics::direct3d8_input(index as u8),
        };
        match semantic {
            Some(semantic) => self.input(semantic, index, 0xF, false),
            None => all,
        }
    }

    /// The lanes of texture coordinate set `index` (t# below ps_3_0).
    pub fn texture_coordinate(&mut self, index: u16) -> Lanes4 {
        let register = crate::tokens::Register::new(RegisterKind::Texture, index);
        let declared = self.declared.iter().find(|d| d.destination.register == register).map(|d| d.destination);
        let mask = declared.map_or(0xF, |d| d.mask.0 & 0xF);
        let centroid = declared.is_some_and(|d| d.centroid);
        self.input(Semantic::new(Usage::TexCoord, index.min(15) as u8), index, mask, centroid)
    }

    /// A vertex attribute or varying, loaded once.
    fn input(&mut self, semantic: Semantic, register: u16, mask: u8, centroid: bool) -> Lanes4 {
        let pixel = self.shader.version.is_pixel();
        let known = self.input_globals.iter_mut().find(|i| i.semantic == semantic && (pixel || i.register == register));
        let global = match known {
            Some(input) => {
                input.mask |= mask;
                input.global
            }
            None => {
                let global = self.declare_input(semantic, register, centroid);
                self.input_globals.push(Input { semantic, register, mask, global });
                global
            }
        };
        let value = self.loaded_input(global, types::VEC4F);
        self.linked_lanes(semantic, lanes::whole(value))
    }

    fn declare_input(&mut self, semantic: Semantic, register: u16, centroid: bool) -> GlobalId {
        let pixel = self.shader.version.is_pixel();
        let usage = self.b.names.intern(semantic.usage.name());
        let location = match pixel {
            // A second semantic of one v# needs an attribute of its own.
            false if self.input_globals.iter().any(|i| i.register == register) => {
                let own = |i: &&Input| self.b.globals[i.global].io().is_some_and(|io| io.location >= Some(16));
                16 + self.input_globals.iter().filter(own).count() as u32
            }
            false => u32::from(register),
            true => 0,
        };
        let mut io = Io::at(location).named(usage, u32::from(semantic.index));
        let automatic = self.options.msaa && pixel && semantic.usage == Usage::Color;
        if centroid || automatic {
            io.sampling = Sampling::Centroid;
        }
        let letter = match pixel && self.shader.version.major < 3 && semantic.usage == Usage::TexCoord {
            true => "t",
            false => "v",
        };
        let names = self.b.names.len();
        let mut name = self.numbered(letter, register, "");
        if self.b.names.len() == names {
            name = self.b.names.intern(&format!("{letter}{register}_{}", semantic.text()));
        }
        self.add_named_global(name, types::VEC4F, Space::Input, GlobalKind::Input(io))
    }

    /// Lanes that the vertex stage does not write have their defaults (sheet 3.4).
    fn linked_lanes(&mut self, semantic: Semantic, mut all: Lanes4) -> Lanes4 {
        let options = self.options;
        let (Some(linked), true) = (&options.linked, self.shader.version.is_pixel()) else { return all };
        let written = linked.written.iter().filter(|(s, _)| *s == semantic).fold(0, |mask, (_, m)| mask | m);
        let ones = semantic == Semantic::new(Usage::Color, 0) && self.shader.version.major < 3;
        let default = if ones { self.b.f32(1.0) } else { self.b.f32(0.0) };
        for (lane, place) in all.iter_mut().enumerate() {
            if written >> lane & 1 == 0 {
                *place = Lane::scalar(default);
            }
        }
        all
    }

    /// Makes the array of inputs where the shader addresses them relatively.
    pub fn begin_input_array(&mut self) {
        let relative = self
            .shader
            .instructions
            .iter()
            .flat_map(|i| &i.sources)
            .any(|s| s.register.kind == RegisterKind::Input && s.relative.is_some());
        if relative {
            self.make_input_array();
        }
    }

    /// The inputs as an array, filled at the head of the entry function with the declared registers (sheet 2.8).
    fn make_input_array(&mut self) -> Value {
        if let Some(array) = self.input_array {
            return array;
        }
        let count = if self.shader.version.is_pixel() { 10 } else { 16 };
        let array_ty = self.b.types.array(types::VEC4F, count);
        let pointer = self.b.types.pointer(Space::Function, array_ty);
        let array = self.prologue_value(Op::Var, Attr::None, &[], pointer);
        self.input_array = Some(array);
        let mut registers: Vec<u16> = self
            .declared
            .iter()
            .map(|d| d.destination.register)
            .filter(|r| r.kind == RegisterKind::Input && u32::from(r.index) < count)
            .map(|r| r.index)
            .collect();
        registers.sort_unstable();
        registers.dedup();
        for register in registers {
            let loaded = self.input_register(register);
            let first = loaded[0].value;
            let whole = loaded.iter().enumerate().all(|(i, l)| l.value == first && usize::from(l.index) == i);
            let value = match whole {
                true => first,
                false => self.prologue_gather(&loaded),
            };
            let index = self.b.i32(i32::from(register));
            let element = self.b.types.pointer(Space::Function, types::VEC4F);
            let place = self.prologue_value(Op::Access, Attr::None, &[array, index], element);
            self.prologue_effect(Op::Store, &[place, value]);
        }
        array
    }

    /// [`lanes::gather`], its instructions in the prologue.
    fn prologue_gather(&mut self, wanted: &[Lane]) -> Value {
        let scratch = self.b.new_region(&[]);
        let outer = self.b.enter(scratch);
        let value = lanes::gather(&mut self.b, wanted);
        self.b.enter(outer);
        let mut insts = std::mem::take(&mut self.b.function.regions[scratch].insts);
        self.prologue.append(&mut insts);
        value
    }

    /// `v[index + a0 or aL]`: 0 out of range.
    pub fn relative_input(&mut self, index: u16, relative: Relative) -> Lanes4 {
        let array = self.make_input_array();
        let index = self.relative_index(index, relative);
        let place = self.b.access(array, index);
        lanes::whole(self.b.load(place))
    }

    /// vPos: window coordinates with integer pixel centres; z and w are 0 (sheet 3.6).
    pub fn pixel_position(&mut self) -> Lanes4 {
        self.uses.vpos = true;
        let value = self.built_in_input("vPos", Builtin::Position, types::VEC4F);
        let scratch = self.b.new_region(&[]);
        let outer = self.b.enter(scratch);
        let xy = self.b.shuffle(value, &[0, 1]);
        let half = self.b.splat_f32(0.5, 2);
        let integer = self.b.op(Op::FSub, &[xy, half]);
        let integer = self.b.op(Op::Floor, &[integer]);
        self.b.enter(outer);
        let mut insts = std::mem::take(&mut self.b.function.regions[scratch].insts);
        self.prologue.append(&mut insts);
        let zero = self.zero_lane(Scalar::F32);
        [Lane::new(integer, 0), Lane::new(integer, 1), zero, zero]
    }

    /// vFace: 1 for front faces, -1 for back faces.
    pub fn face(&mut self) -> Lanes4 {
        self.uses.vface = true;
        let front = self.built_in_input("vFace", Builtin::FrontFacing, types::BOOL);
        let (one, minus) = (self.b.f32(1.0), self.b.f32(-1.0));
        let value = self.prologue_value(Op::Select, Attr::None, &[front, one, minus], types::F32);
        lanes::replicate(value)
    }

    fn built_in_input(&mut self, name: &str, builtin: Builtin, ty: TypeId) -> Value {
        let found = self
            .b
            .globals
            .iter()
            .find(|(_, g)| g.space == Space::Input && g.io().is_some_and(|io| io.builtin == Some(builtin)))
            .map(|(id, _)| id);
        let global = match found {
            Some(global) => global,
            None => self.add_global(name, ty, Space::Input, GlobalKind::Input(Io::built_in(builtin))),
        };
        self.loaded_input(global, ty)
    }

    /// An input's value, loaded once.
    fn loaded_input(&mut self, global: GlobalId, ty: TypeId) -> Value {
        if let Some(&(_, value)) = self.input_cache.iter().find(|(known, _)| *known == global) {
            return value;
        }
        let value = self.prologue_value(Op::Load, Attr::None, &[Value::global(global)], ty);
        self.input_cache.push((global, value));
        value
    }
}
