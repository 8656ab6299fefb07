//! Values by hand from the op table.

mod d3d9;

use super::*;
use crate::function::Attr;
use crate::op::{Lanes, Rule};
use Scalar::{Bool, F16, F32, F64, I16, I32, I64, U16, U32, U64};

const INF: f32 = f32::INFINITY;
const NAN: f32 = f32::NAN;
const MAX: f32 = f32::MAX;

fn bits(x: f32) -> u64 {
    u64::from(x.to_bits())
}

/// A lane of f32.
fn f(op: Op, operands: &[f32]) -> f32 {
    let at = |i: usize| operands.get(i).map_or(0, |&x| bits(x));
    f32::from_bits(lane_fn(op, F32).unwrap()(at(0), at(1), at(2)) as u32)
}

/// A lane of an integer kind or a comparison.
fn i(op: Op, kind: Scalar, operands: &[i64]) -> u64 {
    let at = |i: usize| operands.get(i).map_or(0, |&x| crate::constants::mask(kind, x as u64));
    lane_fn(op, kind).unwrap()(at(0), at(1), at(2))
}

/// A lane of f16 numbers, given and answered as numbers.
fn h(op: Op, operands: &[f64]) -> f64 {
    let at = |i: usize| operands.get(i).map_or(0, |&x| u64::from(f16_from_f64(x)));
    f16_to_f64(lane_fn(op, F16).unwrap()(at(0), at(1), at(2)) as u16)
}

#[track_caller]
fn same(got: f32, expected: f32) {
    assert!(got.to_bits() == expected.to_bits() || (got.is_nan() && expected.is_nan()), "{got:e} for {expected:e}");
}

#[track_caller]
fn near(got: f32, expected: f32) {
    assert!((got - expected).abs() <= expected.abs() * 1e-6, "{got:e} for {expected:e}");
}

/// A vector operation of f32.
fn v(op: Op, attr: Attr, operands: &[&[f32]], lanes: usize) -> Vec<f32> {
    let held: Vec<Vec<u64>> = operands.iter().map(|o| o.iter().map(|&x| bits(x)).collect()).collect();
    let operands: Vec<_> =
        held.iter().map(|o| Operand { shape: Shape::vector(F32, o.len() as u8), lanes: o }).collect();
    let mut out = vec![0; lanes];
    eval(op, attr, &operands, Shape::vector(F32, lanes as u8), &mut out).unwrap();
    out.iter().map(|&x| f32::from_bits(x as u32)).collect()
}

/// Any operation on bits.
fn e(op: Op, attr: Attr, operands: &[(Shape, &[u64])], result: Shape, lanes: usize) -> Vec<u64> {
    let operands: Vec<_> = operands.iter().map(|&(shape, lanes)| Operand { shape, lanes }).collect();
    let mut out = vec![0; lanes];
    eval(op, attr, &operands, result, &mut out).unwrap();
    out
}

const fn vec(kind: Scalar, lanes: u8) -> Shape {
    Shape::vector(kind, lanes)
}

#[test]
fn every_lane_wise_row_has_a_function_for_each_kind_of_its_class_and_for_no_other() {
    let vectors = [Op::Normalize, Op::Reflect, Op::FaceForward, Op::NrmD3d9];
    for &op in Op::ALL {
        let class = match op.row().rule {
            Rule::Same(_, class) | Rule::Compare(class) | Rule::Test(class) => Some(class),
            _ => None,
        };
        for kind in Scalar::ALL {
            let quad = matches!(op, Op::Ddx | Op::Ddy);
            let expected = class.is_some_and(|class| class.admits(kind)) && !vectors.contains(&op) && !quad;
            // Integer kinds share a table: signedness is the verifier's matter.
            if lane_fn(op, kind).is_some() != expected {
                panic!("{op:?} {kind:?}: expected {expected}");
            }
        }
    }
}

#[test]
fn float_arithmetic_rounds_once() {
    same(f(Op::FAdd, &[1.0, 2.0_f32.powi(-24)]), 1.0);
    same(f(Op::FAdd, &[1.0, 3.0 * 2.0_f32.powi(-25)]), 1.0 + f32::EPSILON);
    same(f(Op::FSub, &[INF, INF]), NAN);
    same(f(Op::FMul, &[0.0, INF]), NAN);
    same(f(Op::FDiv, &[-1.0, 0.0]), -INF);
    // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24: the last part survives only without the rounding in the middle.
    let x = 1.0 + 2.0_f32.powi(-12);
    same(f(Op::Fma, &[x, x, -(1.0 + 2.0_f32.powi(-11))]), 2.0_f32.powi(-24));
    same(f(Op::FRem, &[-5.5, 2.0]), -1.5);
    same(f(Op::FRem, &[5.5, -2.0]), 1.5);
    same(f(Op::FRem, &[1.0, 0.0]), NAN);
    same(f(Op::FRem, &[1.0, INF]), 1.0);
}

