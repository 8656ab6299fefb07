//! Which scalar kind a number takes from its place. Printer and reader share it, so that they agree.

use crate::function::Slice;
use crate::op::{Op, Rule};
use crate::types::{self, Scalar, Type, TypeId, Types};

/// The scalar kind of a scalar, vector or matrix, or of what a pointer points to.
pub(super) fn kind_of(table: &Types, ty: TypeId) -> Option<Scalar> {
    let ty = match table.get(ty) {
        Type::Pointer { pointee, .. } => pointee,
        _ => ty,
    };
    match types::lanes_of(ty) {
        Some((kind, _)) => Some(kind),
        None => match table.get(ty) {
            Type::Matrix { scalar, .. } => Some(scalar),
            Type::Array { element, .. } => types::lanes_of(element).map(|(kind, _)| kind),
            _ => None,
        },
    }
}

/// What operand `index` of an operation takes; `first` is the kind of operand 0, `result` that of the first result.
/// The operands of `call`, `loop` and the terminators ([`Targets`]) follow declared types instead.
pub(super) fn operand(op: Op, index: usize, first: Option<Scalar>, result: Option<Scalar>) -> Option<Scalar> {
    match op.row().rule {
        Rule::Same(..) => result,
        Rule::Compare(_) | Rule::Test(_) | Rule::Reduce(_) | Rule::Length(_) | Rule::AnyAll => first,
        Rule::Special => match (op, index) {
            (Op::ExtractDyn, 1) | (Op::InsertDyn, 2) => Some(Scalar::U32),
            (Op::BitsExtract, 1 | 2) | (Op::BitsInsert, 2 | 3) => Some(Scalar::U32),
            (Op::LoadBytes | Op::StoreBytes, 1) => Some(Scalar::U32),
            (Op::Access, 1..) => Some(Scalar::U32),
            (Op::Construct | Op::Splat | Op::Insert | Op::InsertDyn | Op::Select, _) => result,
            (Op::Ldexp, 0) | (Op::Frexp | Op::Modf, _) => result,
            (Op::MulMv | Op::MulVm | Op::Cross | Op::CrossLegacy | Op::Refract, _) => result,
            (Op::BitsExtract | Op::BitsInsert | Op::IAddCarry | Op::ISubBorrow, _) => result,
            (Op::PackHalf2x16 | Op::PackSnorm4x8 | Op::PackUnorm4x8, _) => Some(Scalar::F32),
            (Op::UnpackHalf2x16 | Op::UnpackSnorm4x8 | Op::UnpackUnorm4x8, _) => Some(Scalar::U32),
            (Op::UnpackSnorm2x16 | Op::UnpackUnorm2x16 | Op::Msad4, _) => Some(Scalar::U32),
            (Op::Store | Op::Atomic, _) => first,
            (Op::Var, _) => result,
            (Op::ImageAtomic, 2..) | (Op::WaveOp | Op::QuadOp, 0) => result,
            (Op::QuadOp | Op::WaveOp, 1) => Some(Scalar::U32),
            _ => None,
        },
    }
}

/// What the terminators of a region hand their values to: locals of the function.
#[derive(Clone, Copy, Default)]
pub(super) struct Targets {
    /// Of `yield`: the results of the `if` or `switch`.
    pub yields: Slice,
    /// Of `break`: the results of the innermost loop.
    pub breaks: Slice,
    /// Of `next`: the parameters of the loop's body.
    pub next: Slice,
}

impl Targets {
    /// Those within a region of an instruction; `body` is the parameters of a loop's first region, for its second.
    pub(super) fn within(self, op: Op, results: Slice, body: Slice) -> Self {
        match op {
            Op::Loop => Self { yields: Slice::default(), breaks: results, next: body },
            _ => Self { yields: results, breaks: self.breaks, next: Slice::default() },
        }
    }

    /// The locals that the operands of a terminator go to. What `continue` and `fallthrough` lead to stands behind them
    /// in the text, so it implies nothing.
    pub(super) fn of(self, op: Op) -> Slice {
        match op {
            Op::Yield => self.yields,
            Op::Break => self.breaks,
            Op::Next => self.next,
            _ => Slice::default(),
        }
    }
}

/// The kind of a number without a suffix: that of its place if it has the same form, else the default.
pub(super) fn implied(context: Option<Scalar>, float_form: bool) -> Scalar {
    match context {
        Some(kind) if float_form && kind.is_float() => kind,
        Some(kind) if !float_form && kind.is_integer() => kind,
        _ if float_form => Scalar::F32,
        _ => Scalar::I32,
    }
}
