//! Passes of the pixel stage: alpha test, fog, sRGB, clamping, point sprites, flat colours (sheet 3.3, 3.5, 3.7; runtime
//! sheet 7.3).

use crate::shader::{draw, driven, lower};
use aquatint_d3d9::driver::{AlphaTest, CompareFunction, FogBlend, FogCoordinate, FogFactor, Options, extras};
use aquatint_d3d9::lower::Lowered;
use aquatint_ir::{Builtin, GlobalKind, Interpolation, Module, Sampling};

/// oC0 is texture coordinate 0.
const PLAIN: &str = "ps_2_0\ndcl t0\nmov oC0, t0\n";
/// Byte of the fog colour in the driver's block, of start, end and density, and of the alpha reference.
const FOG_COLOR: usize = 16;
const FOG_RANGE: usize = 32;
const ALPHA_REF: usize = 0;

const COLOR: [f32; 4] = [0.1, 0.9, 4.0, 0.625];
const FOG: [f32; 3] = [0.5, 0.25, 1.0];

/// A fog factor from distance, start, end and density.
type Factor = fn(f32, f32, f32, f32) -> f32;

fn alpha_tested(function: CompareFunction, reference: Option<f32>) -> Lowered {
    driven(PLAIN, &Options { alpha_test: Some(AlphaTest { function, reference }), ..Options::default() })
}

fn fog_options(factor: FogFactor, coordinate: FogCoordinate) -> Options {
    Options { fog: Some(FogBlend { factor, coordinate, color: None, range: None }), ..Options::default() }
}

/// `mix(fog colour, rgb, f)`, alpha as it was.
fn mixed(f: f32) -> [f32; 4] {
    let [r, g, b] = [0, 1, 2].map(|lane| FOG[lane] * (1.0 - f) + COLOR[lane] * f);
    [r, g, b, COLOR[3]]
}

#[track_caller]
fn near(got: [f32; 4], want: [f32; 4]) {
    let close = |(got, want): (f32, f32)| (got - want).abs() <= 2e-6 * want.abs().max(1.0);
    assert!(got.into_iter().zip(want).all(close), "{got:?} is not {want:?}");
}

#[test]
fn alpha_test_eight_functions() {
    // 0.2 * 255 rounds to 51; the neighbours of 0.2 do not.
    let at = 0.2f32;
    let alphas = [at.next_down(), at, at.next_up()];
    assert_eq!(
        alphas.map(|a| (a * 255.0).partial_cmp(&51.0)).map(Option::unwrap) as [_; 3],
        [std::cmp::Ordering::Less, std::cmp::Ordering::Equal, std::cmp::Ordering::Greater]
    );
    // Whether below, at, above and NaN pass; the numbers are D3DCMP's.
    for (number, passes) in [
        (1, [false, false, false, false]),
        (2, [true, false, false, false]),
        (3, [false, true, false, false]),
        (4, [true, true, false, false]),
        (5, [false, false, true, false]),
        (6, [true, false, true, true]),
        (7, [false, true, true, false]),
        (8, [true, true, true, true]),
    ] {
        let function = CompareFunction::from_number(number).unwrap();
        for reference in [None, Some(51.0)] {
            let lowered = alpha_tested(function, reference);
            let colors: Vec<[f32; 4]> =
                alphas.iter().chain(&[f32::NAN]).map(|&alpha| [-1.0, 2.0, 0.5, alpha]).collect();
            let ran = draw(&lowered).inputs(("texcoord", 0), &colors).extra(ALPHA_REF, &[51.0]).run();
            for (lane, pass) in passes.into_iter().enumerate() {
                assert_eq!(ran.is_live(lane), pass, "function {number}, reference {reference:?}, lane {lane}");
                if pass && lane < 3 {
                    assert_eq!(ran.output_of(0, lane), Some(colors[lane]), "the colour is what it was");
                }
            }
        }
    }
    assert_eq!(CompareFunction::from_number(0), None);
    assert_eq!(CompareFunction::from_number(9), None);
}

