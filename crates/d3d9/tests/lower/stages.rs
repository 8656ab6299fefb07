//! Texture addressing by stage, ps_1_x (sheet 2.5).

use crate::shader::{draw, lower, lower_with, place_texture, texture_2d};
use aquatint_d3d9::lower::{Options, Projection, TextureKind};
use aquatint_exec::texture::{Shape, Texture};

/// Byte of the bump matrix of a stage in the driver's block; scale and offset are 16 behind.
const fn bump(stage: usize) -> usize {
    48 + 32 * stage
}

fn projected(text: &str, stage: usize, projection: Projection) -> aquatint_d3d9::lower::Lowered {
    let mut options = Options::default();
    options.projections[stage] = projection;
    lower_with(text, &options)
}

const COORDINATE: [f32; 4] = [0.75, 0.25, 2.0, 4.0];

#[test]
fn tex_is_projected_by_the_last_coordinate_of_the_set() {
    for (projection, want) in [
        (Projection::None, [0.75, 0.25]),
        // By y: (3, 1); clamped to the last texel.
        (Projection::Count2, [0.9375, 0.9375]),
        (Projection::Count3, [0.375, 0.125]),
        (Projection::Count4, [0.1875, 0.0625]),
    ] {
        let lowered = projected("ps_1_1\ntex t0\nmov r0, t0\n", 0, projection);
        let color = draw(&lowered).texture(0, place_texture(8)).input(("texcoord", 0), COORDINATE).color();
        let centre = |x: f32| ((x * 8.0).floor().min(7.0) + 0.5) / 8.0;
        assert_eq!(color[..2], want.map(centre), "{projection:?}");
    }
}

/// texbem divides the base coordinate, and adds the perturbation undivided.
#[test]
fn texbem_projects_the_base_alone() {
    let text = "ps_1_1\ntex t0\ntexbem t1, t0\nmov r0, t1\n";
    let lowered = projected(text, 1, Projection::Count4);
    let color = draw(&lowered)
        .texture(0, texture_2d(1, 1, |_, _| [0.25, 0.5, 0.0, 0.0]))
        .texture(1, place_texture(32))
        // u += 1 r + 0.5 g, v += 0.25 r + 0 g.
        .extra(bump(1), &[1.0, 0.25, 0.5, 0.0])
        .input(("texcoord", 1), [1.0, 2.0, 0.0, 4.0])
        .color();
    // 0.25 + 0.25 + 0.25 and 0.5 + 0.0625, at the centres of their texels.
    assert_eq!(color[..2], [(24.0 + 0.5) / 32.0, (18.0 + 0.5) / 32.0]);
}

#[test]
fn texbem_bx2() {
    // `_bx2` is applied as written (illegal in 1_1, where the source is signed already).
    for version in ["ps_1_1", "ps_1_2", "ps_1_3"] {
        let lowered = lower(&format!("{version}\ntex t0\ntexbem t1, t0_bx2\nmov r0, t1\n"));
        let color = draw(&lowered)
            .texture(0, texture_2d(1, 1, |_, _| [0.75, 0.25, 0.0, 0.0]))
            .texture(1, place_texture(32))
            .extra(bump(1), &[0.5, 0.0, 0.0, 0.25])
            .input(("texcoord", 1), [0.25, 0.5, 0.0, 1.0])
            .color();
        // r = 0.5, g = -0.5: u + 0.25, v - 0.125.
        assert_eq!(color[..2], [(16.0 + 0.5) / 32.0, (12.0 + 0.5) / 32.0], "{version}");
    }
}

/// texbeml multiplies by b * scale + offset, which is not clamped.
#[test]
fn texbeml_luminance_is_not_clamped() {
    let lowered = lower("ps_1_1\ntex t0\ntexbeml t1, t0\nmov r0, t1\n");
    let color = draw(&lowered)
        .texture(0, texture_2d(1, 1, |_, _| [0.0, 0.0, 2.0, 0.0]))
        .texture(1, texture_2d(1, 1, |_, _| [1.0, 2.0, 3.0, 4.0]))
        .extra(bump(1) + 16, &[3.0, 0.5])
        .color();
    assert_eq!(color, [6.5, 13.0, 19.5, 26.0]);
}

#[test]
fn bem_takes_the_matrix_of_its_destination() {
    let text = "ps_1_4\ntexcrd r0.rgb, t0\ntexcrd r1.rgb, t1\nbem r4.rg, r0, r1\nphase\nmov r0, r4\n";
    let color = draw(&lower(text))
        .extra(bump(4), &[1.0, 2.0, 10.0, 20.0])
        .input(("texcoord", 0), [0.5, 0.25, 0.0, 0.0])
        .input(("texcoord", 1), [3.0, 4.0, 0.0, 0.0])
        .color();
    // r = 0.5 + 1 * 3 + 10 * 4, g = 0.25 + 2 * 3 + 20 * 4.
    assert_eq!(color, [43.5, 86.25, 0.0, 0.0]);
}

