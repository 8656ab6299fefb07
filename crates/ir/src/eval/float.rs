//! Float operations, lane by lane.

use super::LaneFn;
use super::half::{F16, f16_from_f64, power_of_two};
use crate::op::Op;
use std::ops::{Add, Div, Mul, Rem, Sub};

/// A float kind. The operators round once.
pub(super) trait Float:
    Copy
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
{
    /// The largest finite number.
    const MAX: f64;
    /// The sign bit.
    const SIGN: u64;
    /// The largest value that `fract.d3d9` gives.
    const BELOW_ONE: f64;

    /// From bits.
    fn get(bits: u64) -> Self;
    /// To bits, a NaN to the canonical one.
    fn put(self) -> u64;
    /// Rounds to nearest even.
    fn round(x: f64) -> Self;
    /// The value; exact.
    fn wide(self) -> f64;
    /// `self * b + c` rounded once.
    fn fma(self, b: Self, c: Self) -> Self;
    /// Correctly rounded.
    fn sqrt(self) -> Self;
}

impl Float for f32 {
    const MAX: f64 = f32::MAX as f64;
    const SIGN: u64 = 1 << 31;
    const BELOW_ONE: f64 = 1.0 - power_of_two(-24);

    #[inline]
    fn get(bits: u64) -> Self {
        f32::from_bits(bits as u32)
    }
    #[inline]
    fn put(self) -> u64 {
        if self.is_nan() { 0x7FC0_0000 } else { u64::from(self.to_bits()) }
    }
    #[inline]
    fn round(x: f64) -> Self {
        x as f32
    }
    #[inline]
    fn wide(self) -> f64 {
        f64::from(self)
    }
    #[inline]
    fn fma(self, b: Self, c: Self) -> Self {
        self.mul_add(b, c)
    }
    #[inline]
    fn sqrt(self) -> Self {
        f32::sqrt(self)
    }
}

impl Float for f64 {
    const MAX: f64 = f64::MAX;
    const SIGN: u64 = 1 << 63;
    const BELOW_ONE: f64 = 1.0 - power_of_two(-24);

    #[inline]
    fn get(bits: u64) -> Self {
        f64::from_bits(bits)
    }
    #[inline]
    fn put(self) -> u64 {
        if self.is_nan() { 0x7FF8_0000_0000_0000 } else { self.to_bits() }
    }
    #[inline]
    fn round(x: f64) -> Self {
        x
    }
    #[inline]
    fn wide(self) -> f64 {
        self
    }
    #[inline]
    fn fma(self, b: Self, c: Self) -> Self {
        self.mul_add(b, c)
    }
    #[inline]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
}

impl Float for F16 {
    const MAX: f64 = 65504.0;
    const SIGN: u64 = 1 << 15;
    const BELOW_ONE: f64 = 1.0 - power_of_two(-11);

    #[inline]
    fn get(bits: u64) -> Self {
        F16::from_bits(bits as u16)
    }
    #[inline]
    fn put(self) -> u64 {
        u64::from(f16_from_f64(self.value()))
    }
    #[inline]
    fn round(x: f64) -> Self {
        F16::round(x)
    }
    #[inline]
    fn wide(self) -> f64 {
        self.value()
    }
    #[inline]
    fn fma(self, b: Self, c: Self) -> Self {
        // The product is exact, and where the sum is not, what is lost is far below half a unit of binary16.
        F16::round(self.value() * b.value() + c.value())
    }
    #[inline]
    fn sqrt(self) -> Self {
        F16::round(self.value().sqrt())
    }
}

/// The number in the kind.
#[inline]
fn num<T: Float>(x: f64) -> T {
    T::round(x)
}

#[inline]
fn is_nan<T: Float>(x: T) -> bool {
    x.wide().is_nan()
}

#[inline]
fn fmin<T: Float>(a: T, b: T) -> T {
    let first = a < b || is_nan(b) || (a == b && a.wide().is_sign_negative());
    if first { a } else { b }
}

#[inline]
fn fmax<T: Float>(a: T, b: T) -> T {
    let first = a > b || is_nan(b) || (a == b && a.wide().is_sign_positive());
    if first { a } else { b }
}

#[inline]
pub(super) fn saturate<T: Float>(x: T) -> T {
    if x > num(0.0) { if x < num(1.0) { x } else { num(1.0) } } else { num(0.0) }
}

#[inline]
pub(super) fn mul_legacy<T: Float>(a: T, b: T) -> T {
    if a == num(0.0) || b == num(0.0) { num(0.0) } else { a * b }
}

#[inline]
pub(super) fn rsqrt<T: Float>(x: T) -> T {
    num(1.0 / x.wide().sqrt())
}