#[test]
fn a_computed_nan_is_canonical_and_a_moved_one_keeps_its_bits() {
    let odd = 0xFFC0_1234;
    assert_eq!(lane_fn(Op::FAdd, F32).unwrap()(odd, 0, 0), 0x7FC0_0000);
    assert_eq!(lane_fn(Op::FNeg, F32).unwrap()(odd, 0, 0), 0x7FC0_1234);
    assert_eq!(lane_fn(Op::FAbs, F32).unwrap()(odd, 0, 0), 0x7FC0_1234);
    assert_eq!(lane_fn(Op::FNeg, F32).unwrap()(0, 0, 0), 0x8000_0000);
}

#[test]
fn minimum_and_maximum_order_zeros_and_pass_over_nan() {
    for (a, b, min, max) in [
        (1.0, 2.0, 1.0, 2.0),
        (NAN, 2.0, 2.0, 2.0),
        (2.0, NAN, 2.0, 2.0),
        (0.0, -0.0, -0.0, 0.0),
        (-0.0, 0.0, -0.0, 0.0),
    ] {
        same(f(Op::FMin, &[a, b]), min);
        same(f(Op::FMax, &[a, b]), max);
    }
    same(f(Op::FMin, &[NAN, NAN]), NAN);
    same(f(Op::FClamp, &[NAN, 2.0, 3.0]), 2.0);
    same(f(Op::FClamp, &[5.0, 2.0, 3.0]), 3.0);
    for (x, y) in [(NAN, 0.0), (-INF, 0.0), (INF, 1.0), (0.25, 0.25), (-3.0, 0.0), (4.0, 1.0), (-0.5, 0.0)] {
        same(f(Op::FSaturate, &[x]), y);
    }
}

#[test]
fn rounding_goes_where_the_table_says() {
    same(f(Op::Round, &[0.5]), 0.0);
    same(f(Op::Round, &[1.5]), 2.0);
    same(f(Op::Round, &[-2.5]), -2.0);
    same(f(Op::Floor, &[-0.5]), -1.0);
    same(f(Op::Ceil, &[-0.5]), -0.0);
    same(f(Op::Trunc, &[-1.75]), -1.0);
    same(f(Op::Fract, &[-1.75]), 0.25);
    same(f(Op::Fract, &[-1e-10]), 1.0);
    same(f(Op::Fract, &[INF]), NAN);
}

#[test]
fn roots_powers_and_logarithms_at_their_edges() {
    same(f(Op::Sqrt, &[-1.0]), NAN);
    same(f(Op::Sqrt, &[-0.0]), -0.0);
    same(f(Op::RSqrt, &[0.0]), INF);
    same(f(Op::RSqrt, &[-0.0]), -INF);
    same(f(Op::RSqrt, &[-4.0]), NAN);
    same(f(Op::RSqrt, &[4.0]), 0.5);
    same(f(Op::Rcp, &[-0.0]), -INF);
    same(f(Op::Exp2, &[10.0]), 1024.0);
    same(f(Op::Exp2, &[128.0]), INF);
    same(f(Op::Log2, &[0.0]), -INF);
    same(f(Op::Log2, &[-1.0]), NAN);
    same(f(Op::Log, &[1.0]), 0.0);
    same(f(Op::Exp, &[0.0]), 1.0);
    same(f(Op::Pow, &[-2.0, 2.0]), NAN);
    same(f(Op::Pow, &[0.0, 0.0]), 1.0);
    same(f(Op::Pow, &[NAN, 0.0]), 1.0);
    same(f(Op::Pow, &[2.0, 10.0]), 1024.0);
    same(f(Op::Pow, &[0.0, -1.0]), INF);
}

