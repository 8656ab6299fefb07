//! Integer and bool operations, lane by lane.

use super::LaneFn;
use crate::op::Op;

/// An integer kind.
pub(super) trait Int: Copy + Ord {
    /// Width in bits.
    const BITS: u32;
    /// From bits.
    fn get(bits: u64) -> Self;
    /// To bits, zero-extended.
    fn put(self) -> u64;
    /// The value.
    fn wide(self) -> i128;
    /// The low bits of a value.
    fn wrap(value: i128) -> Self;
}

macro_rules! ints {
    ($($signed:ident $unsigned:ident;)*) => {
        $(
            impl Int for $signed {
                const BITS: u32 = $signed::BITS;
                #[inline]
                fn get(bits: u64) -> Self {
                    bits as $signed
                }
                #[inline]
                fn put(self) -> u64 {
                    u64::from(self as $unsigned)
                }
                #[inline]
                fn wide(self) -> i128 {
                    i128::from(self)
                }
                #[inline]
                fn wrap(value: i128) -> Self {
                    value as $signed
                }
            }
        )*
    };
}

ints! {
    i16 u16;
    i32 u32;
    i64 u64;
    u16 u16;
    u32 u32;
    u64 u64;
}

macro_rules! i2 {
    ($T:ident, |$a:ident, $b:ident| $body:expr) => {
        |a, b, _| {
            let ($a, $b) = ($T::get(a), $T::get(b));
            $T::put($body)
        }
    };
}

macro_rules! wide {
    ($T:ident, |$a:ident, $b:ident| $body:expr) => {
        |a, b, _| {
            let ($a, $b) = ($T::get(a).wide(), $T::get(b).wide());
            $T::put($T::wrap($body))
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

/// All ones in the width.
#[inline]
fn ones<T: Int>() -> u64 {
    u64::MAX >> (64 - T::BITS)
}

/// The number of the highest one bit, or all ones.
#[inline]
fn highest<T: Int>(bits: u64) -> u64 {
    if bits == 0 { ones::<T>() } else { u64::from(63 - bits.leading_zeros()) }
}

/// Operations whose meaning does not depend on more than the width and signedness of the type.
pub(super) fn lane<T: Int>(op: Op) -> Option<LaneFn> {
    let f: LaneFn = match op {
        // The low bits of these do not depend on signedness, so that 64 bits are enough.
        Op::IAdd => |a, b, _| a.wrapping_add(b) & ones::<T>(),
        Op::ISub => |a, b, _| a.wrapping_sub(b) & ones::<T>(),
        Op::IMul => |a, b, _| a.wrapping_mul(b) & ones::<T>(),
        Op::INeg => |a, _, _| a.wrapping_neg() & ones::<T>(),
        Op::IMulHi => {
            |a, b, _| {
                if T::BITS == 64 && T::wrap(-1).wide() > 0 {
                    // The product of two unsigned 64-bit numbers does not fit a signed 128-bit one.
                    return ((u128::from(a) * u128::from(b)) >> 64) as u64;
                }
                T::put(T::wrap((T::get(a).wide() * T::get(b).wide()) >> T::BITS))
            }
        }
        Op::IDiv => wide!(T, |a, b| if b == 0 { -1 } else { a / b }),
        Op::IRem => wide!(T, |a, b| if b == 0 { -1 } else { a % b }),
        Op::IMin => i2!(T, |a, b| a.min(b)),
        Op::IMax => i2!(T, |a, b| a.max(b)),
        Op::IClamp => |x, low, high| T::put(T::get(x).max(T::get(low)).min(T::get(high))),
        Op::And => |a, b, _| a & b,
        Op::Or => |a, b, _| a | b,
        Op::Xor => |a, b, _| a ^ b,
        Op::Not => |a, _, _| !a & ones::<T>(),
        Op::Shl => |a, b, _| a << (b & u64::from(T::BITS - 1)) & ones::<T>(),
        Op::Shr => |a, b, _| T::put(T::wrap(T::get(a).wide() >> (b & u64::from(T::BITS - 1)))),
        Op::PopCount => |a, _, _| u64::from(a.count_ones()),
        Op::FirstLow => |a, _, _| if a == 0 { ones::<T>() } else { u64::from(a.trailing_zeros()) },
        Op::FirstHigh => |a, _, _| highest::<T>(if T::get(a).wide() < 0 { !a & ones::<T>() } else { a }),
        Op::Reverse => |a, _, _| a.reverse_bits() >> (64 - T::BITS),
        Op::IEq => |a, b, _| u64::from(a == b),
        Op::INe => |a, b, _| u64::from(a != b),
        Op::ILt => test!(T, |a, b| a < b),
        Op::ILe => test!(T, |a, b| a <= b),
        Op::IGt => test!(T, |a, b| a > b),
        Op::IGe => test!(T, |a, b| a >= b),
        _ => return None,
    };
    Some(f)
}

/// As [`lane`], with the operations of signed types only.
pub(super) fn signed_lane<T: Int>(op: Op) -> Option<LaneFn> {
    match op {
        Op::IAbs => Some(|a, _, _| T::put(T::wrap(T::get(a).wide().abs()))),
        Op::ISign => Some(|a, _, _| T::put(T::wrap(T::get(a).wide().signum()))),
        _ => lane::<T>(op),
    }
}

/// The operations of bool.
pub(super) fn bool_lane(op: Op) -> Option<LaneFn> {
    let f: LaneFn = match op {
        Op::And => |a, b, _| a & b,
        Op::Or => |a, b, _| a | b,
        Op::Xor | Op::INe => |a, b, _| a ^ b,
        Op::Not => |a, _, _| a ^ 1,
        Op::IEq => |a, b, _| a ^ b ^ 1,
        _ => return None,
    };
    Some(f)
}

/// `count` bits of `base` from `offset` on, sign-extended where `signed`.
pub(super) fn bits_extract(width: u32, signed: bool, base: u64, offset: u64, count: u64) -> u64 {
    let (offset, count) = clamp_field(width, offset, count);
    if count == 0 {
        return 0;
    }
    let ones = u64::MAX >> (64 - width);
    let top = base << (64 - offset - count);
    let field = if signed { (top as i64 >> (64 - count)) as u64 } else { top >> (64 - count) };
    field & ones
}

/// `base` with `count` bits from `offset` on replaced by the low bits of `insert`.
pub(super) fn bits_insert(width: u32, base: u64, insert: u64, offset: u64, count: u64) -> u64 {
    let (offset, count) = clamp_field(width, offset, count);
    if count == 0 {
        return base;
    }
    let mask = u64::MAX >> (64 - count) << offset;
    base & !mask | insert << offset & mask
}

fn clamp_field(width: u32, offset: u64, count: u64) -> (u32, u32) {
    let offset = offset.min(u64::from(width)) as u32;
    (offset, count.min(u64::from(width - offset)) as u32)
}
