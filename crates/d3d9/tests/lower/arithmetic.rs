//! Arithmetic under the float options, co-issue, precision of the position (sheet 2.1, 2.2, 2.4).

use crate::shader::{draw, lower, lower_with};
use aquatint_d3d9::lower::{FloatRules, Lowered, Options, ScalarLane};
use aquatint_ir::{Builtin, Op, walk::Walk};

const INF: f32 = f32::INFINITY;
const MAX: f32 = f32::MAX;

fn with(float: FloatRules, body: &str) -> Lowered {
    lower_with(&format!("ps_3_0\n{body}\n"), &Options { float, ..Options::default() })
}

fn bits(color: [f32; 4]) -> [u32; 4] {
    // All NaNs are one.
    color.map(|lane| if lane.is_nan() { f32::NAN.to_bits() } else { lane.to_bits() })
}

#[test]
fn products_under_the_three_float_rules() {
    // Zeros times infinities and NaN, and a product that is none of these.
    let (a, b) = ([0.0, -0.0, INF, 3.0], [INF, f32::NAN, 0.0, 4.0]);
    for (float, want) in [
        (FloatRules::Strict, [0.0, 0.0, 0.0, 12.0]),
        (FloatRules::Fast, [f32::NAN, f32::NAN, f32::NAN, 12.0]),
        (FloatRules::Ieee, [f32::NAN, f32::NAN, f32::NAN, 12.0]),
    ] {
        for body in ["mul oC0, c0, c1", "mad oC0, c0, c1, c2"] {
            assert_eq!(bits(draw(&with(float, body)).c(0, a).c(1, b).color()), bits(want), "{float:?} {body}");
        }
        // dp4: three zeros and 12, or NaN in all lanes.
        let sum = draw(&with(float, "dp4 oC0, c0, c1")).c(0, a).c(1, b).color();
        assert_eq!(bits(sum), bits([if float == FloatRules::Strict { 12.0 } else { f32::NAN }; 4]), "{float:?}");
    }
}

#[test]
fn specials_under_the_three_float_rules() {
    for (body, documented, ieee) in [
        ("rcp oC0, c0.x", MAX, INF),
        ("rsq oC0, c0.x", MAX, INF),
        ("log oC0, c0.x", -MAX, -INF),
        ("exp oC0, c0.y", MAX, INF),
        ("pow oC0, c0.x, c0.z", MAX, INF),
    ] {
        for (float, want) in
            [(FloatRules::Strict, documented), (FloatRules::Fast, documented), (FloatRules::Ieee, ieee)]
        {
            let color = draw(&with(float, body)).c(0, [0.0, 200.0, -1.0, 0.0]).color();
            assert_eq!(color, [want; 4], "{float:?} {body}");
        }
    }
}

/// log and rsq take the absolute value under every rule, pow that of its base.
#[test]
fn absolute_values_under_every_rule() {
    for float in [FloatRules::Strict, FloatRules::Fast, FloatRules::Ieee] {
        for (body, want) in [("rsq oC0, c0.x", 0.5), ("log oC0, c0.x", 2.0), ("pow oC0, c0.x, c0.y", 64.0)] {
            assert_eq!(draw(&with(float, body)).c(0, [-4.0, 3.0, 0.0, 0.0]).color(), [want; 4], "{float:?} {body}");
        }
    }
}

/// A null vector normalised is null, with the documented specials; the length is that of x, y, z.
#[test]
fn nrm_under_the_three_float_rules() {
    for (float, null) in [(FloatRules::Strict, 0.0), (FloatRules::Fast, 0.0), (FloatRules::Ieee, f32::NAN)] {
        let lowered = with(float, "nrm r0, c0\nmov oC0, r0");
        assert_eq!(bits(draw(&lowered).c(0, [0.0; 4]).color()), bits([null; 4]), "{float:?}");
        assert_eq!(draw(&lowered).c(0, [3.0, 0.0, 4.0, 10.0]).color(), [0.6, 0.0, 0.8, 2.0], "{float:?}");
    }
}

