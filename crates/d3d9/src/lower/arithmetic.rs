//! Arithmetic opcodes (sheet 2.4).

use super::Lower;
use super::lanes::{self, Lane, Lanes4};
use super::operand::Outcome;
use super::options::{FloatRules, ScalarLane};
use super::state::{ADDRESS, mask_lanes};
use crate::tokens::{Comparison, Instruction, Opcode, RegisterKind, Source};
use aquatint_ir::types::{self, Scalar};
use aquatint_ir::{Attr, Op, Value};
use smallvec::SmallVec;

/// How a formula that works on each lane by itself is written, under the float rules.
enum Form {
    /// One operation on all sources in order.
    One(Op),
    /// `a * b + c` in two roundings.
    Mad,
    /// `c + a * (b - c)`.
    Lrp,
    /// A comparison that gives 1 or 0.
    Test(Op),
    /// `a OP constant ? b : c`.
    Choose(Op, f32),
}

impl Lower<'_, '_> {
    /// Whether products follow `0 * x = 0`.
    fn legacy(&self) -> bool {
        self.options.float == FloatRules::Strict
    }

    /// Whether `rcp(0)` and the like give what the documentation says.
    fn documented(&self) -> bool {
        self.options.float != FloatRules::Ieee
    }

    /// The product under the float rules.
    pub fn product(&mut self, a: Value, b: Value) -> Value {
        let op = if self.legacy() { Op::FMulLegacy } else { Op::FMul };
        self.b.op(op, &[a, b])
    }

    /// The dot product under the float rules.
    pub fn dot(&mut self, a: Value, b: Value) -> Value {
        let op = if self.legacy() { Op::DotLegacy } else { Op::Dot };
        self.b.op(op, &[a, b])
    }

    fn form(&self, opcode: Opcode) -> Option<Form> {
        let legacy = self.legacy();
        Some(match opcode {
            Opcode::Mov => return None,
            Opcode::Add => Form::One(Op::FAdd),
            Opcode::Sub => Form::One(Op::FSub),
            Opcode::Mul => Form::One(if legacy { Op::FMulLegacy } else { Op::FMul }),
            Opcode::Mad if legacy => Form::One(Op::FmaLegacy),
            Opcode::Mad => Form::Mad,
            Opcode::Min => Form::One(Op::MinD3d9),
            Opcode::Max => Form::One(Op::MaxD3d9),
            Opcode::Slt => Form::Test(Op::FLt),
            Opcode::Sge => Form::Test(Op::FGe),
            Opcode::Abs => Form::One(Op::FAbs),
            Opcode::Frc => Form::One(Op::FractD3d9),
            Opcode::Sgn => Form::One(Op::SgnD3d9),
            Opcode::Lrp if legacy => Form::One(Op::LrpLegacy),
            Opcode::Lrp => Form::Lrp,
            Opcode::Cmp => Form::Choose(Op::FGe, 0.0),
            Opcode::Cnd => Form::Choose(Op::FGt, 0.5),
            _ => return None,
        })
    }

    /// Lowers an arithmetic instruction.
    pub fn arithmetic(&mut self, instruction: &Instruction) {
        let Some(destination) = instruction.destination else { return };
        let mask = destination.mask.0 & 0xF;
        let sources = &instruction.sources;
        if let (Opcode::Dsx | Opcode::Dsy, true) = (instruction.opcode, !sources.is_empty()) {
            return self.derivative(instruction, mask);
        }
        if let (Some(form), false) = (self.form(instruction.opcode), sources.is_empty()) {
            return self.lanes_instruction(instruction, mask, form);
        }
        let Some(first) = sources.first() else { return };
        let outcome = match instruction.opcode {
            Opcode::Mov | Opcode::Mova => {
                if destination.register.kind == RegisterKind::Address {
                    return self.write_address(instruction, first, mask);
                }
                if instruction.opcode == Opcode::Mova {
                    return;
                }
                Outcome::Packed(self.read_mask(first, mask))
            }
            Opcode::Rcp | Opcode::Rsq | Opcode::Exp | Opcode::Log | Opcode::LogP => {
                self.scalar_unary(instruction, first)
            }
            Opcode::ExpP if self.shader.version.major < 2 => self.partial_exp(first, mask),
            Opcode::ExpP => self.scalar_unary(instruction, first),
            Opcode::Pow => self.pow(instruction),
            Opcode::SinCos => self.sincos(first, mask),
            Opcode::Dp3 | Opcode::Dp4 | Opcode::Dp2Add => self.dot_instruction(instruction),
            Opcode::M4x4 | Opcode::M4x3 | Opcode::M3x4 | Opcode::M3x3 | Opcode::M3x2 => {
                return self.matrix(instruction, mask);
            }
            Opcode::Lit => {
                let all = self.read(first, &[0, 1, 2, 3]);
                Outcome::Lanes(lanes::whole(self.b.value(Op::LitD3d9, Attr::None, &[all], types::VEC4F)))
            }
            Opcode::Dst => self.dst(instruction),
            Opcode::Crs => return self.crs(instruction, mask),
            Opcode::Nrm => self.nrm(first, mask),
            Opcode::SetP => return self.setp(instruction, mask),
            _ => return,
        };
        self.write(instruction, outcome);
    }

