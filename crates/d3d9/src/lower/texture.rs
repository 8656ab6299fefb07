//! Texture instructions of ps_2_0 and later, vertex texture fetch, texkill (sheet 2.5, 2.6), and sampling itself.

use super::Lower;
use super::lanes::{self, Lane};
use super::operand::Outcome;
use super::options::TextureKind;
use super::state::{PREDICATE, mask_lanes};
use crate::tokens::{Instruction, Opcode, SamplerKind, Source, TexldKind};
use aquatint_ir::types::{self, Dim, Scalar, Texture, Type};
use aquatint_ir::{Attr, Binding, GlobalId, GlobalKind, Op, RegisterClass, SampleAttr, Space, Value};
use smallvec::SmallVec;

/// A sampler with its texture.
#[derive(Clone, Copy)]
pub struct Bound {
    /// The texture global.
    pub texture: GlobalId,
    /// The sampler global.
    pub sampler: GlobalId,
    /// The kind of texture.
    pub kind: TextureKind,
    /// Whether it is declared 1D: sampled with v = 0.
    pub one_dimensional: bool,
    /// Whether it compares depth.
    pub compare: bool,
}

/// How the level is chosen.
#[derive(Clone, Copy)]
pub enum Level {
    /// From derivatives.
    Implicit,
    /// From derivatives, with a bias.
    Bias(Value),
    /// Given.
    Explicit(Value),
    /// From given gradients.
    Gradient(Value, Value),
}

impl Lower<'_, '_> {
    /// The sampler and texture of a register. `inferred` is the kind that the instruction itself asks for (ps_1_x).
    pub fn bound(&mut self, register: u16, inferred: Option<TextureKind>) -> Bound {
        let index = usize::from(register.min(15));
        if let Some(bound) = self.textures[index] {
            return bound;
        }
        let declared = self.shader.sampler_kind(register);
        let kind = match declared {
            SamplerKind::OneD | SamplerKind::TwoD => TextureKind::D2,
            SamplerKind::Cube => TextureKind::Cube,
            SamplerKind::Volume => TextureKind::Volume,
            SamplerKind::Unknown => self.options.texture_kinds[index].or(inferred).unwrap_or(TextureKind::D2),
        };
        // No depth format exists as a volume, whatever the option says.
        let compare = self.options.depth_compare >> index & 1 != 0 && kind != TextureKind::Volume;
        let dim = match kind {
            TextureKind::D2 => Dim::D2,
            TextureKind::Cube => Dim::Cube,
            TextureKind::Volume => Dim::D3,
        };
        let mut ty = Texture::sampled(dim);
        if compare {
            ty.kind = types::TextureKind::Depth;
        }
        let texture_ty = self.b.types.intern(Type::Texture(ty));
        let sampler_ty = self.b.types.intern(Type::Sampler { comparison: compare });
        let texture = self.resource(index as u16, "_texture", texture_ty, RegisterClass::T);
        let sampler = self.resource(index as u16, "", sampler_ty, RegisterClass::S);
        let bound = Bound { texture, sampler, kind, one_dimensional: declared == SamplerKind::OneD, compare };
        self.textures[index] = Some(bound);
        bound
    }

    /// The texture or sampler of s#.
    fn resource(&mut self, register: u16, suffix: &str, ty: types::TypeId, class: RegisterClass) -> GlobalId {
        let binding = Binding { class, register: u32::from(register), space: self.binding_space() };
        let kind = GlobalKind::Resource { binding, writable: false, counter: false };
        let name = self.numbered("s", register, suffix);
        self.add_named_global(name, ty, Space::Handle, kind)
    }

    /// Reads a texture: four lanes. `coordinates` are x, y, z of the coordinate (what the kind needs is taken).
    pub fn sample(&mut self, bound: Bound, coordinates: [Lane; 3], level: Level) -> Value {
        let zero = self.zero_lane(Scalar::F32);
        let [x, y, z] = coordinates;
        let place = match bound.kind {
            TextureKind::D2 if bound.one_dimensional => lanes::gather(&mut self.b, &[x, zero]),
            TextureKind::D2 => lanes::gather(&mut self.b, &[x, y]),
            TextureKind::Cube | TextureKind::Volume => lanes::gather(&mut self.b, &[x, y, z]),
        };
        let (texture, sampler) = (Value::global(bound.texture), Value::global(bound.sampler));
        let mut operands: SmallVec<[Value; 6]> = SmallVec::from_slice(&[texture, sampler, place]);
        let mut flags = 0;
        if bound.compare {
            flags |= SampleAttr::COMPARE;
            operands.push(lanes::gather(&mut self.b, &[z]));
        }
        match level {
            Level::Implicit => {}
            Level::Bias(bias) => {
                flags |= SampleAttr::BIAS;
                operands.push(bias);
            }
            Level::Explicit(level) => {
                flags |= SampleAttr::LEVEL;
                operands.push(level);
            }
            Level::Gradient(dx, dy) => {
                flags |= SampleAttr::GRADIENT;
                operands.extend([dx, dy]);
            }
        }
        if matches!(level, Level::Implicit | Level::Bias(_)) {
            self.uses.derivatives = true;
        }
        if bound.compare {
            // A vendor's shadow map look-up: the filtered comparison in every lane (sheet 2.5).
            let attr = Attr::Sample(SampleAttr(flags));
            let result = self.b.value(Op::Sample, attr, &operands, types::F32);
            return self.b.splat(result, 4);
        }
        if self.gathers(bound) && matches!(level, Level::Implicit) {
            let attr = Attr::Gather(SampleAttr(0), 0);
            let four = self.b.value(Op::Gather, attr, &operands, types::VEC4F);
            // FETCH4's order is z, x, y, w of a gather in Vulkan's order.
            return self.b.shuffle(four, &[2, 0, 1, 3]);
        }
        self.b.value(Op::Sample, Attr::Sample(SampleAttr(flags)), &operands, types::VEC4F)
    }