#[test]
fn ps14_v_in_phase1() {
    // Colours belong to the second phase; the first reads them as well.
    let text = "ps_1_4\nmov r0, v0\nphase\nadd r0, r0, v1\n";
    let color = draw(&lower(text)).input(("color", 0), [0.25; 4]).input(("color", 1), [0.5; 4]).color();
    assert_eq!(color, [0.75; 4]);
}

#[test]
fn texture_kinds_of_stages() {
    // Without the option a stage's kind is what the instruction asks for; with it, what is bound.
    let text = "ps_1_1\ntex t0\nmov r0, t0\n";
    let mut options = Options::default();
    options.texture_kinds[0] = Some(TextureKind::Cube);
    let lowered = lower_with(text, &options);
    let texels: Vec<f32> = (0..6).flat_map(|face| [face as f32, 0.0, 0.0, 1.0]).collect();
    for (direction, face) in [([1.0, 0.0, 0.0, 0.0], 0.0), ([0.0, -1.0, 0.0, 0.0], 3.0), ([0.1, 0.2, 0.9, 0.0], 4.0)] {
        let texture = Texture::from_f32(Shape::cube(1), &texels).expect("a texture");
        assert_eq!(draw(&lowered).texture(0, texture).input(("texcoord", 0), direction).color()[0], face);
    }
    // Cubes are not projected.
    options.projections[0] = Projection::Count3;
    let lowered = lower_with(text, &options);
    let texture = Texture::from_f32(Shape::cube(1), &texels).expect("a texture");
    assert_eq!(draw(&lowered).texture(0, texture).input(("texcoord", 0), [0.9, 0.0, -0.5, 0.0]).color()[0], 0.0);
    // texm3x3tex asks for a cube, and takes a volume where one is bound.
    let text = "ps_1_1\ntex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3tex t3, t0\nmov r0, t3\n";
    assert_eq!(
        lower(text).reflection.samplers.iter().map(|s| s.kind).collect::<Vec<_>>(),
        [TextureKind::D2, TextureKind::Cube]
    );
    let mut options = Options::default();
    options.texture_kinds[3] = Some(TextureKind::Volume);
    assert_eq!(lower_with(text, &options).reflection.samplers[1].kind, TextureKind::Volume);
}

/// The register of a stage holds the coordinate until a texture instruction or arithmetic writes it.
#[test]
fn stage_registers_before_any_instruction() {
    let draw = |text: &str| draw(&lower(text)).input(("texcoord", 1), [0.25, 0.5, 0.75, 1.0]).color();
    assert_eq!(draw("ps_1_1\nmov r0, t1\n"), [0.25, 0.5, 0.75, 1.0]);
    // A masked write keeps the other lanes of the coordinate.
    assert_eq!(draw("ps_1_1\nmov t1.a, c0.a\nmov r0, t1\n"), [0.25, 0.5, 0.75, 0.0]);
    assert_eq!(draw("ps_1_1\nadd t1, t1, t1\nmov r0, t1\n"), [0.5, 1.0, 1.5, 2.0]);
}

#[test]
fn texdepth_and_texm3x2depth_end_as_depth() {
    use aquatint_ir::Builtin::FragDepth;
    let text = "ps_1_4\ntexcrd r5.rgb, t0\nphase\ntexdepth r5\nmov r0, c0\n";
    for ((r, g), want) in
        [((1.0, 4.0), 0.25), ((1.0, 0.0), 1.0), ((3.0, 2.0), 1.0), ((-1.0, 2.0), 0.0), ((-0.25, -0.5), 0.5)]
    {
        let ran = draw(&lower(text)).input(("texcoord", 0), [r, g, 0.0, 0.0]).run();
        assert_eq!(ran.scalars(FragDepth, 0), Some(vec![want]), "{r} / {g}");
    }
    let text = "ps_1_3\ntexcoord t0\ntexm3x2pad t1, t0\ntexm3x2depth t2, t0\nmov r0, t0\n";
    // z = dot(t1, t0), w = dot(t2, t0).
    for ((z, w), want) in [((0.5, 2.0), 0.25), ((0.5, 0.0), 1.0), ((3.0, 2.0), 1.0)] {
        let ran = draw(&lower(text))
            .input(("texcoord", 0), [1.0, 0.0, 0.0, 0.0])
            .input(("texcoord", 1), [z, 9.0, 9.0, 9.0])
            .input(("texcoord", 2), [w, 9.0, 9.0, 9.0])
            .run();
        assert_eq!(ran.scalars(FragDepth, 0), Some(vec![want]), "{z} / {w}");
    }
}