    fn lanes_instruction(&mut self, instruction: &Instruction, mask: u8, form: Form) {
        let mut values: SmallVec<[Value; 3]> = SmallVec::new();
        for (position, source) in instruction.sources.iter().take(3).enumerate() {
            // sgn's further sources are scratch registers; cnd of ps_1_1–1_3 tests one lane, r0.a, for all.
            if instruction.opcode == Opcode::Sgn && position > 0 {
                break;
            }
            let one = instruction.opcode == Opcode::Cnd && position == 0 && self.shader.version.is_ps_1_0_to_1_3();
            values.push(if one { self.read_lane(source, 3) } else { self.read_mask(source, mask) });
        }
        let (_, count) = self.b.lanes_of(values[0]);
        let value = match (form, values.as_slice()) {
            (Form::One(op), all) => self.b.op(op, all),
            (Form::Mad, &[a, b, c]) => {
                let product = self.b.op(Op::FMul, &[a, b]);
                self.b.op(Op::FAdd, &[product, c])
            }
            (Form::Lrp, &[a, b, c]) => {
                let difference = self.b.op(Op::FSub, &[b, c]);
                let product = self.b.op(Op::FMul, &[a, difference]);
                self.b.op(Op::FAdd, &[product, c])
            }
            (Form::Test(op), &[a, b]) => {
                let holds = self.b.op(op, &[a, b]);
                let (one, zero) = (self.b.splat_f32(1.0, count), self.b.splat_f32(0.0, count));
                self.b.select(holds, one, zero)
            }
            (Form::Choose(op, limit), &[a, b, c]) => {
                let quirk = self.options.coissued_cnd_first
                    && instruction.opcode == Opcode::Cnd
                    && instruction.coissue
                    && self.shader.version.is_ps_1_0_to_1_3()
                    && mask != 8;
                if quirk {
                    b
                } else {
                    let limit = self.b.splat_f32(limit, count);
                    let holds = self.b.op(op, &[a, limit]);
                    self.b.select(holds, b, c)
                }
            }
            _ => return,
        };
        self.write(instruction, Outcome::Packed(value));
    }

    fn derivative(&mut self, instruction: &Instruction, mask: u8) {
        self.uses.derivatives = true;
        let value = self.read_mask(&instruction.sources[0], mask);
        let ty = self.b.type_of(value);
        let op = if instruction.opcode == Opcode::Dsx { Op::Ddx } else { Op::Ddy };
        let attr = Attr::Derivative(aquatint_ir::op::Derivative::Default);
        let value = self.b.value(op, attr, &[value], ty);
        self.write(instruction, Outcome::Packed(value));
    }

    /// The lane that a scalar opcode takes: the one that the swizzle replicates, else by option.
    pub fn read_scalar(&mut self, source: &Source) -> Value {
        let position = match self.options.scalar_lane {
            ScalarLane::X => 0,
            ScalarLane::W => 3,
        };
        self.read_lane(source, position)
    }

    fn scalar_unary(&mut self, instruction: &Instruction, source: &Source) -> Outcome {
        let value = self.read_scalar(source);
        let documented = self.documented();
        let op = match instruction.opcode {
            Opcode::Rcp if documented => Op::RcpD3d9,
            Opcode::Rcp => Op::Rcp,
            Opcode::Rsq if documented => Op::RSqrtD3d9,
            Opcode::Exp | Opcode::ExpP if documented => Op::Exp2D3d9,
            Opcode::Exp | Opcode::ExpP => Op::Exp2,
            _ if documented => Op::Log2D3d9,
            // rsq and log take the absolute value under every rule.
            other => {
                let positive = self.b.op(Op::FAbs, &[value]);
                let op = if other == Opcode::Rsq { Op::RSqrt } else { Op::Log2 };
                return Outcome::Scalar(self.b.op(op, &[positive]));
            }
        };
        Outcome::Scalar(self.b.op(op, &[value]))
    }