#[test]
fn trigonometry_is_the_64_bit_result_rounded() {
    same(f(Op::Sin, &[1.0]), 0.841_470_96);
    same(f(Op::Cos, &[1.0]), 0.540_302_3);
    same(f(Op::Tan, &[1.0]), 1.557_407_7);
    same(f(Op::Sin, &[INF]), NAN);
    same(f(Op::Cos, &[-INF]), NAN);
    same(f(Op::Asin, &[2.0]), NAN);
    same(f(Op::Acos, &[1.0]), 0.0);
    same(f(Op::Atan, &[1.0]), std::f32::consts::FRAC_PI_4);
    same(f(Op::Atan2, &[1.0, -1.0]), 2.356_194_5);
    same(f(Op::Atan2, &[-0.0, -1.0]), -std::f32::consts::PI);
    same(f(Op::Sinh, &[0.0]), 0.0);
    same(f(Op::Cosh, &[0.0]), 1.0);
    same(f(Op::Tanh, &[INF]), 1.0);
}

#[test]
fn sign_step_and_interpolation() {
    for (x, y) in [(-3.0, -1.0), (0.0, 0.0), (-0.0, 0.0), (9.0, 1.0), (NAN, 0.0)] {
        same(f(Op::FSign, &[x]), y);
    }
    same(f(Op::Step, &[1.0, 0.5]), 0.0);
    same(f(Op::Step, &[1.0, 1.0]), 1.0);
    same(f(Op::Step, &[1.0, NAN]), 1.0);
    same(f(Op::Smoothstep, &[0.0, 2.0, 0.5]), 0.156_25);
    same(f(Op::Smoothstep, &[0.0, 2.0, 5.0]), 1.0);
    same(f(Op::Mix, &[1.0, 3.0, 0.25]), 1.5);
}

#[test]
fn half_rounds_to_nearest_even_and_keeps_denormals() {
    for (x, expected) in [
        (0.0, 0),
        (-0.0, 0x8000),
        (1.0, 0x3C00),
        (65504.0, 0x7BFF),
        (65519.9, 0x7BFF),
        (65520.0, 0x7C00),
        (-1e30, 0xFC00),
        (2.0_f64.powi(-24), 1),
        (2.0_f64.powi(-25), 0),
        (3.0 * 2.0_f64.powi(-25), 2),
        (2.0_f64.powi(-14), 0x0400),
        (2047.0 * 2.0_f64.powi(-25), 0x0400),
        (1.0 + 2.0_f64.powi(-11), 0x3C00),
        (1.0 + 3.0 * 2.0_f64.powi(-11), 0x3C02),
        (2.0 - 2.0_f64.powi(-12), 0x4000),
        (f64::NAN, 0x7E00),
    ] {
        assert_eq!(f16_from_f64(x), expected, "{x:e}");
    }
    for bits in (0..=0x7C00).chain(0x8000..=0xFC00) {
        assert_eq!(f16_from_f64(f16_to_f64(bits)), bits);
    }
    assert!(f16_to_f64(0x7C01).is_nan());
    assert_eq!(h(Op::FAdd, &[2048.0, 1.0]), 2048.0);
    assert_eq!(h(Op::FMul, &[300.0, 300.0]), f64::INFINITY);
    assert_eq!(h(Op::FDiv, &[1.0, 3.0]), 0.333_251_953_125);
    assert_eq!(h(Op::Sqrt, &[2.0]), 1.414_062_5);
    // 1 + 2^-10 squared is 1 + 2^-9 + 2^-20; one rounding leaves 2^-20.
    assert_eq!(
        h(Op::Fma, &[1.0 + 2.0_f64.powi(-10), 1.0 + 2.0_f64.powi(-10), -(1.0 + 2.0_f64.powi(-9))]),
        2.0_f64.powi(-20)
    );
    assert_eq!(h(Op::RcpD3d9, &[0.0]), 65504.0);
    assert_eq!(h(Op::FractD3d9, &[-2.0_f64.powi(-20)]), 1.0 - 2.0_f64.powi(-11));
}

#[test]
fn double_is_computed_in_64_bits() {
    let add = lane_fn(Op::FAdd, F64).unwrap();
    assert_eq!(f64::from_bits(add(1.0_f64.to_bits(), 1e-10_f64.to_bits(), 0)), 1.000_000_000_1);
    assert_eq!(f64::from_bits(lane_fn(Op::RcpD3d9, F64).unwrap()(0, 0, 0)), f64::MAX);
}