#[test]
fn alpha_test_at_the_ends_of_the_range() {
    for (reference, alpha) in [(0.0, 0.0), (255.0, 1.0)] {
        let lowered = alpha_tested(CompareFunction::Equal, Some(reference));
        assert!(draw(&lowered).input(("texcoord", 0), [alpha; 4]).run().is_live(0));
    }
    // A fixed reference lies within 0 and 255, as a state does.
    for (reference, alpha) in [(-3.0, 0.0), (1000.0, 1.0)] {
        let lowered = alpha_tested(CompareFunction::Equal, Some(reference));
        assert!(draw(&lowered).input(("texcoord", 0), [alpha; 4]).run().is_live(0));
    }
}

#[test]
fn alpha_test_takes_the_alpha_of_each_way_out() {
    let text = "ps_2_x\ndcl t0\ndef c0, 1, 0, 0, 0.75\nmov oC0, c0\nif_lt t0.x, c0.y\nmov oC0.w, t0.y\nendif\n";
    let test = AlphaTest { function: CompareFunction::Greater, reference: Some(127.0) };
    let lowered = driven(text, &Options { alpha_test: Some(test), ..Options::default() });
    let ran = draw(&lowered)
        .inputs(("texcoord", 0), &[[1.0, 0.0, 0.0, 0.0], [-1.0, 0.25, 0.0, 0.0], [-1.0, 0.5, 0.0, 0.0]])
        .run();
    assert_eq!([0, 1, 2].map(|lane| ran.is_live(lane)), [true, false, true]);
}

#[test]
fn vertex_fog_blends_and_saturates() {
    let lowered = driven(PLAIN, &fog_options(FogFactor::Vertex, FogCoordinate::Z));
    let draw = || draw(&lowered).input(("texcoord", 0), COLOR).extra(FOG_COLOR, &FOG);
    for (factor, f) in [(0.0, 0.0), (0.25, 0.25), (1.0, 1.0), (-3.0, 0.0), (7.0, 1.0), (f32::INFINITY, 1.0)] {
        near(draw().input(("fog", 0), [factor, 9.0, 9.0, 9.0]).color(), mixed(f));
    }
    // Without a vertex stage that gives it, the factor is 0: all fog (sheet 3.4).
    near(draw().color(), mixed(0.0));
}

#[test]
fn fog_nan() {
    let lowered = driven(PLAIN, &fog_options(FogFactor::Vertex, FogCoordinate::Z));
    let color =
        draw(&lowered).input(("texcoord", 0), COLOR).input(("fog", 0), [f32::NAN; 4]).extra(FOG_COLOR, &FOG).color();
    near(color, COLOR);
}

#[test]
fn fog_alpha_untouched() {
    for (factor, coordinate) in [
        (FogFactor::Vertex, FogCoordinate::Z),
        (FogFactor::Linear, FogCoordinate::Z),
        (FogFactor::Exp, FogCoordinate::W),
        (FogFactor::Exp2, FogCoordinate::Z),
    ] {
        let lowered = driven(PLAIN, &fog_options(factor, coordinate));
        for alpha in [0.0, -0.0, 0.3, 17.0, -2.0, f32::INFINITY, f32::from_bits(0x7FC0_1234)] {
            let color = draw(&lowered)
                .input(("texcoord", 0), [0.1, 0.2, 0.3, alpha])
                .input(Builtin::Position, [0.5, 0.5, 0.5, 0.25])
                .extra(FOG_RANGE, &[0.0, 1.0, 1.0])
                .color();
            assert_eq!(color[3].to_bits(), alpha.to_bits(), "{factor:?} {alpha}");
        }
    }
}