#[test]
fn scalar_lane_option() {
    let text = "vs_2_0\ndcl_position v0\nmov oPos, v0\nrcp r0, c0\nmov oT0, r0\n";
    for (scalar_lane, want) in [(ScalarLane::X, 1.0), (ScalarLane::W, 0.125)] {
        let lowered = lower_with(text, &Options { scalar_lane, ..Options::default() });
        assert_eq!(draw(&lowered).c(0, [1.0, 2.0, 4.0, 8.0]).texcoord(), [want; 4]);
    }
}

/// lrp keeps s2 exactly at 0 and is not rewritten to s0 * s1 + (1 - s0) * s2, which would overflow here.
#[test]
fn lrp_is_its_formula() {
    for float in [FloatRules::Strict, FloatRules::Fast, FloatRules::Ieee] {
        let lowered = with(float, "lrp oC0, c0, c1, c2");
        let (amount, s1, s2) = ([0.0, 1.0, 0.5, 2.0], [7.0, 7.0, 3.0, 1.0], [0.1, 0.1, 1.0, 4.0]);
        let formula = [0.1, 0.1 + 1.0 * (7.0 - 0.1f32), 2.0, -2.0];
        assert_eq!(draw(&lowered).c(0, amount).c(1, s1).c(2, s2).color(), formula, "{float:?}");
    }
}

/// Saturation and shift come after the operation, in this order, and the predicate last.
#[test]
fn modifiers_of_a_co_issued_pair() {
    // Both read r0 as it was; each has its own shift and saturation.
    let text = "ps_1_1\ndef c0, 0.25, 0.5, 1, 0.75\ndef c1, 0.5, 0.5, 0.5, 0.5\nmov r0, c0\nmul_x4_sat r0.rgb, r0, r0.a\n+mul_x2 r0.a, \
                r0.a, c1.a\n";
    // rgb: 4 * 0.25 * 0.75, 4 * 0.5 * 0.75 clamped, clamped; a: 2 * 0.75 * 0.5.
    assert_eq!(draw(&lower(text)).color(), [0.75, 1.0, 1.0, 0.75]);
}

/// The second of a pair reads what the first overwrites, in both directions and through other registers.
#[test]
fn coissue_reads_before_writes_crosswise() {
    let text = "ps_1_4\ndef c0, 0.25, 0.5, 1, 0.75\nmov r0, c0\nmov r1, 1-r0\nmov r0.rgb, r1.a\n+mov r1.a, r0.r\nadd r0.rgb, r0, \
                r0\n+add r0.a, r0.r, r1.a\n";
    // After the first pair: r0.rgb = 0.25, r1.a = 0.25 (r0.r as it was). After the second: rgb 0.5, a = 0.25 + 0.25.
    assert_eq!(draw(&lower(text)).color(), [0.5; 4]);
}

#[test]
fn coissued_cnd_option_leaves_alpha_and_single_ones_alone() {
    // Sheet 2.4: only a cnd with the co-issue bit whose mask is not exactly .a.
    let text = "ps_1_1\ndef c0, 0, 0, 0, 0.25\ndef c1, 1, 1, 1, 1\ndef c2, 0.5, 0.5, 0.5, 0.5\nmov r0, c0\nmov r1.a, c2\n+cnd r1.rgb, \
                r0.a, c1, c2\nmov r0, r1\n";
    for (first, rgb) in [(false, 0.5), (true, 1.0)] {
        let lowered = lower_with(text, &Options { coissued_cnd_first: first, ..Options::default() });
        assert_eq!(draw(&lowered).color(), [rgb, rgb, rgb, 0.5]);
    }
    let alpha = "ps_1_1\ndef c0, 0, 0, 0, 0.25\ndef c1, 1, 1, 1, 1\ndef c2, 0.5, 0.5, 0.5, 0.5\nmov r0, c0\nmov r1.rgb, c2\n+cnd r1.a, \
                 r0.a, c1, c2\nmov r0, r1\n";
    let single = "ps_1_1\ndef c0, 0, 0, 0, 0.25\ndef c1, 1, 1, 1, 1\ndef c2, 0.5, 0.5, 0.5, 0.5\nmov r0, c0\ncnd r0, r0.a, c1, c2\n";
    for text in [alpha, single] {
        let lowered = lower_with(text, &Options { coissued_cnd_first: true, ..Options::default() });
        assert_eq!(draw(&lowered).color(), [0.5; 4]);
    }
}

