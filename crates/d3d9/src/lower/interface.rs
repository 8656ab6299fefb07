//! Inputs, outputs, constants: what the entry function exchanges with the outside world (sheet 3, 4).

use super::Lower;
use super::lanes::{self, Lane, Lanes4};
use super::reflection::{Interface, Reflection, RegisterRange, SamplerUse};
use super::semantics::{self, Semantic};
use super::state::{
    COLOR, DEPTH, FOG, OUTPUT, POINT_SIZE, POSITION, Slot, TARGET, TEMP, TEXCOORD, WriteSet, mask_lanes, slot_of,
};
use crate::tokens::{RegisterKind, Relative, Shader, Usage};
use aquatint_base::Span;
use aquatint_ir::function::Def as ValueDef;
use aquatint_ir::types::{self, Member, MemberLayout, Scalar, Struct, Type, TypeId};
use aquatint_ir::walk::Walk;
use aquatint_ir::{
    Attr, Binding, Builtin, FunctionId, Global, GlobalId, GlobalKind, Io, Module, Op, RegisterClass, Sampling, Space,
    Value,
};

/// An input that is declared in the module.
pub struct Input {
    semantic: Semantic,
    register: u16,
    mask: u8,
    global: GlobalId,
}

/// An output that is declared in the module.
pub struct Output {
    interface: Interface,
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

    // Inputs.

