//! Texture instructions of ps_1_x: addressing by stage (sheet 2.5).

use super::Lower;
use super::interface::ExtraMember;
use super::lanes::{self, Lane, Lanes4};
use super::operand::Outcome;
use super::options::{Projection, TextureKind};
use super::state::{DEPTH, TEMP};
use super::texture::Level;
use crate::tokens::{Destination, Instruction, Mask, Opcode, Source};
use aquatint_ir::types::{self, Scalar};
use aquatint_ir::{Op, Value};

impl Lower<'_, '_> {
    /// Lowers a texture instruction of ps_1_0 to ps_1_4.
    pub fn stage_instruction(&mut self, instruction: &Instruction) {
        let Some(destination) = instruction.destination else { return };
        let stage = destination.register.index;
        if self.shader.version.is_ps_1_4() {
            return self.stage_1_4(instruction, &destination, stage);
        }
        let first = instruction.sources.first();
        match instruction.opcode {
            Opcode::Tex => {
                let place = self.projected_coordinate(stage);
                self.sample_stage(instruction, stage, place, TextureKind::D2);
            }
            Opcode::TexCoord => {
                let coordinate = self.texture_coordinate(stage);
                let xyz = lanes::gather(&mut self.b, &coordinate[..3]);
                let clamped = self.b.op(Op::FSaturate, &[xyz]);
                let one = Lane::scalar(self.b.f32(1.0));
                let lane = |index| Lane::new(clamped, index);
                self.finish_stage(instruction, [lane(0), lane(1), lane(2), one]);
            }
            Opcode::TexBem | Opcode::TexBemL => {
                if let Some(source) = first {
                    self.texbem(instruction, stage, source);
                }
            }
            Opcode::TexReg2Ar | Opcode::TexReg2Gb | Opcode::TexReg2Rgb => {
                let Some(source) = first else { return };
                let positions: &[u8] = match instruction.opcode {
                    Opcode::TexReg2Ar => &[3, 0],
                    Opcode::TexReg2Gb => &[1, 2],
                    _ => &[0, 1, 2],
                };
                let value = self.read(source, positions);
                let zero = self.zero_lane(Scalar::F32);
                let lane = |index| Lane::new(value, index);
                let third = if positions.len() == 3 { lane(2) } else { zero };
                self.sample_stage(instruction, stage, [lane(0), lane(1), third], TextureKind::D2);
            }
            Opcode::TexDp3 | Opcode::TexDp3Tex => {
                let Some(source) = first else { return };
                let dot = self.row(stage, source);
                if instruction.opcode == Opcode::TexDp3 {
                    return self.finish_stage(instruction, lanes::replicate(dot));
                }
                let zero = self.zero_lane(Scalar::F32);
                self.sample_stage(instruction, stage, [Lane::scalar(dot), zero, zero], TextureKind::D2);
            }
            Opcode::TexM3x2Pad | Opcode::TexM3x3Pad => {
                if let Some(source) = first {
                    let row = self.row(stage, source);
                    self.pads.push((stage, row));
                }
            }
            Opcode::TexM3x2Tex => {
                let Some(source) = first else { return };
                let rows = self.rows::<2>(stage, source);
                let zero = self.zero_lane(Scalar::F32);
                let place = [Lane::scalar(rows[0]), Lane::scalar(rows[1]), zero];
                self.sample_stage(instruction, stage, place, TextureKind::D2);
            }
            Opcode::TexM3x2Depth => {
                let Some(source) = first else { return };
                let [z, w] = self.rows::<2>(stage, source);
                self.write_depth(z, w);
            }
            Opcode::TexM3x3Tex | Opcode::TexM3x3 | Opcode::TexM3x3Spec | Opcode::TexM3x3VSpec => {
                self.matrix_lookup(instruction, stage);
            }
            _ => {}
        }
    }

    /// Row of a texm*: the coordinate set of the stage times the source's colour.
    fn row(&mut self, stage: u16, source: &Source) -> Value {
        let coordinate = self.texture_coordinate(stage);
        let coordinate = lanes::gather(&mut self.b, &coordinate[..3]);
        let colour = self.read(source, &[0, 1, 2]);
        self.dot(coordinate, colour)
    }