#[test]
fn integers_wrap() {
    assert_eq!(i(Op::IAdd, I32, &[i64::from(i32::MAX), 1]), 0x8000_0000);
    assert_eq!(i(Op::IAdd, U16, &[0xFFFF, 2]), 1);
    assert_eq!(i(Op::ISub, U64, &[0, 1]), u64::MAX);
    assert_eq!(i(Op::IMul, I32, &[-3, 5]), 0xFFFF_FFF1);
    assert_eq!(i(Op::INeg, I16, &[-32768]), 0x8000);
    assert_eq!(i(Op::IAbs, I32, &[i64::from(i32::MIN)]), 0x8000_0000);
    assert_eq!(i(Op::IAbs, I64, &[-9]), 9);
    assert_eq!(i(Op::ISign, I32, &[-9]), 0xFFFF_FFFF);
    assert_eq!(i(Op::IMulHi, U32, &[0xFFFF_FFFF, 0xFFFF_FFFF]), 0xFFFF_FFFE);
    assert_eq!(i(Op::IMulHi, I32, &[-1, 1]), 0xFFFF_FFFF);
    assert_eq!(i(Op::IMulHi, U64, &[-1, -1]), u64::MAX - 1);
    assert_eq!(i(Op::IMulHi, I64, &[i64::MIN, 2]), u64::MAX);
}

#[test]
fn division_by_zero_gives_all_ones() {
    for kind in [I16, U16, I32, U32, I64, U64] {
        let ones = u64::MAX >> (64 - kind.bits());
        assert_eq!(i(Op::IDiv, kind, &[7, 0]), ones);
        assert_eq!(i(Op::IRem, kind, &[7, 0]), ones);
    }
    assert_eq!(i(Op::IDiv, I32, &[i64::from(i32::MIN), -1]), 0x8000_0000);
    assert_eq!(i(Op::IRem, I32, &[i64::from(i32::MIN), -1]), 0);
    assert_eq!(i(Op::IDiv, I64, &[i64::MIN, -1]), 1 << 63);
    assert_eq!(i(Op::IDiv, I32, &[-7, 2]), (-3_i32) as u32 as u64);
    assert_eq!(i(Op::IRem, I32, &[-7, 2]), (-1_i32) as u32 as u64);
    assert_eq!(i(Op::IDiv, U32, &[-7, 2]), 0x7FFF_FFFC);
}

#[test]
fn shifts_mask_their_count_and_comparisons_know_the_sign() {
    assert_eq!(i(Op::Shl, U32, &[1, 33]), 2);
    assert_eq!(i(Op::Shl, U64, &[1, 63]), 1 << 63);
    assert_eq!(i(Op::Shr, I32, &[-8, 1]), 0xFFFF_FFFC);
    assert_eq!(i(Op::Shr, U32, &[-8, 1]), 0x7FFF_FFFC);
    assert_eq!(i(Op::Shr, I16, &[-32768, 31]), 0xFFFF);
    assert_eq!((i(Op::ILt, I32, &[-1, 1]), i(Op::ILt, U32, &[-1, 1])), (1, 0));
    assert_eq!((i(Op::IMin, I32, &[-1, 1]), i(Op::IMin, U32, &[-1, 1])), (0xFFFF_FFFF, 1));
    assert_eq!((i(Op::IMax, I16, &[-1, 1]), i(Op::IMax, U16, &[-1, 1])), (1, 0xFFFF));
    assert_eq!(i(Op::IClamp, I32, &[-9, -3, 4]), 0xFFFF_FFFD);
    assert_eq!((i(Op::IGe, U32, &[3, 3]), i(Op::IGt, U32, &[3, 3]), i(Op::ILe, U32, &[3, 3])), (1, 0, 1));
    assert_eq!((i(Op::IEq, Bool, &[1, 1]), i(Op::INe, Bool, &[1, 0]), i(Op::IEq, Bool, &[1, 0])), (1, 1, 0));
}

#[test]
fn bits_are_counted_from_the_low_end() {
    assert_eq!(i(Op::Not, Bool, &[1]), 0);
    assert_eq!(i(Op::Not, U16, &[0x00FF]), 0xFF00);
    assert_eq!((i(Op::And, U32, &[12, 10]), i(Op::Or, U32, &[12, 10]), i(Op::Xor, U32, &[12, 10])), (8, 14, 6));
    assert_eq!(i(Op::PopCount, I32, &[-1]), 32);
    assert_eq!((i(Op::FirstLow, U32, &[8]), i(Op::FirstLow, U32, &[0])), (3, 0xFFFF_FFFF));
    assert_eq!((i(Op::FirstHigh, U32, &[9]), i(Op::FirstHigh, U32, &[-1])), (3, 31));
    assert_eq!(
        (i(Op::FirstHigh, I32, &[-1]), i(Op::FirstHigh, I32, &[-5]), i(Op::FirstHigh, I32, &[0])),
        (0xFFFF_FFFF, 2, 0xFFFF_FFFF)
    );
    assert_eq!(i(Op::FirstHigh, U64, &[i64::MIN]), 63);
    assert_eq!((i(Op::Reverse, U32, &[1]), i(Op::Reverse, U16, &[3])), (0x8000_0000, 0xC000));
}

