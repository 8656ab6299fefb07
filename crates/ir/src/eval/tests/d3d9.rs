//! The operations of Direct3D 9: the recorded answers of the bytecode sheet (7.2 and 7.3, #12 to #18).

use super::*;

// The bytecode sheet, 7.3 #12.
#[test]
fn rcp_zero_pos_neg_rcp_one_exact_rcp_inf() {
    same(f(Op::RcpD3d9, &[0.0]), MAX);
    same(f(Op::RcpD3d9, &[-0.0]), MAX);
    same(f(Op::RcpD3d9, &[1.0]), 1.0);
    same(f(Op::RcpD3d9, &[-2.0]), -0.5);
    same(f(Op::RcpD3d9, &[INF]), 0.0);
    same(f(Op::RcpD3d9, &[-INF]), -0.0);
    same(f(Op::Rcp, &[0.0]), INF);
}

#[test]
fn rsq_zero_rsq_negative() {
    same(f(Op::RSqrtD3d9, &[0.0]), MAX);
    same(f(Op::RSqrtD3d9, &[-0.0]), MAX);
    same(f(Op::RSqrtD3d9, &[-4.0]), 0.5);
    same(f(Op::RSqrtD3d9, &[1.0]), 1.0);
    same(f(Op::RSqrtD3d9, &[-2.0]), 0.707_106_77);
}

#[test]
fn log_zero_log_negative_exp_overflow() {
    same(f(Op::Log2D3d9, &[0.0]), -MAX);
    same(f(Op::Log2D3d9, &[-0.0]), -MAX);
    same(f(Op::Log2D3d9, &[-2.0]), 1.0);
    same(f(Op::Log2D3d9, &[0.5]), -1.0);
    same(f(Op::Exp2D3d9, &[200.0]), MAX);
    same(f(Op::Exp2D3d9, &[-INF]), 0.0);
    same(f(Op::Exp2D3d9, &[-2.0]), 0.25);
    same(f(Op::Exp2D3d9, &[1.75]), 3.363_585_7);
}

// #13.
#[test]
fn pow_zero_zero_pow_neg_base_pow_zero_neg_exp() {
    same(f(Op::PowD3d9, &[0.0, 0.0]), 1.0);
    same(f(Op::PowD3d9, &[-2.0, 3.0]), 8.0);
    same(f(Op::PowD3d9, &[2.0, 0.0]), 1.0);
    same(f(Op::PowD3d9, &[0.0, 2.0]), 0.0);
    same(f(Op::PowD3d9, &[-0.0, 3.0]), 0.0);
    same(f(Op::PowD3d9, &[0.0, -1.0]), MAX);
    same(f(Op::PowD3d9, &[10.0, 100.0]), MAX);
    for x in [0.0, -0.0, 1.0, -1.0, 0.5, INF, -INF, MAX] {
        for y in [0.0, 1.0, -1.0, INF, -INF, MAX, -MAX] {
            assert!(f(Op::PowD3d9, &[x, y]).is_finite(), "{x} {y}");
        }
    }
}

#[test]
fn nrm_zero_nrm_w() {
    assert_eq!(v(Op::NrmD3d9, Attr::None, &[&[0.0, 0.0, 0.0, 5.0]], 4), [0.0; 4]);
    let got = v(Op::NrmD3d9, Attr::None, &[&[-2.0, 2.0, 3.0, -0.0]], 4);
    for (got, expected) in got.into_iter().zip([-0.485_071_27, 0.485_071_27, 0.727_606_9, 0.0]) {
        near(got, expected);
    }
    let got = v(Op::NrmD3d9, Attr::None, &[&[3.0, 4.0, 12.0, 26.0]], 4);
    for (got, expected) in got.into_iter().zip([3.0 / 13.0, 4.0 / 13.0, 12.0 / 13.0, 2.0]) {
        near(got, expected);
    }
    assert!(v(Op::Normalize, Attr::None, &[&[0.0, 0.0, 0.0]], 3).iter().all(|x| x.is_nan()));
}

// #14.
#[test]
fn mul_zero_inf_mul_zero_nan_mad_zero_inf_dp4_zero_nan() {
    for other in [INF, -INF, NAN, -3.0] {
        same(f(Op::FMulLegacy, &[0.0, other]), 0.0);
        same(f(Op::FMulLegacy, &[other, -0.0]), 0.0);
        same(f(Op::FmaLegacy, &[0.0, other, 7.0]), 7.0);
    }
    same(f(Op::FMulLegacy, &[NAN, 1.0]), NAN);
    assert_eq!(v(Op::DotLegacy, Attr::None, &[&[0.0, 1.0, 2.0, 0.0], &[NAN, 3.0, 4.0, INF]], 1), [11.0]);
    assert!(v(Op::Dot, Attr::None, &[&[0.0, 1.0], &[INF, 1.0]], 1)[0].is_nan());
    // Not fused: 2^24 + 1 is not a float.
    same(f(Op::FmaLegacy, &[4097.0, 4097.0, -16_785_408.0]), 0.0);
    same(f(Op::Fma, &[4097.0, 4097.0, -16_785_408.0]), 1.0);
}