#[test]
fn table_fog_by_depth_and_by_w() {
    // Start 0.25, end 0.75, density 2 for z; the same distances as w, where the fragment's fourth coordinate is 1 / w.
    let (start, end, density) = (0.25f32, 0.75f32, 2.0f32);
    let formulas: [(FogFactor, Factor); 3] = [
        (FogFactor::Linear, |d, start, end, _| (end - d) / (end - start)),
        (FogFactor::Exp, |d, _, _, density| (-d * density).exp()),
        (FogFactor::Exp2, |d, _, _, density| (-(d * density).powi(2)).exp()),
    ];
    for (factor, formula) in formulas {
        for coordinate in [FogCoordinate::Z, FogCoordinate::W] {
            let fixed = FogBlend { factor, coordinate, color: Some(FOG), range: Some([start, end, density]) };
            let from_block = FogBlend { color: None, range: None, ..fixed };
            for fog in [fixed, from_block] {
                let lowered = driven(PLAIN, &Options { fog: Some(fog), ..Options::default() });
                for d in [0.0625f32, 0.25, 0.5, 0.75, 1.0] {
                    // The coordinate that does not count is far away.
                    let position = match coordinate {
                        FogCoordinate::Z => [0.5, 0.5, d, 1e-3],
                        FogCoordinate::W => [0.5, 0.5, 1e3, 1.0 / d],
                    };
                    let color = draw(&lowered)
                        .input(("texcoord", 0), COLOR)
                        .input(Builtin::Position, position)
                        .extra(FOG_COLOR, &FOG)
                        .extra(FOG_RANGE, &[start, end, density])
                        .color();
                    near(color, mixed(formula(d, start, end, density).clamp(0.0, 1.0)));
                }
            }
        }
    }
}

#[test]
fn fog_after_shader_ps2_not_ps3() {
    let options = fog_options(FogFactor::Vertex, FogCoordinate::Z);
    for (text, fogged) in [
        ("ps_1_1\ntexcoord t0\nmov r0, t0\n", true),
        ("ps_1_4\ntexcrd r0.rgb, t0\nmov r0.a, t0.a\n", true),
        (PLAIN, true),
        ("ps_2_x\ndcl t0\nmov oC0, t0\n", true),
        ("ps_3_0\ndcl_texcoord v0\nmov oC0, v0\n", false),
    ] {
        // ps_1_4 reads no texture coordinate as a colour; a constant does as well.
        let text = text.replace("mov r0.a, t0.a\n", "mov r0.a, c0.a\n");
        let lowered = driven(&text, &options);
        let rgb = [0.5, 0.25, 0.75, 1.0];
        let color = draw(&lowered).input(("texcoord", 0), rgb).extra(FOG_COLOR, &[1.0; 3]).color();
        let want = if fogged { [1.0, 1.0, 1.0] } else { [0.5, 0.25, 0.75] };
        assert_eq!(color[..3], want, "{text}");
    }
}

#[test]
fn fog_and_alpha_test_do_not_meet() {
    let test = AlphaTest { function: CompareFunction::Greater, reference: Some(127.0) };
    let mut options = fog_options(FogFactor::Vertex, FogCoordinate::Z);
    options.alpha_test = Some(test);
    let lowered = driven(PLAIN, &options);
    let ran = draw(&lowered)
        .inputs(("texcoord", 0), &[[0.0, 0.0, 0.0, 0.25], [0.0, 0.0, 0.0, 0.75]])
        .extra(FOG_COLOR, &[1.0; 3])
        .run();
    assert_eq!((ran.is_live(0), ran.is_live(1)), (false, true));
    assert_eq!(ran.output_of(0, 1), Some([1.0, 1.0, 1.0, 0.75]));
}

#[test]
fn srgb_curve() {
    let lowered = driven(PLAIN, &Options { srgb_write: 1, ..Options::default() });
    let encoded = |x: f32, alpha: f32| draw(&lowered).input(("texcoord", 0), [x, x, x, alpha]).color();
    // IEC 61966-2-1, worked out with many digits.
    for (linear, code) in [
        (0.0, 0.0),
        (0.001, 0.01292),
        (0.003_130_8, 0.040_449_936),
        (0.003_131, 0.040_452_5),
        (0.01, 0.099_852_82),
        (0.214_041_14, 0.5),
        (0.5, 0.735_357),
        (1.0, 1.0),
        (2.0, 1.0),
        (-1.0, 0.0),
        (f32::NAN, 0.0),
        (f32::INFINITY, 1.0),
    ] {
        let got = encoded(linear, 2.5);
        assert!(got[..3].iter().all(|lane| (lane - code).abs() < 1e-6), "{linear}: {got:?} is not {code}");
        assert_eq!(got[3], 2.5);
    }
    // A target without its bit stays linear.
    let other = driven(PLAIN, &Options { srgb_write: 2, ..Options::default() });
    assert_eq!(draw(&other).input(("texcoord", 0), [0.5; 4]).color(), [0.5; 4]);
}