#[test]
fn fields_carries_and_msad4() {
    let u = vec(U32, 1);
    let s = vec(I32, 1);
    let extract = |shape, base, offset, count| {
        e(Op::BitsExtract, Attr::None, &[(shape, &[base]), (u, &[offset]), (u, &[count])], shape, 1)[0]
    };
    assert_eq!(extract(u, 0xABCD, 4, 8), 0xBC);
    assert_eq!(extract(s, 0xABCD, 4, 8), 0xFFFF_FFBC);
    assert_eq!(extract(u, 0xFFFF_FFFF, 28, 9), 0xF);
    assert_eq!(extract(u, 0xFFFF_FFFF, 40, 9), 0);
    assert_eq!(extract(s, 0xFFFF_FFFF, 0, 0), 0);
    assert_eq!(extract(s, 0x8000_0000, 0, 32), 0x8000_0000);
    let insert = |base, insert, offset, count| {
        e(Op::BitsInsert, Attr::None, &[(u, &[base]), (u, &[insert]), (u, &[offset]), (u, &[count])], u, 1)[0]
    };
    assert_eq!(insert(0, 0xFF, 4, 4), 0xF0);
    assert_eq!(insert(0xFFFF_FFFF, 0, 30, 32), 0x3FFF_FFFF);
    assert_eq!(insert(5, 9, 32, 4), 5);
    assert_eq!(e(Op::IAddCarry, Attr::None, &[(u, &[0xFFFF_FFFF]), (u, &[2])], u, 2), [1, 1]);
    assert_eq!(e(Op::IAddCarry, Attr::None, &[(u, &[3]), (u, &[2])], u, 2), [5, 0]);
    assert_eq!(e(Op::ISubBorrow, Attr::None, &[(u, &[1]), (u, &[2])], u, 2), [0xFFFF_FFFF, 1]);
    let pair = vec(U64, 2);
    assert_eq!(e(Op::IAddCarry, Attr::None, &[(pair, &[u64::MAX, 1]), (pair, &[1, 1])], pair, 4), [0, 2, 1, 0]);
    // Reference bytes 1, 0, 3, 4 (the zero does not count); source bytes 1 to 8.
    let (v2, v4) = (vec(U32, 2), vec(U32, 4));
    let got = e(
        Op::Msad4,
        Attr::None,
        &[(u, &[0x0403_0001]), (v2, &[0x0403_0201, 0x0807_0605]), (v4, &[10, 20, 30, 0xFFFF_FFFF])],
        v4,
        4,
    );
    assert_eq!(got, [10, 23, 36, 8]);
}

#[test]
fn conversions_saturate_round_and_wrap() {
    let from = |x: f32, to| convert(F32, to, bits(x));
    assert_eq!(from(-1.9, I32), 0xFFFF_FFFF);
    assert_eq!(from(3e9, I32), 0x7FFF_FFFF);
    assert_eq!(from(-3e9, I32), 0x8000_0000);
    assert_eq!((from(-1.0, U32), from(5e9, U32), from(NAN, U32), from(NAN, I64)), (0, 0xFFFF_FFFF, 0, 0));
    assert_eq!((from(40000.0, I16), from(-INF, I16), from(70000.0, U16)), (0x7FFF, 0x8000, 0xFFFF));
    assert_eq!((from(1e30, U64), from(-1e30, I64)), (u64::MAX, 1 << 63));
    assert_eq!((from(NAN, Bool), from(-0.0, Bool), from(0.5, Bool)), (1, 0, 1));
    assert_eq!(convert(U32, F32, 16_777_217), bits(16_777_216.0));
    assert_eq!(convert(I32, F32, 0xFFFF_FFFF), bits(-1.0));
    // Through 64-bit floats this would round twice, down.
    assert_eq!(convert(U64, F32, (1 << 54) + (1 << 30) + 1), bits(2.0_f32.powi(54) + 2.0_f32.powi(31)));
    assert_eq!(convert(F64, F32, 1e300_f64.to_bits()), bits(INF));
    assert_eq!(convert(F64, F16, (1.0 + 2.0_f64.powi(-11) + 2.0_f64.powi(-40)).to_bits()), 0x3C01);
    assert_eq!(convert(F16, F32, 0xC000), bits(-2.0));
    assert_eq!(convert(I16, I32, 0x8000), 0xFFFF_8000);
    assert_eq!(convert(U16, I64, 0x8000), 0x8000);
    assert_eq!(convert(I64, U16, u64::MAX), 0xFFFF);
    assert_eq!((convert(Bool, F32, 1), convert(Bool, I32, 1), convert(I32, Bool, 4)), (bits(1.0), 1, 1));
}

