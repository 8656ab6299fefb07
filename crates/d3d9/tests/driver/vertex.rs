//! Passes of the vertex stage: fog defaults, point size, clip distances, half pixel (sheet 3.3, 3.4).

use crate::shader::{draw, driven, lower};
use aquatint_d3d9::driver::{Options, PointSize, VertexFog};
use aquatint_ir::{Builtin, GlobalKind, Interpolation, Op, Space};

/// oPos is v0.
const PLAIN: &str = "vs_2_0\ndcl_position v0\nmov oPos, v0\n";
const POSITION: [f32; 4] = [1.0, 2.0, 3.0, 4.0];

/// Bytes in the driver's block.
const HALF_PIXEL: usize = 0;
const POINT_SIZE: usize = 16;
const CLIP_PLANES: usize = 32;

#[test]
fn vertex_fog_defaults() {
    for (fog, want) in
        [(VertexFog::Default(0.0), 0.0), (VertexFog::Default(1.0), 1.0), (VertexFog::Depth, 0.75), (VertexFog::W, 4.0)]
    {
        let lowered = driven(PLAIN, &Options { vertex_fog: Some(fog), ..Options::default() });
        let ran = draw(&lowered).input(("position", 0), POSITION).run();
        assert_eq!(ran.output(("fog", 0)), Some([want; 4]), "{fog:?}");
        assert_eq!(ran.output(Builtin::Position), Some(POSITION));
        // FOG0's location, so that either stage can be translated alone (sheet 3.1).
        assert_eq!(ran.output(11), Some([want; 4]));
    }
    // A shader that writes its own keeps it.
    let own = "vs_2_0\ndcl_position v0\nmov oPos, v0\nmov oFog, v0.w\n";
    let lowered = driven(own, &Options { vertex_fog: Some(VertexFog::Default(0.0)), ..Options::default() });
    assert_eq!(draw(&lowered).input(("position", 0), [0.5; 4]).run().output(("fog", 0)), Some([0.5; 4]));
    // And without the option there is none.
    assert_eq!(draw(&lower(PLAIN)).run().output(("fog", 0)), None);
}

#[test]
fn vertex_fog_at_each_way_out() {
    let text = "vs_3_0\ndcl_position v0\ndcl_position o0\nmov o0, v0\nif b0\nret\nendif\nadd o0, v0, v0\n";
    let lowered = driven(text, &Options { vertex_fog: Some(VertexFog::W), ..Options::default() });
    for (early, w) in [(true, 4.0), (false, 8.0)] {
        let ran = draw(&lowered).input(("position", 0), POSITION).b(0, early).run();
        assert_eq!(ran.output(("fog", 0)), Some([w; 4]));
    }
}

#[test]
fn point_size_clamp() {
    let text = "vs_2_0\ndcl_position v0\nmov oPos, v0\nmov oPts, v0.x\n";
    let size = |text: &str, fixed, x| {
        let lowered = driven(text, &Options { point_size: Some(PointSize { fixed }), ..Options::default() });
        let ran = draw(&lowered).input(("position", 0), [x, 0.0, 0.0, 1.0]).extra(POINT_SIZE, &[2.0, 32.0, 5.0]).run();
        ran.scalars(Builtin::PointSize, 0).expect("a point size")[0]
    };
    for fixed in [None, Some([2.0, 32.0, 5.0])] {
        for (x, want) in [(1.0, 2.0), (2.0, 2.0), (7.5, 7.5), (32.0, 32.0), (100.0, 32.0), (f32::NAN, 2.0)] {
            assert_eq!(size(text, fixed, x), want, "{fixed:?} {x}");
        }
        // Not written: the render state POINTSIZE (sheet 3.4).
        assert_eq!(size(PLAIN, fixed, 9.0), 5.0);
    }
    // The render state is clamped too.
    assert_eq!(size(PLAIN, Some([2.0, 4.0, 5.0]), 9.0), 4.0);
    // PSIZE0 of vs_3_0.
    let text = "vs_3_0\ndcl_position v0\ndcl_position o0\ndcl_psize o1.x\nmov o0, v0\nmov o1.x, v0.x\n";
    assert_eq!(size(text, None, 100.0), 32.0);
}

const PLANES: [f32; 8] = [1.0, 0.0, 0.0, 0.5, 0.25, -1.0, 2.0, -0.125];

#[test]
fn clip_distances() {
    // dot((1, 2, 3, 4), plane): 1 + 2 and 0.25 - 2 + 6 - 0.5.
    for count in 1..=6u8 {
        let lowered = driven(PLAIN, &Options { clip_planes: count, ..Options::default() });
        let ran = draw(&lowered).input(("position", 0), POSITION).extra(CLIP_PLANES, &PLANES).run();
        let mut want = vec![3.0, 3.75, 0.0, 0.0, 0.0, 0.0];
        want.truncate(usize::from(count));
        assert_eq!(ran.scalars(Builtin::ClipDistance, 0), Some(want));
    }
}

