//! The meaning of every pure operation, in code. Constant folding and the interpreter both call this, so a folded value
//! and a computed one cannot differ.
//!
//! Scalars are bit patterns, zero-extended to 64 bits as in [`crate::constants`]. Vectors are their lanes, matrices all
//! their scalars in row order.
//!
//! | function | for |
//! |---|---|
//! | [`lane_fn`] | operations that work lane by lane: look the function up once, call it often |
//! | [`convert`] | `convert`, one scalar |
//! | [`eval`] | any pure operation on scalars, vectors and matrices |
//! | [`flush`] | what a module that flushes denormals does to operands and results |
//!
//! What the words of the op table leave open is settled here, and means the same on every host:
//!
//! - A NaN that an operation computes is the positive quiet NaN without payload. `fneg`, `fabs`, `select`, `bitcast` and
//!   whatever only moves values keep every bit.
//! - f16 is computed in 64 bits and rounded once for each operation that the table rounds. Transcendental functions of f16
//!   and f32 are the host's 64-bit ones, rounded once.
//! - `pow(x, 0)` is 1 for every x, those below zero included; otherwise `pow` is IEEE 754's where the base is not negative.
//! - Normalised integers are packed with ties to even.
//! - `bits.extract` and `bits.insert` clamp the offset to the width, then the count to what is left above the offset.

mod convert;
mod float;
mod half;
mod integer;
#[cfg(test)]
mod tests;
mod vector;

pub use convert::convert;
pub use half::{f16_from_f64, f16_to_f64};
pub use vector::{Operand, Shape, eval};

use crate::op::Op;
use crate::types::Scalar;

/// A lane of an operation: up to three operands, those that it does not take are ignored.
pub type LaneFn = fn(u64, u64, u64) -> u64;

/// The meaning of an operation that works lane by lane, for operands of the kind: all of the rules
/// [`Same`](crate::Rule::Same), [`Compare`](crate::Rule::Compare) and [`Test`](crate::Rule::Test) except `normalize`,
/// `reflect`, `faceforward` and `nrm.d3d9`, whose lanes depend on each other. Comparisons and tests give 0 or 1.
///
/// `None` for other operations, and for kinds that the operation does not take.
pub fn lane_fn(op: Op, kind: Scalar) -> Option<LaneFn> {
    match kind {
        Scalar::Bool => integer::bool_lane(op),
        Scalar::I16 => integer::signed_lane::<i16>(op),
        Scalar::I32 => integer::signed_lane::<i32>(op),
        Scalar::I64 => integer::signed_lane::<i64>(op),
        Scalar::U16 => integer::lane::<u16>(op),
        Scalar::U32 => integer::lane::<u32>(op),
        Scalar::U64 => integer::lane::<u64>(op),
        Scalar::F16 => float::lane::<half::F16>(op),
        Scalar::F32 => float::lane::<f32>(op),
        Scalar::F64 => float::lane::<f64>(op),
    }
}

/// A denormal of a 32-bit float as the zero of its sign, other kinds and values as they are. A module whose
/// [`Denormals`](crate::Denormals) mode is `Flush` passes float operands and results of arithmetic through this.
#[inline]
pub const fn flush(kind: Scalar, bits: u64) -> u64 {
    if matches!(kind, Scalar::F32) && bits & 0x7F80_0000 == 0 { bits & 0x8000_0000 } else { bits }
}

/// Whether [`flush`] applies to an operation: float arithmetic, not what only moves or reinterprets bits.
pub fn flushes(op: Op) -> bool {
    use crate::op::{Class, Rule};
    match op.row().rule {
        Rule::Same(_, Class::Float) => !matches!(op, Op::FNeg | Op::FAbs),
        Rule::Compare(Class::Float) | Rule::Reduce(Class::Float) | Rule::Length(Class::Float) => true,
        _ => matches!(
            op,
            Op::Ldexp
                | Op::Frexp
                | Op::Modf
                | Op::Cross
                | Op::CrossLegacy
                | Op::Refract
                | Op::LitD3d9
                | Op::DstD3d9
                | Op::Determinant
                | Op::MulMv
                | Op::MulVm
                | Op::MulMm
        ),
    }
}