#[test]
fn values_move() {
    let (v2, v3, v4, one) = (vec(U32, 2), vec(U32, 3), vec(U32, 4), vec(U32, 1));
    let matrix = Shape { kind: U32, rows: 2, columns: 3 };
    let all: &[u64] = &[1, 2, 3, 4, 5, 6];
    assert_eq!(e(Op::Construct, Attr::None, &[(v2, &[1, 2]), (one, &[3]), (one, &[4])], v4, 4), [1, 2, 3, 4]);
    assert_eq!(e(Op::Construct, Attr::None, &[(v3, &[1, 2, 3]), (v3, &[4, 5, 6])], matrix, 6), all);
    assert_eq!(e(Op::Splat, Attr::None, &[(one, &[7])], v3, 3), [7, 7, 7]);
    assert_eq!(e(Op::Extract, Attr::Index(1), &[(matrix, all)], v3, 3), [4, 5, 6]);
    assert_eq!(e(Op::Extract, Attr::Index(1), &[(v2, &[8, 9])], one, 1), [9]);
    assert_eq!(e(Op::Insert, Attr::Index(0), &[(matrix, all), (v3, &[7, 8, 9])], matrix, 6), [7, 8, 9, 4, 5, 6]);
    let dynamic = |index| e(Op::ExtractDyn, Attr::None, &[(v4, &[5, 6, 7, 8]), (one, &[index])], one, 1);
    assert_eq!((dynamic(3), dynamic(4), dynamic(0xFFFF_FFFF)), (vec![8], vec![0], vec![0]));
    let insert = |index| e(Op::InsertDyn, Attr::None, &[(v2, &[5, 6]), (one, &[9]), (one, &[index])], v2, 2);
    assert_eq!((insert(1), insert(2)), (vec![5, 9], vec![5, 6]));
    assert_eq!(e(Op::Shuffle, Attr::Lanes(Lanes::new(&[2, 0])), &[(v3, &[7, 8, 9])], v2, 2), [9, 7]);
    let bools = vec(Bool, 2);
    assert_eq!(e(Op::Select, Attr::None, &[(bools, &[1, 0]), (v2, &[1, 2]), (v2, &[3, 4])], v2, 2), [1, 4]);
    assert_eq!(e(Op::Select, Attr::None, &[(vec(Bool, 1), &[0]), (v2, &[1, 2]), (v2, &[3, 4])], v2, 2), [3, 4]);
    let turned = Shape { kind: U32, rows: 3, columns: 2 };
    assert_eq!(e(Op::Transpose, Attr::None, &[(matrix, all)], turned, 6), [1, 4, 2, 5, 3, 6]);
    assert_eq!(e(Op::Any, Attr::None, &[(bools, &[0, 1])], vec(Bool, 1), 1), [1]);
    assert_eq!(e(Op::All, Attr::None, &[(bools, &[0, 1])], vec(Bool, 1), 1), [0]);
    assert_eq!(
        e(Op::Bitcast, Attr::None, &[(v2, &[0x89AB_CDEF, 0x0123_4567])], vec(F64, 1), 1),
        [0x0123_4567_89AB_CDEF]
    );
    assert_eq!(e(Op::Bitcast, Attr::None, &[(v2, &[0x0002_0001, 0x0004_0003])], vec(U16, 4), 4), [1, 2, 3, 4]);
}