#[test]
fn half_pixel_option() {
    let lowered = driven(PLAIN, &Options { half_pixel: true, ..Options::default() });
    // x += w * k / width, y -= w * k / height with k = 1, 8 x 4 pixels.
    let ran = draw(&lowered).input(("position", 0), POSITION).extra(HALF_PIXEL, &[0.125, -0.25]).run();
    assert_eq!(ran.output(Builtin::Position), Some([1.5, 1.0, 3.0, 4.0]));
    // Off: nothing moves, whatever the block holds.
    let off = lower(PLAIN);
    let ran = draw(&off).input(("position", 0), POSITION).extra(HALF_PIXEL, &[0.125, -0.25]).run();
    assert_eq!(ran.output(Builtin::Position), Some(POSITION));
}

/// The shift stays precise, and a texture coordinate made from the position does not move with it.
#[test]
fn half_pixel_moves_the_position_alone() {
    let text = "vs_2_0\ndcl_position v0\nmov r0, v0\nmov oPos, r0\nmov oT0, r0\n";
    let lowered = driven(text, &Options { half_pixel: true, ..Options::default() });
    let ran = draw(&lowered).input(("position", 0), POSITION).extra(HALF_PIXEL, &[0.125, -0.25]).run();
    assert_eq!(ran.output(("texcoord", 0)), Some(POSITION));
    let function = &lowered.module.functions[lowered.module.entry_points[0].function];
    let insts = function.insts.as_slice().iter();
    let arithmetic = insts.filter(|inst| matches!(inst.op, Op::FMul | Op::FAdd));
    assert!(arithmetic.clone().count() == 2 && arithmetic.clone().all(|inst| inst.precise));
}

#[test]
fn clip_distances_are_of_the_position_before_it_moves() {
    let lowered = driven(PLAIN, &Options { half_pixel: true, clip_planes: 1, ..Options::default() });
    let ran = draw(&lowered)
        .input(("position", 0), POSITION)
        .extra(HALF_PIXEL, &[0.125, -0.25])
        .extra(CLIP_PLANES, &PLANES)
        .run();
    assert_eq!(ran.scalars(Builtin::ClipDistance, 0), Some(vec![3.0]));
    assert_eq!(ran.output(Builtin::Position), Some([1.5, 1.0, 3.0, 4.0]));
}

#[test]
fn flat_colours_of_both_stages_agree() {
    let vs = "vs_2_0\ndcl_position v0\nmov oPos, v0\nmov oD0, v0\nmov oD1, v0\nmov oT0, v0\n";
    let ps = "ps_2_0\ndcl v0\ndcl v1\ndcl t0\nadd r0, v0, v1\nadd r0, r0, t0\nmov oC0, r0\n";
    let options = Options { flat_colors: true, ..Options::default() };
    let flat = |text: &str, space| {
        let lowered = driven(text, &options);
        let globals = lowered.module.globals.iter().filter(|(_, g)| g.space == space);
        let mut flat: Vec<u32> = globals
            .filter_map(|(_, global)| match global.kind {
                GlobalKind::Input(io) | GlobalKind::Output(io) if io.interpolation == Interpolation::Flat => {
                    io.location
                }
                _ => None,
            })
            .collect();
        flat.sort_unstable();
        flat
    };
    // COLOR0 and COLOR1 (sheet 3.1).
    assert_eq!(flat(vs, Space::Output), [9, 10]);
    assert_eq!(flat(ps, Space::Input), [9, 10]);
    assert_eq!(flat(vs, Space::Input), []);
}

/// Everything at once keeps the rules, and each part does what it does alone.
#[test]
fn all_vertex_passes_together() {
    let options = Options {
        flat_colors: true,
        vertex_fog: Some(VertexFog::Default(1.0)),
        point_size: Some(PointSize::default()),
        clip_planes: 6,
        half_pixel: true,
        ..Options::default()
    };
    let lowered = driven(PLAIN, &options);
    let ran = draw(&lowered)
        .input(("position", 0), POSITION)
        .extra(HALF_PIXEL, &[0.125, -0.25])
        .extra(POINT_SIZE, &[1.0, 8.0, 3.0])
        .run();
    assert_eq!(ran.output(("fog", 0)), Some([1.0; 4]));
    assert_eq!(ran.scalars(Builtin::PointSize, 0), Some(vec![3.0]));
    assert_eq!(ran.scalars(Builtin::ClipDistance, 0), Some(vec![0.0; 6]));
    assert_eq!(ran.output(Builtin::Position), Some([1.5, 1.0, 3.0, 4.0]));
}