    /// The kept rows before this stage, the most recent ones, and the row of this stage itself.
    fn rows<const N: usize>(&mut self, stage: u16, source: &Source) -> [Value; N] {
        let last = self.row(stage, source);
        let zero = self.b.f32(0.0);
        let mut rows = [zero; N];
        if let Some(place) = rows.last_mut() {
            *place = last;
        }
        let kept = self.pads.len().saturating_sub(N - 1);
        for (place, (_, row)) in rows.iter_mut().take(N - 1).zip(&self.pads[kept..]) {
            *place = *row;
        }
        self.pads.clear();
        rows
    }

    fn matrix_lookup(&mut self, instruction: &Instruction, stage: u16) {
        let Some(source) = instruction.sources.first() else { return };
        let rows = self.rows::<3>(stage, source);
        if instruction.opcode == Opcode::TexM3x3 {
            let one = self.b.f32(1.0);
            let [x, y, z] = rows;
            return self.finish_stage(instruction, [x, y, z, one].map(Lane::scalar));
        }
        let normal = self.b.construct(types::vector(Scalar::F32, 3), &rows);
        let direction = match instruction.opcode {
            Opcode::TexM3x3Spec => {
                let eye = match instruction.sources.get(1) {
                    Some(eye) => self.read(eye, &[0, 1, 2]),
                    None => self.b.splat_f32(0.0, 3),
                };
                self.reflected(normal, eye)
            }
            Opcode::TexM3x3VSpec => {
                // The eye vector stands in the fourth coordinates of the three stages.
                let w: [Lane; 3] = [2, 1, 0].map(|back| self.texture_coordinate(stage.saturating_sub(back))[3]);
                let eye = lanes::gather(&mut self.b, &w);
                self.reflected(normal, eye)
            }
            _ => normal,
        };
        let lane = |index| Lane::new(direction, index);
        self.sample_stage(instruction, stage, [lane(0), lane(1), lane(2)], TextureKind::Cube);
    }

    /// 2 * (N·E) / (N·N) * N - E; -E for a null N.
    fn reflected(&mut self, normal: Value, eye: Value) -> Value {
        let (along, square) = (self.dot(normal, eye), self.dot(normal, normal));
        let (zero, two) = (self.b.f32(0.0), self.b.f32(2.0));
        let is_null = self.b.op(Op::FEq, &[square, zero]);
        let twice = self.b.op(Op::FMul, &[along, two]);
        let quotient = self.b.op(Op::FDiv, &[twice, square]);
        let factor = self.b.select(is_null, zero, quotient);
        let factor = self.b.splat(factor, 3);
        let scaled = self.product(normal, factor);
        self.b.op(Op::FSub, &[scaled, eye])
    }

    /// The stage's coordinate, divided as its texture stage state says. Cube maps are never projected.
    fn projected_coordinate(&mut self, stage: u16) -> [Lane; 3] {
        let coordinate = self.texture_coordinate(stage);
        let index = usize::from(stage.min(7));
        self.uses.projectable |= 1 << index;
        let by = match self.options.projections[index] {
            Projection::None => None,
            Projection::Count2 => Some(1),
            Projection::Count3 => Some(2),
            Projection::Count4 => Some(3),
        };
        let cube = self.options.texture_kinds[index] == Some(TextureKind::Cube);
        let plain = [coordinate[0], coordinate[1], coordinate[2]];
        match by {
            Some(by) if !cube => {
                let xyz = lanes::gather(&mut self.b, &plain);
                let divisor = lanes::gather(&mut self.b, &[coordinate[by]]);
                let divisor = self.b.splat(divisor, 3);
                let quotient = self.b.op(Op::FDiv, &[xyz, divisor]);
                [0, 1, 2].map(|index| Lane::new(quotient, index))
            }
            _ => plain,
        }
    }

    fn texbem(&mut self, instruction: &Instruction, stage: u16, source: &Source) {
        let base = self.projected_coordinate(stage);
        let perturbed = self.bumped(stage, [base[0], base[1]], source);
        let zero = self.zero_lane(Scalar::F32);
        let bound = self.bound(stage, Some(TextureKind::D2));
        let [u, v] = perturbed.map(Lane::scalar);
        let mut texel = self.sample(bound, [u, v, zero], Level::Implicit);
        if instruction.opcode == Opcode::TexBemL {
            let luminance = self.extra(ExtraMember::BumpLuminance(stage));
            let (scale, offset) = (Lane::new(luminance, 0), Lane::new(luminance, 1));
            let (scale, offset) = (lanes::gather(&mut self.b, &[scale]), lanes::gather(&mut self.b, &[offset]));
            let blue = self.read_lane(source, 2);
            let scaled = self.product(blue, scale);
            let factor = self.b.op(Op::FAdd, &[scaled, offset]);
            let factor = self.b.splat(factor, 4);
            texel = self.product(texel, factor);
        }
        self.finish_stage(instruction, lanes::whole(texel));
    }