#[test]
fn packing_rounds_to_even_and_unpacking_divides() {
    let pack = |op, lanes: &[f32]| {
        let lanes: Vec<_> = lanes.iter().map(|&x| bits(x)).collect();
        e(op, Attr::None, &[(vec(F32, lanes.len() as u8), &lanes)], vec(U32, 1), 1)[0]
    };
    let unpack = |op, word: u64, lanes: u8| -> Vec<f32> {
        let got = e(op, Attr::None, &[(vec(U32, 1), &[word])], vec(F32, lanes), usize::from(lanes));
        got.into_iter().map(|x| f32::from_bits(x as u32)).collect()
    };
    assert_eq!(pack(Op::PackHalf2x16, &[1.0, -2.0]), 0xC000_3C00);
    assert_eq!(unpack(Op::UnpackHalf2x16, 0xC000_3C00, 2), [1.0, -2.0]);
    assert_eq!(pack(Op::PackUnorm4x8, &[0.0, 1.0, 2.0, 0.5]), 0x80FF_FF00);
    assert_eq!(pack(Op::PackUnorm4x8, &[NAN, -1.0, 0.0, 0.0]), 0);
    assert_eq!(pack(Op::PackSnorm4x8, &[-1.0, 1.0, -9.0, NAN]), 0x0081_7F81);
    assert_eq!(unpack(Op::UnpackSnorm4x8, 0x0081_7F80, 4), [-1.0, 1.0, -1.0, 0.0]);
    assert_eq!(unpack(Op::UnpackUnorm4x8, 0x0000_33FF, 4), [1.0, 0.2, 0.0, 0.0]);
    assert_eq!(pack(Op::PackSnorm2x16, &[-1.0, 1.0]), 0x7FFF_8001);
    assert_eq!(unpack(Op::UnpackSnorm2x16, 0x7FFF_8000, 2), [-1.0, 1.0]);
    assert_eq!(pack(Op::PackUnorm2x16, &[1.0, 0.0]), 0xFFFF);
    assert_eq!(unpack(Op::UnpackUnorm2x16, 0xFFFF, 2), [1.0, 0.0]);
}

#[test]
fn vectors_and_geometry() {
    let n = Attr::None;
    assert_eq!(v(Op::Dot, n, &[&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]], 1), [32.0]);
    // From lane 0 up: 1e8 + 1 loses the 1.
    assert_eq!(v(Op::Dot, n, &[&[1e8, 1.0, -1e8], &[1.0; 3]], 1), [0.0]);
    assert_eq!(v(Op::Length, n, &[&[3.0, 4.0]], 1), [5.0]);
    assert_eq!(v(Op::Distance, n, &[&[4.0, 6.0], &[1.0, 2.0]], 1), [5.0]);
    assert_eq!(v(Op::Normalize, n, &[&[0.0, 0.0, 4.0]], 3), [0.0, 0.0, 1.0]);
    assert_eq!(v(Op::Cross, n, &[&[1.0, 0.0, 0.0], &[0.0, 1.0, 0.0]], 3), [0.0, 0.0, 1.0]);
    assert_eq!(v(Op::CrossLegacy, n, &[&[0.0, 1.0, 2.0], &[INF, 3.0, 5.0]], 3)[0], -1.0);
    assert_eq!(v(Op::Reflect, n, &[&[1.0, -1.0], &[0.0, 1.0]], 2), [1.0, 1.0]);
    assert_eq!(v(Op::Refract, n, &[&[0.0, -1.0], &[0.0, 1.0], &[1.0]], 2), [0.0, -1.0]);
    assert_eq!(v(Op::Refract, n, &[&[1.0, 0.0], &[0.0, 1.0], &[2.0]], 2), [0.0, 0.0]);
    assert_eq!(v(Op::FaceForward, n, &[&[1.0, 2.0], &[0.0, -1.0], &[0.0, 1.0]], 2), [1.0, 2.0]);
    assert_eq!(v(Op::FaceForward, n, &[&[1.0, 2.0], &[0.0, 1.0], &[0.0, 1.0]], 2), [-1.0, -2.0]);
}

#[test]
fn exponents_come_and_go() {
    let (one, int) = (vec(F32, 1), vec(I32, 1));
    let ldexp = |x: f32, n: i32| e(Op::Ldexp, Attr::None, &[(one, &[bits(x)]), (int, &[n as u32 as u64])], one, 1)[0];
    assert_eq!(ldexp(0.75, 3), bits(6.0));
    assert_eq!(ldexp(1.0, i32::MAX), bits(INF));
    assert_eq!(ldexp(1.0, i32::MIN), 0);
    // 3 * 2^-150 is a tie between 2^-149 and 2^-148 and goes to the even one.
    assert_eq!(ldexp(3.0, -150), 2);
    let wide = vec(F64, 1);
    let ldexp =
        |x: f64, n: i32| e(Op::Ldexp, Attr::None, &[(wide, &[x.to_bits()]), (int, &[n as u32 as u64])], wide, 1)[0];
    assert_eq!(ldexp(1.0, -1074), 1);
    assert_eq!(ldexp(f64::from_bits(1), 2000), 2.0_f64.powi(926).to_bits());
    assert_eq!(ldexp(1.0, 1023), 2.0_f64.powi(1023).to_bits());
    let frexp = |x: f32| e(Op::Frexp, Attr::None, &[(one, &[bits(x)])], one, 2);
    assert_eq!(frexp(-6.0), [bits(-0.75), 3]);
    assert_eq!(frexp(f32::from_bits(1)), [bits(0.5), (-148_i32) as u32 as u64]);
    assert_eq!(frexp(-0.0), [bits(-0.0), 0]);
    assert_eq!(frexp(INF), [bits(INF), 0]);
    let modf = |x: f32| e(Op::Modf, Attr::None, &[(one, &[bits(x)])], one, 2);
    assert_eq!(modf(-1.25), [bits(-0.25), bits(-1.0)]);
    assert_eq!(modf(-2.0), [bits(-0.0), bits(-2.0)]);
    assert_eq!(modf(-INF), [bits(-0.0), bits(-INF)]);
}