    fn gathers(&self, bound: Bound) -> bool {
        (0..16).any(|i| {
            self.options.fetch4 >> i & 1 != 0
                && bound.kind == TextureKind::D2
                && self.textures[i].is_some_and(|b| b.texture == bound.texture)
        })
    }

    /// Lowers a texture instruction of any version.
    pub fn texture_instruction(&mut self, instruction: &Instruction) {
        if instruction.opcode == Opcode::TexKill {
            return self.texkill(instruction);
        }
        if self.shader.version.is_ps_1() {
            return self.stage_instruction(instruction);
        }
        let [coordinate, sampler, rest @ ..] = instruction.sources.as_slice() else { return };
        let bound = self.bound(sampler.register.index, None);
        let all = self.read(coordinate, &[0, 1, 2, 3]);
        let w = Lane::new(all, 3);
        let mut place = [Lane::new(all, 0), Lane::new(all, 1), Lane::new(all, 2)];
        let mut level = Level::Implicit;
        match instruction.opcode {
            Opcode::TexLdl => {
                level = Level::Explicit(lanes::gather(&mut self.b, &[w]));
            }
            Opcode::TexLdd => {
                if let [ddx, ddy, ..] = rest {
                    let positions: &[u8] = if bound.kind == TextureKind::D2 { &[0, 1] } else { &[0, 1, 2] };
                    let [dx, dy] = [ddx, ddy].map(|source| self.gradient(source, positions, bound));
                    level = Level::Gradient(dx, dy);
                }
            }
            _ => match instruction.texld {
                TexldKind::Plain => {}
                TexldKind::Project => {
                    let count = if bound.kind == TextureKind::D2 && !bound.compare { 2 } else { 3 };
                    let positions: &[u8] = &[0, 1, 2];
                    let xyz = self.b.shuffle(all, &positions[..count]);
                    let divisor = lanes::gather(&mut self.b, &[w]);
                    let divisor = self.b.splat(divisor, count as u8);
                    let quotient = self.b.op(Op::FDiv, &[xyz, divisor]);
                    for (lane, place) in place.iter_mut().take(count).enumerate() {
                        *place = Lane::new(quotient, lane as u8);
                    }
                }
                TexldKind::Bias => {
                    // Documented range of the bias by major version (sheet 2.5).
                    let (low, high) = if self.shader.version.major < 3 { (-3.0, 3.0) } else { (-16.0, 15.0) };
                    let bias = lanes::gather(&mut self.b, &[w]);
                    let (low, high) = (self.b.f32(low), self.b.f32(high));
                    level = Level::Bias(self.b.op(Op::FClamp, &[bias, low, high]));
                }
            },
        }
        let texel = self.sample(bound, place, level);
        let mut result = lanes::whole(texel);
        if self.shader.version.major >= 3 {
            result = [0, 1, 2, 3].map(|position| Lane::new(texel, sampler.swizzle.lane(position)));
        }
        self.write(instruction, Outcome::Lanes(result));
    }

    /// A gradient of `texldd`. A 1D texture is one of height 1, across which the level does not change.
    fn gradient(&mut self, source: &Source, positions: &[u8], bound: Bound) -> Value {
        if !bound.one_dimensional {
            return self.read(source, positions);
        }
        let x = Lane::scalar(self.read_lane(source, 0));
        let zero = self.zero_lane(Scalar::F32);
        lanes::gather(&mut self.b, &[x, zero])
    }

    /// texkill: the tested lanes are x, y, z below ps_2_0, the mask from there on (sheet 2.5, 2.6).
    fn texkill(&mut self, instruction: &Instruction) {
        let Some(operand) = instruction.destination else { return };
        let version = self.shader.version;
        let source = crate::tokens::Source::plain(operand.register, crate::tokens::Swizzle::IDENTITY);
        let register = match version.is_ps_1_0_to_1_3() {
            // The coordinate set, not what the register holds.
            true => self.texture_coordinate(operand.register.index),
            false => self.register_lanes(&source, 0),
        };
        let mask = if version.is_ps_1() { 7 } else { operand.mask.0 & 0xF };
        let tested: SmallVec<[Lane; 4]> = mask_lanes(mask).map(|lane| register[lane]).collect();
        if tested.is_empty() {
            return;
        }
        let value = lanes::gather(&mut self.b, &tested);
        let (_, count) = self.b.lanes_of(value);
        let zero = self.b.splat_f32(0.0, count);
        let mut below = self.b.op(Op::FLt, &[value, zero]);
        if let Some(predicate) = instruction.predicate {
            let picked: SmallVec<[Lane; 4]> = mask_lanes(mask)
                .map(|lane| self.state.slots[PREDICATE][usize::from(predicate.swizzle.lane(lane as u8))])
                .collect();
            let mut holds = lanes::gather(&mut self.b, &picked);
            if predicate.negate {
                holds = self.b.op(Op::Not, &[holds]);
            }
            below = self.b.op(Op::And, &[below, holds]);
        }
        if count > 1 {
            below = self.b.op(Op::Any, &[below]);
        }
        self.uses.kill = true;
        let (then, other) = (self.b.new_region(&[]), self.b.new_region(&[]));
        let outer = self.b.enter(then);
        self.b.push(Op::Discard, Attr::None, &[], &[]);
        self.b.terminate(Op::Yield, &[]);
        self.b.enter(other);
        self.b.terminate(Op::Yield, &[]);
        self.b.enter(outer);
        self.b.push_if(below, then, other, &[]);
    }
}
