//! Pure operations.

use super::Encoder;
use aquatint_ir::types::{self, Scalar, Type, TypeId};
use aquatint_ir::{Attr, Function, Inst, InstId, Op as IrOp, Value};
use smallvec::SmallVec;
use spirv::{GlslStd450Op as Glsl, Op};

/// How an operation is written.
enum Form {
    /// One core instruction on the operands in order.
    Core(Op),
    /// An instruction of GLSL.std.450 on the operands in order.
    Ext(Glsl),
    /// By its own code.
    Own,
}

/// The form of an operation on a scalar kind.
fn form(op: IrOp, kind: Scalar) -> Form {
    use Form::{Core, Ext, Own};
    let signed = kind.is_signed();
    let bool = kind == Scalar::Bool;
    let pick = |s: Op, u: Op| Core(if signed { s } else { u });
    let pick_ext = |s: Glsl, u: Glsl| Ext(if signed { s } else { u });
    match op {
        IrOp::FAdd => Core(Op::FAdd),
        IrOp::FSub => Core(Op::FSub),
        IrOp::FMul => Core(Op::FMul),
        IrOp::FDiv => Core(Op::FDiv),
        IrOp::FRem => Core(Op::FRem),
        IrOp::FNeg => Core(Op::FNegate),
        IrOp::FAbs => Ext(Glsl::FAbs),
        IrOp::Fma => Ext(Glsl::Fma),
        IrOp::FMin => Ext(Glsl::NMin),
        IrOp::FMax => Ext(Glsl::NMax),
        IrOp::Floor => Ext(Glsl::Floor),
        IrOp::Ceil => Ext(Glsl::Ceil),
        IrOp::Round => Ext(Glsl::RoundEven),
        IrOp::Trunc => Ext(Glsl::Trunc),
        IrOp::Sqrt => Ext(Glsl::Sqrt),
        IrOp::RSqrt => Ext(Glsl::InverseSqrt),
        IrOp::Exp2 => Ext(Glsl::Exp2),
        IrOp::Log2 => Ext(Glsl::Log2),
        IrOp::Exp => Ext(Glsl::Exp),
        IrOp::Log => Ext(Glsl::Log),
        IrOp::Sin => Ext(Glsl::Sin),
        IrOp::Cos => Ext(Glsl::Cos),
        IrOp::Tan => Ext(Glsl::Tan),
        IrOp::Asin => Ext(Glsl::Asin),
        IrOp::Acos => Ext(Glsl::Acos),
        IrOp::Atan => Ext(Glsl::Atan),
        IrOp::Atan2 => Ext(Glsl::Atan2),
        IrOp::Sinh => Ext(Glsl::Sinh),
        IrOp::Cosh => Ext(Glsl::Cosh),
        IrOp::Tanh => Ext(Glsl::Tanh),
        IrOp::Dot => Core(Op::Dot),
        IrOp::Cross => Ext(Glsl::Cross),
        IrOp::Length => Ext(Glsl::Length),
        IrOp::Distance => Ext(Glsl::Distance),
        IrOp::Normalize => Ext(Glsl::Normalize),
        IrOp::Reflect => Ext(Glsl::Reflect),
        IrOp::Refract => Ext(Glsl::Refract),
        IrOp::FaceForward => Ext(Glsl::FaceForward),
        IrOp::PackHalf2x16 => Ext(Glsl::PackHalf2x16),
        IrOp::UnpackHalf2x16 => Ext(Glsl::UnpackHalf2x16),
        IrOp::PackSnorm4x8 => Ext(Glsl::PackSnorm4x8),
        IrOp::UnpackSnorm4x8 => Ext(Glsl::UnpackSnorm4x8),
        IrOp::PackUnorm4x8 => Ext(Glsl::PackUnorm4x8),
        IrOp::UnpackUnorm4x8 => Ext(Glsl::UnpackUnorm4x8),
        IrOp::PackSnorm2x16 => Ext(Glsl::PackSnorm2x16),
        IrOp::UnpackSnorm2x16 => Ext(Glsl::UnpackSnorm2x16),
        IrOp::PackUnorm2x16 => Ext(Glsl::PackUnorm2x16),
        IrOp::UnpackUnorm2x16 => Ext(Glsl::UnpackUnorm2x16),
        IrOp::IAdd => Core(Op::IAdd),
        IrOp::ISub => Core(Op::ISub),
        IrOp::IMul => Core(Op::IMul),
        IrOp::IDiv => pick(Op::SDiv, Op::UDiv),
        // Vulkan leaves the remainder of negative numbers open: the raise pass left only unsigned ones.
        IrOp::IRem => Core(Op::UMod),
        IrOp::INeg => Core(Op::SNegate),
        IrOp::IAbs => Ext(Glsl::SAbs),
        IrOp::ISign => Ext(Glsl::SSign),
        IrOp::IMin => pick_ext(Glsl::SMin, Glsl::UMin),
        IrOp::IMax => pick_ext(Glsl::SMax, Glsl::UMax),
        IrOp::And => Core(if bool { Op::LogicalAnd } else { Op::BitwiseAnd }),
        IrOp::Or => Core(if bool { Op::LogicalOr } else { Op::BitwiseOr }),
        IrOp::Xor => Core(if bool { Op::LogicalNotEqual } else { Op::BitwiseXor }),
        IrOp::Not => Core(if bool { Op::LogicalNot } else { Op::Not }),
        IrOp::PopCount => Core(Op::BitCount),
        IrOp::FirstLow => Ext(Glsl::FindILsb),
        IrOp::FirstHigh => pick_ext(Glsl::FindSMsb, Glsl::FindUMsb),
        IrOp::Reverse => Core(Op::BitReverse),
        IrOp::FEq => Core(Op::FOrdEqual),
        IrOp::FNe => Core(Op::FUnordNotEqual),
        IrOp::FLt => Core(Op::FOrdLessThan),
        IrOp::FLe => Core(Op::FOrdLessThanEqual),
        IrOp::FGt => Core(Op::FOrdGreaterThan),
        IrOp::FGe => Core(Op::FOrdGreaterThanEqual),
        IrOp::IEq => Core(if bool { Op::LogicalEqual } else { Op::IEqual }),
        IrOp::INe => Core(if bool { Op::LogicalNotEqual } else { Op::INotEqual }),
        IrOp::ILt => pick(Op::SLessThan, Op::ULessThan),
        IrOp::ILe => pick(Op::SLessThanEqual, Op::ULessThanEqual),
        IrOp::IGt => pick(Op::SGreaterThan, Op::UGreaterThan),
        IrOp::IGe => pick(Op::SGreaterThanEqual, Op::UGreaterThanEqual),
        IrOp::IsNan => Core(Op::IsNan),
        IrOp::IsInf => Core(Op::IsInf),
        IrOp::Construct | IrOp::Splat => Core(Op::CompositeConstruct),
        IrOp::ExtractDyn => Core(Op::VectorExtractDynamic),
        IrOp::InsertDyn => Core(Op::VectorInsertDynamic),
        _ => Own,
    }
}