#[inline]
pub(super) fn rsqrt_d3d9<T: Float>(x: T) -> T {
    if x == num(0.0) { num(T::MAX) } else { num(1.0 / x.wide().abs().sqrt()) }
}

/// An overflow to infinity as the largest finite number.
#[inline]
fn finite<T: Float>(x: f64) -> T {
    let rounded: T = num(x);
    if rounded.wide() == f64::INFINITY { num(T::MAX) } else { rounded }
}

/// `pow` of a base that is not negative.
#[inline]
pub(super) fn pow<T: Float>(a: T, b: T) -> T {
    if b == num(0.0) {
        num(1.0)
    } else if a < num(0.0) {
        num(f64::NAN)
    } else {
        num(a.wide().powf(b.wide()))
    }
}

#[inline]
fn pow_d3d9<T: Float>(a: T, b: T) -> T {
    if b == num(0.0) { num(1.0) } else { finite(a.wide().abs().powf(b.wide())) }
}

#[inline]
fn smoothstep<T: Float>(a: T, b: T, x: T) -> T {
    let t = saturate((x - a) / (b - a));
    t * t * (num::<T>(3.0) - num::<T>(2.0) * t)
}

#[inline]
fn fract_d3d9<T: Float>(x: T) -> T {
    let fract = x - num(x.wide().floor());
    if fract > num(T::BELOW_ONE) { num(T::BELOW_ONE) } else { fract }
}

#[inline]
fn sign<T: Float>(x: T, of_nan: f64) -> T {
    num(if x < num(0.0) {
        -1.0
    } else if x == num(0.0) {
        0.0
    } else if x > num(0.0) {
        1.0
    } else {
        of_nan
    })
}

/// `x` times 2 to the `n`, rounded once.
pub(super) fn ldexp<T: Float>(x: T, n: i32) -> T {
    if T::SIGN != <f64 as Float>::SIGN {
        // 400 reaches from the least to beyond the largest number of the narrow kinds, and is exact in 64 bits.
        return num(x.wide() * power_of_two(n.clamp(-400, 400)));
    }
    // Down in steps that leave the result normal until the last, so that only the last one rounds.
    let (mut x, mut n) = (x.wide(), n.clamp(-5000, 5000));
    while n > 1023 {
        x *= power_of_two(1023);
        n -= 1023;
    }
    while n < -1022 {
        x *= power_of_two(-1022 + 53);
        n += 1022 - 53;
    }
    num(x * power_of_two(n))
}

/// Fraction and exponent.
pub(super) fn frexp<T: Float>(x: T) -> (T, i32) {
    let wide = x.wide();
    if wide == 0.0 || !wide.is_finite() {
        return (x, 0);
    }
    let (scaled, below) = if wide.abs() < f64::MIN_POSITIVE { (wide * power_of_two(64), 64) } else { (wide, 0) };
    let bits = scaled.to_bits();
    let exponent = (bits >> 52 & 0x7FF) as i32 - 1022;
    (num(f64::from_bits(bits & !(0x7FF << 52) | 1022 << 52)), exponent - below)
}

/// Fraction and whole part.
pub(super) fn modf<T: Float>(x: T) -> (T, T) {
    let wide = x.wide();
    let whole = wide.trunc();
    let fraction = if wide.is_infinite() { 0.0 } else { wide - whole };
    (num(fraction.copysign(wide)), num(whole))
}

macro_rules! f1 {
    ($T:ident, |$a:ident| $body:expr) => {
        |a, _, _| {
            let $a = $T::get(a);
            $T::put($body)
        }
    };
}

/// A function of 64-bit floats, rounded.
macro_rules! wide {
    ($T:ident, $f:expr) => {
        |a, _, _| $T::put($T::round($f($T::get(a).wide())))
    };
}

macro_rules! f2 {
    ($T:ident, |$a:ident, $b:ident| $body:expr) => {
        |a, b, _| {
            let ($a, $b) = ($T::get(a), $T::get(b));
            $T::put($body)
        }
    };
}

macro_rules! f3 {
    ($T:ident, |$a:ident, $b:ident, $c:ident| $body:expr) => {
        |a, b, c| {
            let ($a, $b, $c) = ($T::get(a), $T::get(b), $T::get(c));
            $T::put($body)
        }
    };
}

macro_rules! test {
    ($T:ident, |$a:ident, $b:ident| $body:expr) => {
        |a, b, _| {
            let ($a, $b) = ($T::get(a), $T::get(b));
            u64::from($body)
        }
    };
}