#[test]
fn ps1_r0_never_written() {
    for text in ["ps_1_1\ntex t0\n", "ps_1_4\ntexcrd r1.rgb, t0\n"] {
        assert_eq!(draw(&lower(text)).input(("texcoord", 0), [1.0; 4]).color(), [0.0; 4]);
    }
    // Partly written: the rest is 0.
    assert_eq!(draw(&lower("ps_1_1\nmov r0.rgb, c0\n")).c(0, [1.0; 4]).color(), [1.0, 1.0, 1.0, 0.0]);
}

/// The values of `precise` on the arithmetic of an entry point, by operation.
fn precise(lowered: &Lowered, op: Op) -> Vec<bool> {
    let function = &lowered.module.functions[lowered.module.entry_points[0].function];
    let insts = Walk::new(function).insts();
    insts.filter(|&inst| function.insts[inst].op == op).map(|inst| function.insts[inst].precise).collect()
}

#[test]
fn position_precise_across_shaders() {
    // One product for the position, one for a texture coordinate: only the first is the same in every shader.
    let text = "vs_2_0\ndcl_position v0\nmul r0, v0, c0\nadd oPos, r0, c1\nmul oT0, v0, c2\n";
    let lowered = lower(text);
    assert_eq!((precise(&lowered, Op::FMulLegacy), precise(&lowered, Op::FAdd)), (vec![true, false], vec![true]));
    // Another shader computes the same position by way of other work, and gets the same bits.
    let other = "vs_2_0\ndcl_position v0\nmul oT0, v0, c2\nmul r3, v0, c0\nmov r4, c1\nadd r5, r3, r4\nmov oPos, r5\n";
    let value = [0.1, 0.7, -0.3, 1.0];
    let position = |lowered: &Lowered| {
        let draw = draw(lowered).c(0, [3.3, 1.7, 0.9, 1.1]).c(1, [0.01; 4]).input(("position", 0), value);
        draw.run().output(Builtin::Position).unwrap().map(f32::to_bits)
    };
    assert_eq!(position(&lowered), position(&lower(other)));
}

/// What flows into the position through branches, loops, early ends and relative outputs is precise as well.
#[test]
fn position_is_precise_through_control_flow() {
    for body in [
        "mov r0, v0\nif b0\nmul r0, v0, c0\nendif\nmov o0, r0\n",
        "mov r0, v0\nrep i0\nmul r0, r0, c0\nendrep\nmov o0, r0\n",
        // The end inside the loop takes the value that the loop carries.
        "mov r0, v0\nrep i0\nif b0\nmov o0, r0\nret\nendif\nmul r0, r0, c0\nendrep\n",
        "mova a0.x, v0.x\nmul r0, v0, c0\nmov o0[a0.x], r0\n",
        "mul r0, v0, c0\ncall l0\nret\nlabel l0\nif b0\nmov o0, r0\nret\nendif\nmov o0, v0\nret\n",
    ] {
        let lowered = lower(&format!("vs_3_0\ndcl_position v0\ndcl_position o0\ndcl_texcoord o1\n{body}"));
        assert_eq!(precise(&lowered, Op::FMulLegacy), [true], "{body}");
    }
}