impl Encoder<'_> {
    fn kind_of(&self, function: &Function, value: Value) -> Scalar {
        match self.module.types.get(self.module.type_of(function, value)) {
            Type::Scalar(kind) | Type::Vector(kind, _) | Type::Matrix { scalar: kind, .. } => kind,
            _ => Scalar::U32,
        }
    }

    /// A constant of all lanes of a type.
    fn splat_constant(&mut self, ty: TypeId, bits: u64) -> u32 {
        let Some((kind, lanes)) = types::lanes_of(ty) else { return 0 };
        let scalar = self.scalar_constant(kind, bits);
        if lanes == 1 {
            return scalar;
        }
        let ty = self.ty(ty);
        let id = self.id();
        self.declarations.op2(Op::ConstantComposite, &[ty, id], &[scalar; 4][..usize::from(lanes)]);
        id
    }

    /// An instruction of GLSL.std.450.
    fn ext(&mut self, function: &Function, id: InstId, inst: &Inst, op: Glsl, operands: &[u32]) {
        let mut all = SmallVec::<[u32; 6]>::from_slice(&[self.glsl, op as u32]);
        all.extend_from_slice(operands);
        self.simple(function, id, inst, Op::ExtInst, &all);
    }

    /// Writes a pure operation or a derivative.
    pub fn arithmetic(&mut self, function: &Function, id: InstId, inst: &Inst) {
        let values = function.operands(id);
        let kind = values.first().map_or(Scalar::F32, |&v| self.kind_of(function, v));
        let operands: SmallVec<[u32; 4]> = values.iter().map(|&v| self.value(v)).collect();
        match form(inst.op, kind) {
            Form::Core(Op::CompositeConstruct) if inst.op == IrOp::Splat => {
                let lanes = function.result(id).and_then(|l| types::lanes_of(function.locals[l].ty)).map_or(1, |t| t.1);
                self.simple(function, id, inst, Op::CompositeConstruct, &[operands[0]; 4][..usize::from(lanes)]);
            }
            Form::Core(op) => self.simple(function, id, inst, op, &operands),
            Form::Ext(op) => self.ext(function, id, inst, op, &operands),
            Form::Own => self.own(function, id, inst, kind, &operands),
        }
    }

    fn own(&mut self, function: &Function, id: InstId, inst: &Inst, kind: Scalar, operands: &[u32]) {
        let values = function.operands(id);
        let Some(local) = function.result(id) else { return };
        let result_ty = function.locals[local].ty;
        match inst.op {
            IrOp::Extract => {
                let Attr::Index(index) = inst.attr else { return };
                self.simple(function, id, inst, Op::CompositeExtract, &[operands[0], index]);
            }
            IrOp::Insert => {
                let Attr::Index(index) = inst.attr else { return };
                self.simple(function, id, inst, Op::CompositeInsert, &[operands[1], operands[0], index]);
            }
            IrOp::Shuffle => {
                let Attr::Lanes(lanes) = inst.attr else { return };
                match lanes.as_slice() {
                    [one] => self.simple(function, id, inst, Op::CompositeExtract, &[operands[0], u32::from(*one)]),
                    many => {
                        let mut all = SmallVec::<[u32; 6]>::from_slice(&[operands[0], operands[0]]);
                        all.extend(many.iter().map(|&lane| u32::from(lane)));
                        self.simple(function, id, inst, Op::VectorShuffle, &all);
                    }
                }
            }
            IrOp::Select => self.select(function, id, inst, operands),
            IrOp::Convert => self.convert(function, id, inst, kind, operands[0]),
            IrOp::Bitcast => {
                let same = self.module.type_of(function, values[0]) == result_ty;
                self.simple(function, id, inst, if same { Op::CopyObject } else { Op::Bitcast }, operands);
            }
            IrOp::FSaturate => {
                let ty = self.module.type_of(function, values[0]);
                let (low, high) = (self.splat_constant(ty, 0), self.splat_constant(ty, one(kind)));
                self.ext(function, id, inst, Glsl::NClamp, &[operands[0], low, high]);
            }
            IrOp::Shl | IrOp::Shr => {
                // Vulkan leaves counts past the width open; the IR masks them.
                let ty = self.module.type_of(function, values[1]);
                let mask = self.splat_constant(ty, u64::from(kind.bits() - 1));
                let ty = self.ty(ty);
                let count = self.id();
                self.functions.op(Op::BitwiseAnd, &[ty, count, operands[1], mask]);
                let op = match inst.op {
                    IrOp::Shl => Op::ShiftLeftLogical,
                    _ if kind.is_signed() => Op::ShiftRightArithmetic,
                    _ => Op::ShiftRightLogical,
                };
                self.simple(function, id, inst, op, &[operands[0], count]);
            }
            IrOp::Any | IrOp::All => {
                let vector = types::lanes_of(self.module.type_of(function, values[0])).is_some_and(|(_, n)| n > 1);
                let op = match (vector, inst.op) {
                    (false, _) => Op::CopyObject,
                    (true, IrOp::Any) => Op::Any,
                    (true, _) => Op::All,
                };
                self.simple(function, id, inst, op, operands);
            }
            IrOp::Ddx | IrOp::Ddy => {
                use aquatint_ir::op::Derivative;
                let x = inst.op == IrOp::Ddx;
                let op = match inst.attr {
                    Attr::Derivative(Derivative::Coarse) if x => Op::DPdxCoarse,
                    Attr::Derivative(Derivative::Coarse) => Op::DPdyCoarse,
                    Attr::Derivative(Derivative::Fine) if x => Op::DPdxFine,
                    Attr::Derivative(Derivative::Fine) => Op::DPdyFine,
                    _ if x => Op::DPdx,
                    _ => Op::DPdy,
                };
                if !matches!(op, Op::DPdx | Op::DPdy) {
                    self.capability(spirv::Capability::DerivativeControl);
                }
                self.simple(function, id, inst, op, operands);
            }
            IrOp::Frexp | IrOp::IAddCarry | IrOp::ISubBorrow | IrOp::IMulHi => {
                self.pair(function, id, inst, kind, operands);
            }
            // What is left has been expanded by the raise passes; the set check there makes sure.
            _ => self.simple(function, id, inst, Op::Undef, &[]),
        }
    }

    fn select(&mut self, function: &Function, id: InstId, inst: &Inst, operands: &[u32]) {
        let values = function.operands(id);
        let condition_lanes = types::lanes_of(self.module.type_of(function, values[0])).map_or(1, |(_, n)| n);
        let lanes = types::lanes_of(self.module.type_of(function, values[1])).map_or(1, |(_, n)| n);
        let mut condition = operands[0];
        if condition_lanes != lanes {
            // A scalar condition selects whole vectors only from SPIR-V 1.4 on.
            let ty = self.ty(types::vector(Scalar::Bool, lanes));
            let all = self.id();
            self.functions.op2(Op::CompositeConstruct, &[ty, all], &[condition; 4][..usize::from(lanes)]);
            condition = all;
        }
        self.simple(function, id, inst, Op::Select, &[condition, operands[1], operands[2]]);
    }

    fn convert(&mut self, function: &Function, id: InstId, inst: &Inst, from: Scalar, operand: u32) {
        let Some(local) = function.result(id) else { return };
        let ty = function.locals[local].ty;
        let Some((to, lanes)) = types::lanes_of(ty) else { return };
        let source_ty = self.module.type_of(function, function.operands(id)[0]);
        let op = match (from, to) {
            (Scalar::Bool, to) => {
                let (yes, no) = (self.splat_constant(ty, one(to)), self.splat_constant(ty, 0));
                return self.simple(function, id, inst, Op::Select, &[operand, yes, no]);
            }
            (from, Scalar::Bool) => {
                let zero = self.splat_constant(source_ty, 0);
                let op = if from.is_float() { Op::FUnordNotEqual } else { Op::INotEqual };
                return self.simple(function, id, inst, op, &[operand, zero]);
            }
            (from, to) if from.is_float() && to.is_float() => Op::FConvert,
            // In range: the raise pass clamped it.
            (from, to) if from.is_float() && to.is_signed() => Op::ConvertFToS,
            (from, _) if from.is_float() => Op::ConvertFToU,
            (from, to) if to.is_float() && from.is_signed() => Op::ConvertSToF,
            (_, to) if to.is_float() => Op::ConvertUToF,
            (from, to) if from.bits() == to.bits() => Op::Bitcast,
            // SConvert extends by the sign of the source whatever the result is; both take the source's signedness.
            (from, to) => {
                let op = if from.is_signed() { Op::SConvert } else { Op::UConvert };
                let same_sign = from.is_signed() == to.is_signed();
                if same_sign {
                    op
                } else {
                    let middle = if from.is_signed() { signed(to) } else { unsigned(to) };
                    let middle_ty = self.ty(types::vector(middle, lanes));
                    let middle_id = self.id();
                    self.functions.op(op, &[middle_ty, middle_id, operand]);
                    return self.simple(function, id, inst, Op::Bitcast, &[middle_id]);
                }
            }
        };
        self.simple(function, id, inst, op, &[operand]);
    }

    /// Operations with two results, and the one that takes half of such a pair.
    fn pair(&mut self, function: &Function, id: InstId, inst: &Inst, kind: Scalar, operands: &[u32]) {
        let locals: SmallVec<[_; 2]> = function.results(id).collect();
        let first = self.ty(function.locals[locals[0]].ty);
        let second = locals.get(1).map_or(first, |&l| self.ty(function.locals[l].ty));
        let pair = self.result_pair(first, second);
        let both = self.id();
        match inst.op {
            IrOp::Frexp => {
                self.functions.op(Op::ExtInst, &[pair, both, self.glsl, Glsl::FrexpStruct as u32, operands[0]]);
            }
            IrOp::IAddCarry => self.functions.op2(Op::IAddCarry, &[pair, both], operands),
            IrOp::ISubBorrow => self.functions.op2(Op::ISubBorrow, &[pair, both], operands),
            _ => {
                let op = if kind.is_signed() { Op::SMulExtended } else { Op::UMulExtended };
                self.functions.op2(op, &[pair, both], operands);
                let result = self.local(locals[0]);
                self.functions.op(Op::CompositeExtract, &[first, result, both, 1]);
                return;
            }
        }
        for (index, &local) in locals.iter().enumerate() {
            let ty = if index == 0 { first } else { second };
            let result = self.local(local);
            self.functions.op(Op::CompositeExtract, &[ty, result, both, index as u32]);
        }
    }
}

/// The bits of one.
const fn one(kind: Scalar) -> u64 {
    match kind {
        Scalar::F16 => 0x3C00,
        Scalar::F32 => 0x3F80_0000,
        Scalar::F64 => 0x3FF0_0000_0000_0000,
        _ => 1,
    }
}

const fn signed(kind: Scalar) -> Scalar {
    match kind {
        Scalar::U16 => Scalar::I16,
        Scalar::U32 => Scalar::I32,
        Scalar::U64 => Scalar::I64,
        other => other,
    }
}

const fn unsigned(kind: Scalar) -> Scalar {
    match kind {
        Scalar::I16 => Scalar::U16,
        Scalar::I32 => Scalar::U32,
        Scalar::I64 => Scalar::U64,
        other => other,
    }
}