    /// expp of vs_1_1: (2 to the floor, fraction, 2 to the v, 1).
    fn partial_exp(&mut self, source: &Source, mask: u8) -> Outcome {
        let value = self.read_scalar(source);
        let op = if self.documented() { Op::Exp2D3d9 } else { Op::Exp2 };
        let one = Lane::scalar(self.b.f32(1.0));
        let mut all = [one; 4];
        if mask & 1 != 0 {
            let floor = self.b.op(Op::Floor, &[value]);
            all[0] = Lane::scalar(self.b.op(op, &[floor]));
        }
        if mask & 2 != 0 {
            all[1] = Lane::scalar(self.b.op(Op::FractD3d9, &[value]));
        }
        if mask & 4 != 0 {
            all[2] = Lane::scalar(self.b.op(op, &[value]));
        }
        Outcome::Lanes(all)
    }

    fn pow(&mut self, instruction: &Instruction) -> Outcome {
        let [base, exponent, ..] = instruction.sources.as_slice() else {
            return Outcome::Scalar(self.b.f32(0.0));
        };
        let (base, exponent) = (self.read_scalar(base), self.read_scalar(exponent));
        if self.documented() {
            return Outcome::Scalar(self.b.op(Op::PowD3d9, &[base, exponent]));
        }
        let positive = self.b.op(Op::FAbs, &[base]);
        Outcome::Scalar(self.b.op(Op::Pow, &[positive, exponent]))
    }

    /// sincos: x is the cosine, y the sine; sheet 2.4 leaves the other lanes to us, and we leave them alone.
    fn sincos(&mut self, source: &Source, mask: u8) -> Outcome {
        let value = self.read_scalar(source);
        let zero = self.zero_lane(Scalar::F32);
        let mut all = [zero; 4];
        if mask & 1 != 0 {
            all[0] = Lane::scalar(self.b.op(Op::Cos, &[value]));
        }
        if mask & 2 != 0 {
            all[1] = Lane::scalar(self.b.op(Op::Sin, &[value]));
        }
        Outcome::Lanes(all)
    }

    fn dot_instruction(&mut self, instruction: &Instruction) -> Outcome {
        let [first, second, rest @ ..] = instruction.sources.as_slice() else {
            return Outcome::Scalar(self.b.f32(0.0));
        };
        let positions: &[u8] = match instruction.opcode {
            Opcode::Dp3 => &[0, 1, 2],
            Opcode::Dp4 => &[0, 1, 2, 3],
            _ => &[0, 1],
        };
        let (a, b) = (self.read(first, positions), self.read(second, positions));
        let mut sum = self.dot(a, b);
        if let (Opcode::Dp2Add, [third, ..]) = (instruction.opcode, rest) {
            let third = self.read_lane(third, 0);
            sum = self.b.op(Op::FAdd, &[sum, third]);
        }
        Outcome::Scalar(sum)
    }

    /// m4x4 and its kin: lane k is the product with register number s1 + k. All lanes are computed before any is written.
    fn matrix(&mut self, instruction: &Instruction, mask: u8) {
        let [first, second, ..] = instruction.sources.as_slice() else { return };
        let (positions, rows): (&[u8], usize) = match instruction.opcode {
            Opcode::M4x4 => (&[0, 1, 2, 3], 4),
            Opcode::M4x3 => (&[0, 1, 2, 3], 3),
            Opcode::M3x4 => (&[0, 1, 2], 4),
            Opcode::M3x3 => (&[0, 1, 2], 3),
            _ => (&[0, 1, 2], 2),
        };
        let vector = self.read(first, positions);
        let zero = self.zero_lane(Scalar::F32);
        let mut all: Lanes4 = [zero; 4];
        let mut written = 0;
        for lane in mask_lanes(mask).filter(|&lane| lane < rows) {
            let row = self.read_row(second, lane as u16, positions);
            all[lane] = Lane::scalar(self.dot(vector, row));
            written |= 1 << lane;
        }
        self.write_masked(instruction, written, Outcome::Lanes(all));
    }

    /// Writes fewer lanes than the mask says: the others stay as they are.
    fn write_masked(&mut self, instruction: &Instruction, mask: u8, outcome: Outcome) {
        let Some(mut destination) = instruction.destination else { return };
        destination.mask.0 &= mask;
        self.write_to(instruction, &destination, outcome);
    }