/// The lane function of a float operation.
pub(super) fn lane<T: Float>(op: Op) -> Option<LaneFn> {
    let f: LaneFn = match op {
        Op::FAdd => f2!(T, |a, b| a + b),
        Op::FSub => f2!(T, |a, b| a - b),
        Op::FMul => f2!(T, |a, b| a * b),
        Op::FDiv => f2!(T, |a, b| a / b),
        Op::FRem => f2!(T, |a, b| a % b),
        Op::FNeg => |a, _, _| a ^ T::SIGN,
        Op::FAbs => |a, _, _| a & !T::SIGN,
        Op::Fma => f3!(T, |a, b, c| a.fma(b, c)),
        Op::FMin => f2!(T, |a, b| fmin(a, b)),
        Op::FMax => f2!(T, |a, b| fmax(a, b)),
        Op::FClamp => f3!(T, |x, low, high| fmin(fmax(x, low), high)),
        Op::FSaturate => f1!(T, |x| saturate(x)),
        Op::Floor => wide!(T, f64::floor),
        Op::Ceil => wide!(T, f64::ceil),
        Op::Round => wide!(T, f64::round_ties_even),
        Op::Trunc => wide!(T, f64::trunc),
        Op::Fract => f1!(T, |x| x - num(x.wide().floor())),
        Op::Sqrt => f1!(T, |x| x.sqrt()),
        Op::RSqrt => f1!(T, |x| rsqrt(x)),
        Op::Rcp => f1!(T, |x| num::<T>(1.0) / x),
        Op::Exp2 => wide!(T, f64::exp2),
        Op::Log2 => wide!(T, f64::log2),
        Op::Exp => wide!(T, f64::exp),
        Op::Log => wide!(T, f64::ln),
        Op::Pow => f2!(T, |a, b| pow(a, b)),
        Op::Sin => wide!(T, f64::sin),
        Op::Cos => wide!(T, f64::cos),
        Op::Tan => wide!(T, f64::tan),
        Op::Asin => wide!(T, f64::asin),
        Op::Acos => wide!(T, f64::acos),
        Op::Atan => wide!(T, f64::atan),
        Op::Atan2 => f2!(T, |a, b| num(a.wide().atan2(b.wide()))),
        Op::Sinh => wide!(T, f64::sinh),
        Op::Cosh => wide!(T, f64::cosh),
        Op::Tanh => wide!(T, f64::tanh),
        Op::FSign => f1!(T, |x| sign(x, 0.0)),
        Op::Step => f2!(T, |edge, x| num(if x < edge { 0.0 } else { 1.0 })),
        Op::Smoothstep => f3!(T, |a, b, x| smoothstep(a, b, x)),
        Op::Mix => f3!(T, |a, b, t| a + t * (b - a)),
        Op::FMulLegacy => f2!(T, |a, b| mul_legacy(a, b)),
        Op::FmaLegacy => f3!(T, |a, b, c| mul_legacy(a, b) + c),
        Op::LrpLegacy => f3!(T, |a, b, c| c + mul_legacy(a, b - c)),
        Op::RcpD3d9 => f1!(T, |x| if x == num(0.0) { num(T::MAX) } else { num::<T>(1.0) / x }),
        Op::RSqrtD3d9 => f1!(T, |x| rsqrt_d3d9(x)),
        Op::Exp2D3d9 => f1!(T, |x| finite(x.wide().exp2())),
        Op::Log2D3d9 => f1!(T, |x| if x == num(0.0) { num(-T::MAX) } else { num(x.wide().abs().log2()) }),
        Op::PowD3d9 => f2!(T, |a, b| pow_d3d9(a, b)),
        Op::FractD3d9 => f1!(T, |x| fract_d3d9(x)),
        Op::MinD3d9 => f2!(T, |a, b| if a < b { a } else { b }),
        Op::MaxD3d9 => f2!(T, |a, b| if a >= b { a } else { b }),
        Op::SgnD3d9 => f1!(T, |x| sign(x, 1.0)),
        Op::FEq => test!(T, |a, b| a == b),
        Op::FNe => test!(T, |a, b| a != b),
        Op::FLt => test!(T, |a, b| a < b),
        Op::FLe => test!(T, |a, b| a <= b),
        Op::FGt => test!(T, |a, b| a > b),
        Op::FGe => test!(T, |a, b| a >= b),
        Op::IsNan => |a, _, _| u64::from(T::get(a).wide().is_nan()),
        Op::IsInf => |a, _, _| u64::from(T::get(a).wide().is_infinite()),
        Op::IsFinite => |a, _, _| u64::from(T::get(a).wide().is_finite()),
        _ => return None,
    };
    Some(f)
}
