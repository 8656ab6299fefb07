//! Numbers: bits to text and back, so that every bit pattern survives.

use crate::eval::{f16_from_f64, f16_to_f64};
use crate::types::Scalar;
use std::fmt::Write;

/// Writes a number of the kind. Floats always have a point, an exponent, or are `inf`, `-inf`, `nan(bits)`.
pub(super) fn write(out: &mut String, kind: Scalar, bits: u64) {
    let _ = match kind {
        Scalar::Bool => out.write_str(if bits & 1 != 0 { "true" } else { "false" }),
        Scalar::I16 => write!(out, "{}", bits as i16),
        Scalar::I32 => write!(out, "{}", bits as i32),
        Scalar::I64 => write!(out, "{}", bits as i64),
        Scalar::U16 => write!(out, "{}", bits as u16),
        Scalar::U32 => write!(out, "{}", bits as u32),
        Scalar::U64 => write!(out, "{bits}"),
        Scalar::F16 => float(out, f16_to_f64(bits as u16), bits & 0xFFFF, |out, v| write!(out, "{:?}", v as f32)),
        Scalar::F32 => float(out, f64::from(f32::from_bits(bits as u32)), bits & 0xFFFF_FFFF, |out, _| {
            write!(out, "{:?}", f32::from_bits(bits as u32))
        }),
        Scalar::F64 => float(out, f64::from_bits(bits), bits, |out, v| write!(out, "{v:?}")),
    };
}

fn float(
    out: &mut String,
    value: f64,
    bits: u64,
    finite: impl FnOnce(&mut String, f64) -> std::fmt::Result,
) -> std::fmt::Result {
    if value.is_nan() {
        write!(out, "nan({bits:#x})")
    } else if value.is_infinite() {
        out.write_str(if value < 0.0 { "-inf" } else { "inf" })
    } else {
        finite(out, value)
    }
}

/// The bits of an infinity of a float kind.
pub(super) const fn infinity(kind: Scalar, negative: bool) -> u64 {
    let (bits, sign) = match kind {
        Scalar::F16 => (0x7C00, 0x8000),
        Scalar::F32 => (0x7F80_0000, 0x8000_0000),
        _ => (0x7FF0_0000_0000_0000, 0x8000_0000_0000_0000),
    };
    if negative { bits | sign } else { bits }
}

/// Whether the bits are a NaN of a float kind.
pub(super) const fn is_nan(kind: Scalar, bits: u64) -> bool {
    let fits = kind.bits() == 64 || bits >> kind.bits() == 0;
    fits && bits & ((1 << (kind.bits() - 1)) - 1) > infinity(kind, false)
}

/// The bits of a decimal number of a float kind, to nearest even; `None` if it is no number.
pub(super) fn parse_float(kind: Scalar, text: &str) -> Option<u64> {
    let decimal = text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.' | b'e' | b'E'));
    if !decimal {
        return None;
    }
    match kind {
        Scalar::F16 => text.parse::<f64>().ok().map(|v| u64::from(f16_from_f64(v))),
        Scalar::F32 => text.parse::<f32>().ok().map(|v| u64::from(v.to_bits())),
        Scalar::F64 => text.parse::<f64>().ok().map(f64::to_bits),
        _ => None,
    }
}

/// An integer, decimal or `0x…`, with its sign; `None` if it is none or passes 64 bits.
pub(super) fn parse_integer(text: &str) -> Option<i128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let value = match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok()?,
        None => digits.parse::<u64>().ok()?,
    };
    if digits.starts_with('+') {
        return None;
    }
    Some(if negative { -i128::from(value) } else { i128::from(value) })
}

/// The bits of an integer as a kind, if it lies in the kind's range.
pub(super) fn integer_bits(kind: Scalar, value: i128) -> Option<u64> {
    let bits = kind.bits();
    let range = if kind.is_signed() { -(1i128 << (bits - 1))..1i128 << (bits - 1) } else { 0..1i128 << bits };
    range.contains(&value).then(|| crate::constants::mask(kind, value as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_survives() {
        for bits in 0..=u16::MAX {
            let mut text = String::new();
            write(&mut text, Scalar::F16, u64::from(bits));
            let back = match text.as_str() {
                "inf" => infinity(Scalar::F16, false),
                "-inf" => infinity(Scalar::F16, true),
                other => match other.strip_prefix("nan(0x") {
                    Some(hex) => u64::from_str_radix(hex.trim_end_matches(')'), 16).unwrap(),
                    None => parse_float(Scalar::F16, other).unwrap(),
                },
            };
            assert_eq!(back, u64::from(bits), "{text}");
        }
    }

    #[test]
    fn nans_are_told_from_numbers() {
        assert!(is_nan(Scalar::F32, 0x7FC0_0001) && is_nan(Scalar::F32, 0xFF80_0001));
        assert!(!is_nan(Scalar::F32, 0x7F80_0000) && !is_nan(Scalar::F32, 0xFF80_0000));
        assert!(is_nan(Scalar::F16, 0x7C01) && is_nan(Scalar::F16, 0xFFFF) && !is_nan(Scalar::F16, 0x1_7C01));
        assert!(is_nan(Scalar::F64, u64::MAX) && !is_nan(Scalar::F64, 0xFFF0_0000_0000_0000));
    }

    #[test]
    fn integers_keep_to_their_range() {
        assert_eq!(integer_bits(Scalar::I32, -1), Some(0xFFFF_FFFF));
        assert_eq!(integer_bits(Scalar::I32, 1 << 31), None);
        assert_eq!(integer_bits(Scalar::U32, -1), None);
        assert_eq!(integer_bits(Scalar::U64, i128::from(u64::MAX)), Some(u64::MAX));
        assert_eq!(parse_integer("0xFFFFFFFFFFFFFFFF"), Some(i128::from(u64::MAX)));
        assert_eq!(parse_integer("-0x10"), Some(-16));
        assert_eq!(parse_integer("12a"), None);
    }
}