#[test]
fn clamp_with_nan() {
    let text = "ps_3_0\ndcl_texcoord v0\nmov oC0, v0\nmov oC1, v0\n";
    let lowered = driven(text, &Options { clamp_targets: 1, ..Options::default() });
    let value = [-2.0, 0.5, 3.0, f32::NAN];
    let ran = draw(&lowered).input(("texcoord", 0), value).run();
    assert_eq!(ran.output(0), Some([0.0, 0.5, 1.0, 0.0]));
    let second = ran.output(1).unwrap();
    assert!(second[..3] == value[..3] && second[3].is_nan(), "{second:?}");
}

#[test]
fn point_sprite_texcoords() {
    let place = [0.25, 0.75, 0.0, 0.0];
    for text in [
        "ps_2_0\ndcl t0\ndcl t3\ndcl v0\ndef c0, 10, 100, 0, 0\nmul r0, t3, c0.x\nadd r0, r0, t0\nmad r0, v0, c0.y, r0\nmov oC0, r0\n",
        "ps_3_0\ndcl_texcoord v0\ndcl_texcoord3 v1\ndcl_color v2\ndef c0, 10, 100, 0, 0\nmul r0, v1, c0.x\nadd r0, r0, v0\nmad r0, v2, c0.y, r0\nmov oC0, r0\n",
    ] {
        let lowered = driven(text, &Options { point_sprite: true, ..Options::default() });
        let color = draw(&lowered)
            .input(("texcoord", 0), [5.0; 4])
            .input(("texcoord", 3), [6.0; 4])
            .input(("color", 0), [1.0, 2.0, 3.0, 4.0])
            .input(Builtin::PointCoord, place)
            .color();
        // place + 10 place + 100 colour
        assert_eq!(color, [102.75, 208.25, 300.0, 400.0]);
    }
}

fn interpolation(module: &Module, usage: &str, index: u32) -> Option<(Interpolation, Sampling)> {
    let name = module.names.find(usage)?;
    module.globals.iter().find_map(|(_, global)| match global.kind {
        GlobalKind::Input(io) if io.usage.is_some_and(|u| u.name == name && u.index == index) => {
            Some((io.interpolation, io.sampling))
        }
        _ => None,
    })
}

#[test]
fn flat_shading_only_colors() {
    let text = "ps_3_0\ndcl_color v0\ndcl_color1_centroid v1\ndcl_color2 v2\ndcl_texcoord v3\ndcl_fog v4.x\nadd r0, v0, v1\nadd \
                r0, r0, v2\nadd r0, r0, v3\nadd r0, r0, v4.x\nmov oC0, r0\n";
    let lowered = driven(text, &Options { flat_colors: true, ..Options::default() });
    let flat = (Interpolation::Flat, Sampling::Center);
    let smooth = (Interpolation::Perspective, Sampling::Center);
    for (usage, index, want) in
        [("color", 0, flat), ("color", 1, flat), ("color", 2, smooth), ("texcoord", 0, smooth), ("fog", 0, smooth)]
    {
        assert_eq!(interpolation(&lowered.module, usage, index), Some(want), "{usage}{index}");
    }
    let plain = lower(text);
    assert_eq!(interpolation(&plain.module, "color", 0), Some(smooth));
    assert_eq!(interpolation(&plain.module, "color", 1), Some((Interpolation::Perspective, Sampling::Centroid)));
}

/// The first 32 bytes of the pixel stage's block are the runtime's (runtime sheet 7.2), and a pass adds no second block to a
/// shader that has one for its bump matrices.
#[test]
fn the_block_is_one() {
    let bump = "ps_1_1\ntex t0\ntexbem t1, t0\nmov r0, t1\n";
    let mut options = fog_options(FogFactor::Linear, FogCoordinate::Z);
    options.alpha_test = Some(AlphaTest { function: CompareFunction::Greater, reference: None });
    let lowered = driven(bump, &options);
    let blocks = lowered.module.globals.iter().filter(|(_, g)| g.binding().is_some_and(|b| b.register == 1));
    assert_eq!(
        blocks.filter(|(_, g)| matches!(lowered.module.types.get(g.ty), aquatint_ir::Type::Struct(_))).count(),
        1
    );
    assert_eq!((extras::PIXEL_BYTES, extras::VERTEX_BYTES), (304, 128));
}