#[test]
fn matrices_multiply_in_row_order() {
    let m = |rows, columns| Shape { kind: F32, rows, columns };
    let numbers = |all: &[f32]| -> Vec<u64> { all.iter().map(|&x| bits(x)).collect() };
    let (a, b) = (numbers(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), numbers(&[1.0, 0.0, 2.0, 1.0, 0.0, 3.0]));
    let n = Attr::None;
    assert_eq!(
        e(Op::MulMv, n, &[(m(2, 3), &a), (vec(F32, 3), &numbers(&[1.0, 1.0, 2.0]))], vec(F32, 2), 2),
        numbers(&[9.0, 21.0])
    );
    assert_eq!(
        e(Op::MulVm, n, &[(vec(F32, 2), &numbers(&[1.0, 2.0])), (m(2, 3), &a)], vec(F32, 3), 3),
        numbers(&[9.0, 12.0, 15.0])
    );
    // 2x3 times 3x2.
    assert_eq!(e(Op::MulMm, n, &[(m(2, 3), &a), (m(3, 2), &b)], m(2, 2), 4), numbers(&[5.0, 11.0, 14.0, 23.0]));
    assert_eq!(e(Op::FAdd, n, &[(m(2, 3), &a), (m(2, 3), &a)], m(2, 3), 6), numbers(&[2.0, 4.0, 6.0, 8.0, 10.0, 12.0]));
    let determinant = |side, all: &[f32]| e(Op::Determinant, n, &[(m(side, side), &numbers(all))], vec(F32, 1), 1)[0];
    assert_eq!(determinant(2, &[1.0, 2.0, 3.0, 4.0]), bits(-2.0));
    assert_eq!(determinant(3, &[2.0, 0.0, 1.0, 1.0, 3.0, 2.0, 1.0, 1.0, 1.0]), bits(0.0));
    assert_eq!(determinant(3, &[2.0, 0.0, 1.0, 1.0, 3.0, 2.0, 0.0, 1.0, 1.0]), bits(3.0));
    assert_eq!(
        determinant(4, &[2.0, 0.0, 0.0, 1.0, 0.0, 3.0, 0.0, 0.0, 0.0, 0.0, 4.0, 0.0, 1.0, 0.0, 0.0, 1.0]),
        bits(12.0)
    );
}

#[test]
fn operands_that_do_not_fit_give_none() {
    let one = vec(F32, 1);
    let mut out = [0; 4];
    let short = [Operand { shape: vec(F32, 4), lanes: &[0, 0] }];
    assert_eq!(eval(Op::FNeg, Attr::None, &short, vec(F32, 4), &mut out), None);
    assert_eq!(eval(Op::Dot, Attr::None, &[Operand { shape: one, lanes: &[0] }], one, &mut out), None);
    assert_eq!(eval(Op::Load, Attr::None, &[Operand { shape: one, lanes: &[0] }], one, &mut out), None);
    assert_eq!(eval(Op::FNeg, Attr::None, &[], one, &mut out), None);
}

#[test]
fn flushing_keeps_the_sign_and_touches_only_arithmetic_of_f32() {
    assert_eq!(flush(F32, 0x8000_0001), 0x8000_0000);
    assert_eq!(flush(F32, 0x0080_0000), 0x0080_0000);
    assert_eq!((flush(F16, 1), flush(F64, 1)), (1, 1));
    assert!(flushes(Op::FAdd) && flushes(Op::Dot) && flushes(Op::FLt));
    assert!(!flushes(Op::FNeg) && !flushes(Op::Select) && !flushes(Op::IAdd) && !flushes(Op::Bitcast));
}
