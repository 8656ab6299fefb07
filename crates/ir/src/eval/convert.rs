//! `convert`: from one scalar kind to another.

use super::half::{f16_from_f64, f16_to_f64};
use crate::types::Scalar;

/// A number on its way from one kind to another. Each variant holds its source exactly.
enum Number {
    Float(f64),
    Signed(i64),
    Unsigned(u64),
}

/// The value as another kind, as the row of `convert` in the op table says.
pub fn convert(from: Scalar, to: Scalar, bits: u64) -> u64 {
    if from == to {
        return bits;
    }
    let number = match from {
        Scalar::Bool | Scalar::U16 | Scalar::U32 | Scalar::U64 => Number::Unsigned(bits),
        Scalar::I16 => Number::Signed(i64::from(bits as i16)),
        Scalar::I32 => Number::Signed(i64::from(bits as i32)),
        Scalar::I64 => Number::Signed(bits as i64),
        Scalar::F16 => Number::Float(f16_to_f64(bits as u16)),
        Scalar::F32 => Number::Float(f64::from(f32::from_bits(bits as u32))),
        Scalar::F64 => Number::Float(f64::from_bits(bits)),
    };
    match number {
        Number::Float(x) => from_float(to, x),
        Number::Signed(x) => from_integer(to, x as u64, x as f64, x as f32),
        Number::Unsigned(x) => from_integer(to, x, x as f64, x as f32),
    }
}

/// Casts saturate, and give 0 for NaN.
fn from_float(to: Scalar, x: f64) -> u64 {
    match to {
        Scalar::Bool => u64::from(x != 0.0),
        Scalar::I16 => u64::from(x as i16 as u16),
        Scalar::U16 => u64::from(x as u16),
        Scalar::I32 => u64::from(x as i32 as u32),
        Scalar::U32 => u64::from(x as u32),
        Scalar::I64 => x as i64 as u64,
        Scalar::U64 => x as u64,
        Scalar::F16 => u64::from(f16_from_f64(x)),
        Scalar::F32 if x.is_nan() => 0x7FC0_0000,
        Scalar::F32 => u64::from((x as f32).to_bits()),
        Scalar::F64 if x.is_nan() => 0x7FF8_0000_0000_0000,
        Scalar::F64 => x.to_bits(),
    }
}

/// `x` is the integer, sign-extended; `wide` and `single` are its value, rounded.
fn from_integer(to: Scalar, x: u64, wide: f64, single: f32) -> u64 {
    match to {
        Scalar::Bool => u64::from(x != 0),
        Scalar::I16 | Scalar::U16 => x & 0xFFFF,
        Scalar::I32 | Scalar::U32 => x & 0xFFFF_FFFF,
        Scalar::I64 | Scalar::U64 => x,
        // Integers that 64 bits do not hold exactly are far beyond the range of binary16.
        Scalar::F16 => u64::from(f16_from_f64(wide)),
        Scalar::F32 => u64::from(single.to_bits()),
        Scalar::F64 => wide.to_bits(),
    }
}
