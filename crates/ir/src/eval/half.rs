//! binary16: conversion, and arithmetic in 64 bits with one rounding.
//!
//! 53 bits are enough that rounding a sum, product, quotient, root or fused product-sum of binary16 numbers first to 64
//! and then to 16 bits gives what one rounding would give.

use std::ops::{Add, Div, Mul, Rem, Sub};

/// The nearest binary16, ties to even; beyond the range infinity; every NaN becomes `0x7E00`.
pub fn f16_from_f64(x: f64) -> u16 {
    if x.is_nan() {
        return 0x7E00;
    }
    let sign = if x.is_sign_negative() { 0x8000 } else { 0 };
    let abs = x.abs();
    // 65520 is half way between the largest binary16 and the next that would follow.
    if abs >= 65520.0 {
        return sign | 0x7C00;
    }
    let exponent = ((abs.to_bits() >> 52) as i32 - 1023).max(-14);
    // Units in the last place: 0 to 1024 for a subnormal, 1024 to 2048 else. A carry runs into the exponent as it should.
    let units = (abs * power_of_two(10 - exponent)).round_ties_even() as u16;
    sign | ((((exponent + 14) as u16) << 10) + units)
}

/// The value of a binary16.
pub fn f16_to_f64(bits: u16) -> f64 {
    let exponent = i32::from(bits >> 10 & 31);
    let fraction = f64::from(bits & 1023);
    let abs = match exponent {
        0 => fraction * power_of_two(-24),
        31 if bits & 1023 == 0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + fraction) * power_of_two(exponent - 25),
    };
    if bits & 0x8000 == 0 { abs } else { -abs }
}

/// Exactly 2^n for the normal range of binary64, -1022 to 1023.
pub(super) const fn power_of_two(n: i32) -> f64 {
    f64::from_bits(((1023 + n) as u64) << 52)
}

/// A binary16 number, held as the binary64 of the same value.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub(super) struct F16(f64);

impl F16 {
    /// The number of those bits.
    #[inline]
    pub(super) fn from_bits(bits: u16) -> Self {
        F16(f16_to_f64(bits))
    }

    /// Rounds.
    #[inline]
    pub(super) fn round(x: f64) -> Self {
        F16(f16_to_f64(f16_from_f64(x)))
    }

    /// The value.
    #[inline]
    pub(super) fn value(self) -> f64 {
        self.0
    }
}

macro_rules! arithmetic {
    ($($trait:ident $method:ident;)*) => {
        $(impl $trait for F16 {
            type Output = F16;
            #[inline]
            fn $method(self, other: F16) -> F16 {
                F16::round(self.0.$method(other.0))
            }
        })*
    };
}

arithmetic! {
    Add add;
    Sub sub;
    Mul mul;
    Div div;
    Rem rem;
}