    /// The lanes of v#.
    pub fn input_register(&mut self, index: u16) -> Lanes4 {
        let zero = self.zero_lane(Scalar::F32);
        let mut all = [zero; 4];
        let mut declared = false;
        let version = self.shader.version;
        let shader = self.shader;
        for declaration in &shader.declarations {
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
        let centroid =
            self.shader.declarations.iter().any(|d| d.destination.register == register && d.destination.centroid);
        self.input(Semantic::new(Usage::TexCoord, index.min(15) as u8), index, 0xF, centroid)
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
        let value = match self.input_cache.get(&global) {
            Some(&value) => value,
            None => {
                let value = self.prologue_value(Op::Load, Attr::None, &[Value::global(global)], types::VEC4F);
                self.input_cache.insert(global, value);
                value
            }
        };
        self.linked_lanes(semantic, lanes::whole(value))
    }

    fn declare_input(&mut self, semantic: Semantic, register: u16, centroid: bool) -> GlobalId {
        let pixel = self.shader.version.is_pixel();
        let usage = self.b.names.intern(semantic.usage.name());
        let location = match pixel {
            // A second semantic of one v# needs an attribute of its own.
            false if self.input_globals.iter().any(|i| i.register == register) => {
                16 + self.input_globals.iter().filter(|i| i.register >= 16).count() as u32
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
            true => 't',
            false => 'v',
        };
        let mut name = format!("{letter}{register}");
        if self.b.names.find(&name).is_some() {
            name = format!("{name}_{}", semantic.text());
        }
        self.add_global(&name, types::VEC4F, Space::Input, GlobalKind::Input(io))
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

    fn begin_input_array(&mut self) {
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
        let count = self.shader.version.is_pixel().then_some(10).unwrap_or(16);
        let array_ty = self.b.types.array(types::VEC4F, count);
        let pointer = self.b.types.pointer(Space::Function, array_ty);
        let array = self.prologue_value(Op::Var, Attr::None, &[], pointer);
        self.input_array = Some(array);
        let mut registers: Vec<u16> = self
            .shader
            .declarations
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
        if let Some(&value) = self.input_cache.get(&global) {
            return value;
        }
        let value = self.prologue_value(Op::Load, Attr::None, &[Value::global(global)], ty);
        self.input_cache.insert(global, value);
        value
    }

    // Constants.

    /// The lanes of c#: its def, else what the application set, else 0.
    pub fn float_constant(&mut self, register: u16) -> Lanes4 {
        if let Some(&known) = self.float_cache.get(&register) {
            return known;
        }
        let clamp = self.shader.version.is_ps_1();
        let all = match self.files.float_def(register) {
            Some(bits) => {
                let numbers = bits.map(f32::from_bits).map(|n| if clamp { clamped(n) } else { n });
                // A def keeps its bits, NaN payloads too, unless ps_1_x clamps it.
                let bits = if clamp { numbers.map(f32::to_bits) } else { bits };
                let id = self.b.constants.vector(Scalar::F32, &bits.map(u64::from));
                lanes::whole(Value::constant(id))
            }
            None => match self.files.floats.packed_index(register) {
                Some(packed) => {
                    let place = self.uniform_place(0, packed, Scalar::F32);
                    let mut value = self.prologue_value(Op::Load, Attr::None, &[place], types::VEC4F);
                    if clamp {
                        let (low, high) = (self.b.splat_f32(-1.0, 4), self.b.splat_f32(1.0, 4));
                        value = self.prologue_value(Op::FClamp, Attr::None, &[value, low, high], types::VEC4F);
                    }
                    lanes::whole(value)
                }
                None => [self.zero_lane(Scalar::F32); 4],
            },
        };
        self.float_cache.insert(register, all);
        all
    }

    /// `c[base + row + a0 or aL]`: defs stay in force, and what lies outside the file is 0 (sheet 4.1).
    pub fn relative_constant(&mut self, base: u16, row: u16, relative: Relative) -> Lanes4 {
        let index = self.relative_index(base.saturating_add(row), relative);
        let uniforms = self.uniform_block();
        // A file of one range from c0 is indexed as it is; a packed array by what it lacks before it.
        let first = self.files.floats.ranges.first().map_or(0, |r| r.first);
        let place = match first {
            0 => index,
            first => {
                let offset = self.b.i32(-i32::from(first));
                self.b.op(Op::IAdd, &[index, offset])
            }
        };
        let member = self.b.u32(0);
        let pointer = self.b.types.pointer(Space::Uniform, types::VEC4F);
        let place = self.b.value(Op::Access, Attr::None, &[Value::global(uniforms), member, place], pointer);
        let mut value = self.b.load(place);
        if !self.options.defs_uploaded {
            for position in 0..self.files.float_defs.len() {
                let def = self.files.float_defs[position];
                let own = self.b.i32(i32::from(def.register));
                let matches = self.b.op(Op::IEq, &[index, own]);
                let id = self.b.constants.vector(Scalar::F32, &def.bits.map(u64::from));
                value = self.b.select(matches, Value::constant(id), value);
            }
        }
        lanes::whole(value)
    }

    /// The lanes of i#.
    pub fn int_constant(&mut self, register: u16) -> Lanes4 {
        if let Some(bits) = self.files.int_def(register) {
            let id = self.b.constants.vector(Scalar::I32, &bits.map(u64::from));
            return lanes::whole(Value::constant(id));
        }
        match self.files.ints.packed_index(register) {
            Some(packed) => {
                let place = self.uniform_place(1, packed, Scalar::I32);
                let ty = types::vector(Scalar::I32, 4);
                lanes::whole(self.prologue_value(Op::Load, Attr::None, &[place], ty))
            }
            None => [self.zero_lane(Scalar::I32); 4],
        }
    }

    /// b# as a bool value.
    pub fn bool_constant(&mut self, register: u16) -> Value {
        let known =
            self.files.bool_def(register).or_else(|| self.options.bools.get(usize::from(register)).copied().flatten());
        if let Some(known) = known {
            return self.b.bool(known);
        }
        match self.files.bools.packed_index(register) {
            Some(packed) => {
                let place = self.uniform_place(2, packed / 4, Scalar::U32);
                let ty = types::vector(Scalar::U32, 4);
                let four = self.prologue_value(Op::Load, Attr::None, &[place], ty);
                let word = self.prologue_value(Op::Extract, Attr::Index(packed % 4), &[four], types::U32);
                let zero = self.b.u32(0);
                self.prologue_value(Op::INe, Attr::None, &[word, zero], types::BOOL)
            }
            None => self.b.bool(false),
        }
    }

    /// A pointer to element `packed` of a file: 0 floats, 1 ints, 2 bools (four a vector).
    fn uniform_place(&mut self, file: u32, packed: u32, kind: Scalar) -> Value {
        let block = self.uniform_block();
        let present = [&self.files.floats, &self.files.ints, &self.files.bools].map(|f| f.packed_count() > 0);
        let member = present[..file as usize].iter().filter(|p| **p).count() as u32;
        let (member, index) = (self.b.u32(member), self.b.u32(packed));
        let pointer = self.b.types.pointer(Space::Uniform, types::vector(kind, 4));
        self.prologue_value(Op::Access, Attr::None, &[Value::global(block), member, index], pointer)
    }

    /// The uniform block at b0: the files that the shader reads, packed (sheet 4.2).
    fn uniform_block(&mut self) -> GlobalId {
        if let Some(global) = self.uniforms {
            return global;
        }
        let files = [
            ("uniforms_float4", Scalar::F32, self.files.floats.packed_count()),
            ("uniforms_int4", Scalar::I32, self.files.ints.packed_count()),
            ("uniforms_bool", Scalar::U32, self.files.bools.packed_count().div_ceil(4)),
        ];
        let mut members = Vec::new();
        let mut offset = 0;
        for (name, kind, count) in files {
            if count > 0 {
                members.push(self.array_member(name, kind, count, offset));
                offset += 16 * count;
            }
        }
        let global = self.block("Uniforms", "uniforms", members, offset, 0);
        self.uniforms = Some(global);
        global
    }

    fn array_member(&mut self, name: &str, kind: Scalar, count: u32, offset: u32) -> Member {
        let element = types::vector(kind, 4);
        let ty = self.b.types.intern(Type::Array { element, length: Some(count), stride: 16 });
        let layout = Some(MemberLayout { offset, matrix_stride: 0, row_major: false });
        Member { name: self.b.names.intern(name), ty, layout }
    }

    fn block(&mut self, ty: &str, name: &str, members: Vec<Member>, size: u32, register: u32) -> GlobalId {
        let name_of_type = self.b.names.intern(ty);
        let id = self.b.types.structs.push(Struct { name: name_of_type, members, size });
        let ty = self.b.types.intern(Type::Struct(id));
        let binding = Binding { class: RegisterClass::B, register, space: self.binding_space() };
        let kind = GlobalKind::Resource { binding, writable: false, counter: false };
        self.add_global(name, ty, Space::Uniform, kind)
    }

    /// A vector of the driver's block, loaded in the prologue.
    pub fn extra(&mut self, member: ExtraMember) -> Value {
        let global = match self.extras {
            Some(global) => global,
            None => {
                let global = crate::driver::extras::declare(&mut self.b);
                self.extras = Some(global);
                global
            }
        };
        let index = match member {
            ExtraMember::BumpMatrix(stage) => u32::from(stage.min(7)) * 2,
            ExtraMember::BumpLuminance(stage) => u32::from(stage.min(7)) * 2 + 1,
        };
        let (member, index) = (self.b.u32(crate::driver::extras::BUMP), self.b.u32(index));
        let pointer = self.b.types.pointer(Space::Uniform, types::VEC4F);
        let place = self.prologue_value(Op::Access, Attr::None, &[Value::global(global), member, index], pointer);
        self.prologue_value(Op::Load, Attr::None, &[place], types::VEC4F)
    }

    // Outputs.

    /// Stores all outputs.
    pub fn epilogue(&mut self) {
        if self.shader.version.is_pixel() { self.pixel_outputs() } else { self.vertex_outputs() }
    }

    fn written(&self) -> WriteSet {
        let mut all = WriteSet::default();
        self.shader.instructions.iter().for_each(|i| all.add(i));
        all
    }

    fn pixel_outputs(&mut self) {
        let written = self.written();
        if self.shader.version.is_ps_1() {
            let r0 = self.state.slots[TEMP];
            self.store_target(0, r0, 0xF);
        } else {
            for target in 0..4 {
                let mask = written.0[TARGET + target];
                if mask != 0 {
                    let lanes = self.state.slots[TARGET + target];
                    self.store_target(target, lanes, mask);
                }
            }
        }
        if written.0[DEPTH] != 0 {
            let lane = self.state.slots[DEPTH][written.0[DEPTH].trailing_zeros() as usize & 3];
            let depth = lanes::gather(&mut self.b, &[lane]);
            let global = self.output_global("oDepth", types::F32, Io::built_in(Builtin::FragDepth));
            self.b.store(Value::global(global), depth);
        }
    }

    fn store_target(&mut self, target: usize, all: Lanes4, mask: u8) {
        let value = lanes::gather(&mut self.b, &all);
        let usage = self.b.names.intern("color");
        let io = Io::at(target as u32).named(usage, target as u32);
        let global = self.output_global(&format!("oC{target}"), types::VEC4F, io);
        self.note_output(Interface {
            semantic: Semantic::new(Usage::Color, target as u8),
            register: target as u16,
            mask,
            location: Some(target as u32),
            centroid: false,
        });
        self.b.store(Value::global(global), value);
    }

    fn output_global(&mut self, name: &str, ty: TypeId, io: Io) -> GlobalId {
        let found = self.b.globals.iter().find(|(_, g)| {
            g.space == Space::Output
                && g.io().is_some_and(|o| o.builtin == io.builtin && o.location == io.location && o.usage == io.usage)
        });
        match found {
            Some((id, _)) => id,
            None => self.add_global(name, ty, Space::Output, GlobalKind::Output(io)),
        }
    }

    fn note_output(&mut self, interface: Interface) {
        let same =
            |o: &Output| o.interface.semantic == interface.semantic && o.interface.location == interface.location;
        if !self.output_globals.iter().any(same) {
            self.output_globals.push(Output { interface });
        }
    }

    fn vertex_outputs(&mut self) {
        let outputs = match self.shader.version.major {
            0..=2 => self.fixed_outputs(),
            _ => self.declared_outputs(),
        };
        let semantics: Vec<Semantic> = outputs.iter().filter(|o| !is_system(o.semantic)).map(|o| o.semantic).collect();
        let locations = semantics::locations(&semantics, &self.options.locations);
        let position = Semantic::new(Usage::Position, 0);
        if !outputs.iter().any(|o| o.semantic == position) {
            let one = Lane::scalar(self.b.f32(1.0));
            let zero = self.zero_lane(Scalar::F32);
            self.store_position([zero, zero, zero, one]);
        }
        for output in outputs {
            let location = locations.iter().find(|(s, _)| *s == output.semantic).map(|&(_, location)| location);
            self.note_output(Interface {
                semantic: output.semantic,
                register: output.register,
                mask: output.mask,
                location: location.filter(|_| !is_system(output.semantic)),
                centroid: false,
            });
            if output.semantic == position {
                self.store_position(output.lanes);
            } else if is_system(output.semantic) {
                let first = output.mask.trailing_zeros() as usize & 3;
                let size = lanes::gather(&mut self.b, &output.lanes[first..=first]);
                let global = self.output_global("oPts", types::F32, Io::built_in(Builtin::PointSize));
                self.b.store(Value::global(global), size);
            } else if let Some(location) = location {
                let mut value = lanes::gather(&mut self.b, &output.lanes);
                if output.clamp {
                    value = self.b.op(Op::FSaturate, &[value]);
                }
                let usage = self.b.names.intern(output.semantic.usage.name());
                let io = Io::at(location).named(usage, u32::from(output.semantic.index));
                let global = self.output_global(&output.name, types::VEC4F, io);
                self.b.store(Value::global(global), value);
            }
        }
    }

    fn store_position(&mut self, all: Lanes4) {
        let value = lanes::gather(&mut self.b, &all);
        let mut io = Io::built_in(Builtin::Position);
        io.invariant = true;
        let global = self.output_global("oPos", types::VEC4F, io);
        self.b.store(Value::global(global), value);
    }

    /// oPos, oFog, oPts, oD#, oT# of vs_1_1 and vs_2: colours and fog are clamped to 0–1 (sheet 3.5).
    fn fixed_outputs(&mut self) -> Vec<Leaving> {
        let written = self.written();
        let mut all = Vec::new();
        let rows: [(Slot, usize, Usage, &str, bool); 5] = [
            (POSITION, 1, Usage::Position, "oPos", false),
            (FOG, 1, Usage::Fog, "oFog", true),
            (POINT_SIZE, 1, Usage::PSize, "oPts", false),
            (COLOR, 2, Usage::Color, "oD", true),
            (TEXCOORD, 8, Usage::TexCoord, "oT", false),
        ];
        for (base, count, usage, name, clamp) in rows {
            for index in 0..count {
                let mask = written.0[base + index];
                if mask == 0 {
                    continue;
                }
                let mut lanes = self.state.slots[base + index];
                if usage == Usage::Fog {
                    // A scalar: its written lane, in every lane.
                    lanes = [lanes[mask.trailing_zeros() as usize & 3]; 4];
                }
                let name = if count == 1 { name.to_owned() } else { format!("{name}{index}") };
                let semantic = Semantic::new(usage, index as u8);
                all.push(Leaving { semantic, register: index as u16, mask, lanes, clamp, name });
            }
        }
        all
    }

    /// o# of vs_3: one output for each declared semantic; a register may hold several, with lanes of their own.
    fn declared_outputs(&mut self) -> Vec<Leaving> {
        let mut all: Vec<Leaving> = Vec::new();
        let zero = self.zero_lane(Scalar::F32);
        let shader = self.shader;
        for declaration in &shader.declarations {
            let destination = &declaration.destination;
            if destination.register.kind != RegisterKind::Output {
                continue;
            }
            let Some((usage, number)) = declaration.semantic(shader.version) else { continue };
            let semantic = Semantic::new(usage, number);
            let index = destination.register.index;
            let lanes = match self.output_array {
                Some(array) => {
                    let index = self.b.i32(i32::from(index));
                    let place = self.b.access(array, index);
                    lanes::whole(self.b.load(place))
                }
                None => match slot_of(RegisterKind::Output, index) {
                    Some(slot) => self.state.slots[slot],
                    None => [zero; 4],
                },
            };
            let mask = destination.mask.0 & 0xF;
            let position = match all.iter().position(|l| l.semantic == semantic) {
                Some(position) => position,
                None => {
                    let shared = all.iter().any(|l| l.register == index);
                    let name = if shared { format!("o{index}_{}", semantic.text()) } else { format!("o{index}") };
                    all.push(Leaving { semantic, register: index, mask: 0, lanes: [zero; 4], clamp: false, name });
                    all.len() - 1
                }
            };
            let leaving = &mut all[position];
            leaving.mask |= mask;
            for lane in mask_lanes(mask) {
                leaving.lanes[lane] = lanes[lane];
            }
        }
        debug_assert!(OUTPUT + 16 == TARGET);
        all
    }

    // Reflection.

    /// Gives the varyings their locations and makes the reflection.
    pub fn finish(self) -> (Reflection, Option<aquatint_base::Diagnostic>) {
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
        let written = self.written();
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
            floats: self.files.floats,
            ints: self.files.ints,
            bools: self.files.bools,
            float_defs: self.files.float_defs,
            int_defs: self.files.int_defs,
            bool_defs: self.files.bool_defs,
        };
        (reflection, self.failed)
    }
}

/// A vertex output on its way out.
struct Leaving {
    semantic: Semantic,
    register: u16,
    mask: u8,
    lanes: Lanes4,
    clamp: bool,
    name: String,
}

/// POSITION0 and PSIZE0 are the pipeline's, not varyings.
fn is_system(semantic: Semantic) -> bool {
    semantic.index == 0 && matches!(semantic.usage, Usage::Position | Usage::PSize)
}

/// ps_1_x: -1 to 1, NaN as -1 like the IR's clamp.
fn clamped(number: f32) -> f32 {
    if number.is_nan() { -1.0 } else { number.clamp(-1.0, 1.0) }
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

/// Marks what flows into the position as precise: passes of one technique must get the same position (sheet 2.1).
pub fn mark_position_precise(module: &mut Module, function: FunctionId) {
    let Some(position) = module.find_builtin(Builtin::Position, Space::Output) else { return };
    let function = &mut module.functions[function];
    let mut work: Vec<Value> = Walk::new(function)
        .insts()
        .filter(|&i| function.insts[i].op == Op::Store)
        .filter_map(|i| match function.operands(i) {
            [place, value] if place.as_global() == Some(position) => Some(*value),
            _ => None,
        })
        .collect();
    let mut seen = vec![false; function.locals.len()];
    while let Some(value) = work.pop() {
        let Some(local) = value.as_local() else { continue };
        if std::mem::replace(&mut seen[local.index()], true) {
            continue;
        }
        match function.locals[local].def {
            ValueDef::Result(inst, _) => {
                let op = function.insts[inst].op;
                if op.is_structured() {
                    // Which way a value came is not followed: everything that the regions hand out counts.
                    for &region in function.regions_of(inst) {
                        for inner in Walk::from(function, region).insts() {
                            if function.insts[inner].op.is_terminator() {
                                work.extend_from_slice(function.operands(inner));
                            }
                        }
                    }
                }
                work.extend_from_slice(function.operands(inst));
                if op != Op::Load && op != Op::Access {
                    function.insts[inst].precise = !op.is_structured();
                }
            }
            ValueDef::Param(region, _) => {
                // A value carried by a loop: what the loop starts with and goes on with. The loop's results led here, so
                // its terminators are on the list already; its operands are too.
                let _ = region;
            }
        }
    }
}