    /// dst: (1, y0 * y1, z0, w1).
    fn dst(&mut self, instruction: &Instruction) -> Outcome {
        let [first, second, ..] = instruction.sources.as_slice() else {
            return Outcome::Scalar(self.b.f32(0.0));
        };
        if self.legacy() {
            let (a, b) = (self.read(first, &[0, 1, 2, 3]), self.read(second, &[0, 1, 2, 3]));
            return Outcome::Lanes(lanes::whole(self.b.value(Op::DstD3d9, Attr::None, &[a, b], types::VEC4F)));
        }
        let one = self.b.f32(1.0);
        let (y0, y1) = (self.read_lane(first, 1), self.read_lane(second, 1));
        let y = self.product(y0, y1);
        let (z, w) = (self.read_lane(first, 2), self.read_lane(second, 3));
        Outcome::Lanes([one, y, z, w].map(Lane::scalar))
    }

    /// crs writes x, y, z; a w in the mask stays as it is.
    fn crs(&mut self, instruction: &Instruction, mask: u8) {
        let [first, second, ..] = instruction.sources.as_slice() else { return };
        let (a, b) = (self.read(first, &[0, 1, 2]), self.read(second, &[0, 1, 2]));
        let op = if self.legacy() { Op::CrossLegacy } else { Op::Cross };
        let value = self.b.value(op, Attr::None, &[a, b], types::vector(Scalar::F32, 3));
        let lane = |index| Lane::new(value, index);
        self.write_masked(instruction, mask & 7, Outcome::Lanes([lane(0), lane(1), lane(2), lane(2)]));
    }

    /// nrm: the length is that of x, y, z whatever the mask.
    fn nrm(&mut self, source: &Source, mask: u8) -> Outcome {
        let positions: &[u8] = if mask & 8 != 0 { &[0, 1, 2, 3] } else { &[0, 1, 2] };
        let vector = self.read(source, positions);
        let value = if self.legacy() {
            self.b.op(Op::NrmD3d9, &[vector])
        } else {
            let xyz = self.b.shuffle(vector, &[0, 1, 2]);
            let square = self.b.op(Op::Dot, &[xyz, xyz]);
            let op = if self.documented() { Op::RSqrtD3d9 } else { Op::RSqrt };
            let inverse = self.b.op(op, &[square]);
            let all = self.b.splat(inverse, positions.len() as u8);
            self.b.op(Op::FMul, &[vector, all])
        };
        let lane = |index| Lane::new(value, index);
        Outcome::Lanes([lane(0), lane(1), lane(2), lane(if mask & 8 != 0 { 3 } else { 2 })])
    }

    /// mova rounds to nearest even; mov to a0 in vs_1_1 rounds down (sheet 2.4).
    fn write_address(&mut self, instruction: &Instruction, source: &Source, mask: u8) {
        let Some(destination) = instruction.destination else { return };
        let mut value = self.read_mask(source, mask);
        if destination.saturate {
            value = self.b.op(Op::FSaturate, &[value]);
        }
        let floor = instruction.opcode == Opcode::Mov && self.shader.version.major < 2;
        value = self.b.op(if floor { Op::Floor } else { Op::Round }, &[value]);
        value = self.b.convert(value, Scalar::I32);
        let mut plain = destination;
        (plain.saturate, plain.shift) = (false, 0);
        debug_assert!(super::state::slot_of(plain.register.kind, 0) == Some(ADDRESS));
        self.write_to(instruction, &plain, Outcome::Packed(value));
    }

    fn setp(&mut self, instruction: &Instruction, mask: u8) {
        let [first, second, ..] = instruction.sources.as_slice() else { return };
        let Some(comparison) = instruction.comparison else { return };
        let (a, b) = (self.read_mask(first, mask), self.read_mask(second, mask));
        let value = self.b.op(comparison_op(comparison), &[a, b]);
        self.write(instruction, Outcome::Packed(value));
    }
}

/// The IR's comparison; `ne` is true for NaN, all others are false.
pub const fn comparison_op(comparison: Comparison) -> Op {
    match comparison {
        Comparison::Gt => Op::FGt,
        Comparison::Eq => Op::FEq,
        Comparison::Ge => Op::FGe,
        Comparison::Lt => Op::FLt,
        Comparison::Ne => Op::FNe,
        Comparison::Le => Op::FLe,
    }
}
