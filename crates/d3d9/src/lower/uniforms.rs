//! Constants: literals, the packed uniform block at b0, and the driver's block at b1 (sheet 4).

use super::Lower;
use super::interface::ExtraMember;
use super::lanes::{self, Lanes4};
use crate::driver::extras;
use crate::tokens::Relative;
use aquatint_ir::types::{self, Member, MemberLayout, Scalar, Space, Struct, Type};
use aquatint_ir::{Attr, Binding, GlobalId, GlobalKind, Op, RegisterClass, Value};

impl Lower<'_, '_> {
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
        let reach = self.files.reach(base);
        let place = match i32::from(reach.packed) - i32::from(reach.first) {
            0 => index,
            moved => {
                let moved = self.b.i32(moved);
                self.b.op(Op::IAdd, &[index, moved])
            }
        };
        let member = self.b.u32(0);
        let pointer = self.b.types.pointer(Space::Uniform, types::VEC4F);
        let place = self.b.value(Op::Access, Attr::None, &[Value::global(uniforms), member, place], pointer);
        let mut value = self.b.load(place);
        // The end of the packed array is the end of the file, unless other registers lie around it.
        if u32::from(reach.count) != self.files.floats.packed_count() {
            let first = self.b.i32(-i32::from(reach.first));
            let within = self.b.op(Op::IAdd, &[index, first]);
            let within = self.b.bitcast(within, Scalar::U32);
            let count = self.b.u32(u32::from(reach.count));
            let inside = self.b.op(Op::ILt, &[within, count]);
            let zero = self.b.splat_f32(0.0, 4);
            value = self.b.select(inside, value, zero);
        }
        if !self.options.defs_uploaded {
            // Each is a few instructions more, so they count against the bound on those.
            self.expanded += self.files.float_defs.len();
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
                let global = extras::declare(&mut self.b);
                self.extras = Some(global);
                global
            }
        };
        let index = match member {
            ExtraMember::BumpMatrix(stage) => u32::from(stage.min(7)) * 2,
            ExtraMember::BumpLuminance(stage) => u32::from(stage.min(7)) * 2 + 1,
        };
        let (member, index) = (self.b.u32(extras::BUMP), self.b.u32(index));
        let pointer = self.b.types.pointer(Space::Uniform, types::VEC4F);
        let place = self.prologue_value(Op::Access, Attr::None, &[Value::global(global), member, index], pointer);
        self.prologue_value(Op::Load, Attr::None, &[place], types::VEC4F)
    }
}

/// ps_1_x: -1 to 1, NaN as -1 like the IR's clamp.
fn clamped(number: f32) -> f32 {
    if number.is_nan() { -1.0 } else { number.clamp(-1.0, 1.0) }
}