// #15.
#[test]
fn min_max_nan_left_right_slt_nan() {
    same(f(Op::MinD3d9, &[NAN, 2.0]), 2.0);
    same(f(Op::MinD3d9, &[2.0, NAN]), NAN);
    same(f(Op::MaxD3d9, &[NAN, 2.0]), 2.0);
    same(f(Op::MaxD3d9, &[2.0, NAN]), NAN);
    same(f(Op::MinD3d9, &[1.0, 2.0]), 1.0);
    same(f(Op::MaxD3d9, &[0.0, -0.0]), 0.0);
    let compare = |op, a, b| lane_fn(op, F32).unwrap()(bits(a), bits(b), 0);
    for (op, less, equal, greater, unordered) in [
        (Op::FEq, 0, 1, 0, 0),
        (Op::FNe, 1, 0, 1, 1),
        (Op::FLt, 1, 0, 0, 0),
        (Op::FLe, 1, 1, 0, 0),
        (Op::FGt, 0, 0, 1, 0),
        (Op::FGe, 0, 1, 1, 0),
    ] {
        assert_eq!(compare(op, 1.0, 2.0), less);
        assert_eq!(compare(op, 0.0, -0.0), equal);
        assert_eq!(compare(op, 2.0, 1.0), greater);
        assert_eq!(compare(op, NAN, 1.0), unordered);
        assert_eq!(compare(op, NAN, NAN), unordered);
    }
    for (x, nan, infinite, finite) in [(NAN, 1, 0, 0), (-INF, 0, 1, 0), (1.0, 0, 0, 1)] {
        assert_eq!(lane_fn(Op::IsNan, F32).unwrap()(bits(x), 0, 0), nan);
        assert_eq!(lane_fn(Op::IsInf, F32).unwrap()(bits(x), 0, 0), infinite);
        assert_eq!(lane_fn(Op::IsFinite, F32).unwrap()(bits(x), 0, 0), finite);
    }
}

// #16.
#[test]
fn lit_power_clamp_lit_zero_zero_lit_negative_x() {
    let lit = |x, y, w| v(Op::LitD3d9, Attr::None, &[&[x, y, 9.0, w]], 4);
    let tiny = lit(0.5, 0.5, 200.0);
    assert_eq!((tiny[0], tiny[1], tiny[3]), (1.0, 0.5, 1.0));
    assert!(tiny[2] > 0.0 && (tiny[2] - 2.0_f32.powf(-127.9961)).abs() < 1e-44);
    assert_eq!(lit(0.5, 0.0, 0.0), [1.0, 0.5, 0.0, 1.0]);
    assert_eq!(lit(-0.5, 0.5, 2.0), [1.0, 0.0, 0.0, 1.0]);
    assert!(lit(0.5, 2.0, -200.0)[2] < 1e-37);
    assert_eq!(lit(1.0, 3.0, 2.0), [1.0, 1.0, 9.0, 1.0]);
    assert_eq!(lit(NAN, 0.5, 1.0), [1.0, 0.0, 0.0, 1.0]);
    assert_eq!(lit(1.0, NAN, 1.0), [1.0, 1.0, 0.0, 1.0]);
}

// #17 and #18.
#[test]
fn sgn_neg_zero_dst_masks_lrp_extremes_frc_negative() {
    for (x, y) in [(-5.0, -1.0), (0.0, 0.0), (-0.0, 0.0), (3.0, 1.0), (NAN, 1.0)] {
        same(f(Op::SgnD3d9, &[x]), y);
    }
    assert_eq!(v(Op::DstD3d9, Attr::None, &[&[1.0, 2.0, 3.0, 4.0], &[5.0, 6.0, 7.0, 8.0]], 4), [1.0, 12.0, 3.0, 8.0]);
    same(f(Op::LrpLegacy, &[0.0, INF, 3.0]), 3.0);
    same(f(Op::LrpLegacy, &[1.0, 5.0, 3.0]), 5.0);
    same(f(Op::LrpLegacy, &[1.0, 1e-10, 1.0]), 0.0);
    for (x, y) in [(-2.0, 0.0), (-0.5, 0.5), (0.5, 0.5), (-1e-10, 1.0 - 2.0_f32.powi(-24)), (INF, NAN), (NAN, NAN)] {
        same(f(Op::FractD3d9, &[x]), y);
    }
}