    /// u + M00 r + M10 g, v + M01 r + M11 g.
    fn bumped(&mut self, stage: u16, base: [Lane; 2], source: &Source) -> [Value; 2] {
        self.uses.bump_stages |= 1 << stage.min(7);
        // The matrix lies as (00, 01, 10, 11).
        let matrix = self.extra(ExtraMember::BumpMatrix(stage));
        let (r, g) = (self.read_lane(source, 0), self.read_lane(source, 1));
        [0u8, 1].map(|axis| {
            let start = lanes::gather(&mut self.b, &[base[usize::from(axis)]]);
            let by_r = lanes::gather(&mut self.b, &[Lane::new(matrix, axis)]);
            let by_g = lanes::gather(&mut self.b, &[Lane::new(matrix, axis + 2)]);
            let first = self.product(by_r, r);
            let sum = self.b.op(Op::FAdd, &[start, first]);
            let second = self.product(by_g, g);
            self.b.op(Op::FAdd, &[sum, second])
        })
    }

    fn sample_stage(&mut self, instruction: &Instruction, stage: u16, place: [Lane; 3], inferred: TextureKind) {
        let bound = self.bound(stage, Some(inferred));
        let texel = self.sample(bound, place, Level::Implicit);
        self.finish_stage(instruction, lanes::whole(texel));
    }

    /// Writes a whole t register (ps_1_0–ps_1_3); the mask of these destinations means nothing.
    fn finish_stage(&mut self, instruction: &Instruction, result: Lanes4) {
        let Some(mut destination) = instruction.destination else { return };
        destination.mask = Mask::ALL;
        self.texture_loaded |= 1 << destination.register.index.min(7);
        self.write_to(instruction, &destination, Outcome::Lanes(result));
    }

    /// z / w, 1 for w = 0, clamped to 0–1, as the depth.
    fn write_depth(&mut self, z: Value, w: Value) {
        let (zero, one) = (self.b.f32(0.0), self.b.f32(1.0));
        let is_zero = self.b.op(Op::FEq, &[w, zero]);
        let quotient = self.b.op(Op::FDiv, &[z, w]);
        let chosen = self.b.select(is_zero, one, quotient);
        let depth = self.b.op(Op::FSaturate, &[chosen]);
        self.state.slots[DEPTH] = lanes::replicate(depth);
    }

    fn stage_1_4(&mut self, instruction: &Instruction, destination: &Destination, stage: u16) {
        let first = instruction.sources.first();
        match instruction.opcode {
            Opcode::Tex => {
                let Some(source) = first else { return };
                let xyz = self.read(source, &[0, 1, 2]);
                let lane = |index| Lane::new(xyz, index);
                let bound = self.bound(stage, Some(TextureKind::D2));
                let texel = self.sample(bound, [lane(0), lane(1), lane(2)], Level::Implicit);
                self.write(instruction, Outcome::Lanes(lanes::whole(texel)));
            }
            Opcode::TexCoord => {
                // texcrd does not clamp; the fourth lane is left alone.
                let Some(source) = first else { return };
                let xyz = self.read(source, &[0, 1, 2]);
                let mut destination = *destination;
                destination.mask.0 &= 7;
                let lane = |index| Lane::new(xyz, index);
                self.write_to(instruction, &destination, Outcome::Lanes([lane(0), lane(1), lane(2), lane(2)]));
            }
            Opcode::TexDepth => {
                let slot = TEMP + usize::from(stage.min(31));
                let (r, g) = (self.state.slots[slot][0], self.state.slots[slot][1]);
                let (r, g) = (lanes::gather(&mut self.b, &[r]), lanes::gather(&mut self.b, &[g]));
                self.write_depth(r, g);
            }
            Opcode::Bem => {
                let [base, bump, ..] = instruction.sources.as_slice() else { return };
                let start = self.read(base, &[0, 1]);
                let sum = self.bumped(stage, [Lane::new(start, 0), Lane::new(start, 1)], bump);
                let mut destination = *destination;
                destination.mask.0 &= 3;
                let [r, g] = sum.map(Lane::scalar);
                self.write_to(instruction, &destination, Outcome::Lanes([r, g, g, g]));
            }
            _ => {}
        }
    }
}
