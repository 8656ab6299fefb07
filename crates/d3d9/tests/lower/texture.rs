//! Texture instructions of ps_2_0 and later (sheet 2.5).

use crate::shader::{draw, lower, lower_with, place_texture, texture_2d};
use aquatint_d3d9::lower::{Options, TextureKind};
use aquatint_exec::texture::{Address, Filter, MipFilter, Sampler, Shape, Texture};

/// The centres of the texels that the lanes of a quad read from a 4 x 4 texture.
const CENTRE: [f32; 2] = [0.375, 0.625];

fn ps2(load: &str) -> String {
    format!("ps_2_0\ndcl t0\ndcl_2d s0\n{load}\nmov oC0, r0\n")
}

#[test]
fn sampler_1d() {
    // A 1D sampler reads a texture of height 1 with v = 0, whatever y is: y may be NaN.
    let text = "ps_2_0\ndcl t0\ndcl_1d s0\ntexld r0, t0, s0\nmov oC0, r0\n";
    let lowered = lower(text);
    assert_eq!(lowered.reflection.samplers[0].kind, TextureKind::D2);
    let texture = || texture_2d(4, 1, |x, _| [x as f32, 1.0, 2.0, 3.0]);
    for y in [0.0, 0.9, -7.0, f32::NAN] {
        let draw = draw(&lowered).texture(0, texture()).input(("texcoord", 0), [0.625, y, 0.0, 1.0]);
        assert_eq!(draw.color(), [2.0, 1.0, 2.0, 3.0], "{y}");
    }
}

/// The gradient across a 1D texture does not choose the level.
#[test]
fn sampler_1d_gradients() {
    let text = "ps_2_x\ndcl t0\ndcl_1d s0\ntexldd r0, t0, s0, c0, c1\nmov oC0, r0\n";
    let lowered = lower(text);
    // Level 0: 0, level 1: 1, level 2: 2.
    let levels: Vec<f32> =
        [(4, 0.0), (2, 1.0), (1, 2.0)].into_iter().flat_map(|(n, level)| vec![level; 4 * n]).collect();
    let sampler = Sampler { mip: MipFilter::Point, ..Sampler::default() };
    for (dx, dy, want) in [
        ([0.25, 0.0], [0.0, 0.0], 0.0),
        ([0.5, 0.0], [0.0, 0.0], 1.0),
        ([0.0, 0.0], [1.0, 0.0], 2.0),
        // Large steps in v.
        ([0.25, 100.0], [0.0, 100.0], 0.0),
    ] {
        let texture = Texture::from_f32(Shape::d2(4, 1).with_levels(3), &levels).expect("a texture");
        let draw = draw(&lowered)
            .texture_with(0, texture, sampler.clone())
            .c(0, [dx[0], dx[1], 0.0, 0.0])
            .c(1, [dy[0], dy[1], 0.0, 0.0]);
        assert_eq!(draw.color()[0], want, "{dx:?} {dy:?}");
    }
}

#[test]
fn sampler_kind_zero() {
    // `dcl s0`: the option says the kind, else it is 2D.
    let text = "ps_2_0\ndcl t0\ndcl s0\ntexld r0, t0, s0\nmov oC0, r0\n";
    let coordinate = [CENTRE[0], CENTRE[1], 0.75, 1.0];
    let plain = lower(text);
    assert_eq!(plain.reflection.samplers[0].kind, TextureKind::D2);
    assert_eq!(
        draw(&plain).texture(0, place_texture(4)).input(("texcoord", 0), coordinate).color(),
        [CENTRE[0], CENTRE[1], 0.25, 1.0]
    );
    let mut options = Options::default();
    options.texture_kinds[0] = Some(TextureKind::Volume);
    let volume = lower_with(text, &options);
    assert_eq!(volume.reflection.samplers[0].kind, TextureKind::Volume);
    let texels: Vec<f32> = (0..2).flat_map(|z| [z as f32; 16]).collect();
    let texture = Texture::from_f32(Shape::d3(2, 2, 2), &texels).expect("a texture");
    assert_eq!(draw(&volume).texture(0, texture).input(("texcoord", 0), coordinate).color(), [1.0; 4]);
    // A declared kind outweighs the option.
    let declared = lower_with(&text.replace("dcl s0", "dcl_2d s0"), &options);
    assert_eq!(declared.reflection.samplers[0].kind, TextureKind::D2);
}

#[test]
fn depth_compare() {
    // The vendors' shadow map look-up: coord.z <= texel, in all lanes.
    let options = Options { depth_compare: 1, ..Options::default() };
    let depth = || texture_2d(2, 2, |x, y| [0.25 + 0.5 * x as f32, 0.0, 0.0, 0.0].map(|d| d + 0.0 * y as f32));
    let lowered = lower_with(&ps2("texld r0, t0, s0"), &options);
    assert!(lowered.reflection.samplers[0].compare);
    for (u, z, want) in [(0.25, 0.2, 1.0), (0.25, 0.25, 1.0), (0.25, 0.3, 0.0), (0.75, 0.3, 1.0), (0.75, 0.8, 0.0)] {
        let draw = draw(&lowered).texture(0, depth()).input(("texcoord", 0), [u, 0.5, z, 9.0]);
        assert_eq!(draw.color(), [want; 4], "{u} {z}");
    }
    // Projection divides the reference as well.
    let lowered = lower_with(&ps2("texldp r0, t0, s0"), &options);
    for (z, want) in [(0.5, 1.0), (0.6, 0.0)] {
        let draw = draw(&lowered).texture(0, depth()).input(("texcoord", 0), [0.5, 1.0, z, 2.0]);
        assert_eq!(draw.color(), [want; 4], "{z}");
    }
    // A filtered comparison: half of the texels pass.
    let lowered = lower_with(&ps2("texld r0, t0, s0"), &options);
    let sampler = Sampler { seamless: false, ..Sampler::linear(Address::Clamp) };
    let draw = draw(&lowered).texture_with(0, depth(), sampler).input(("texcoord", 0), [0.5, 0.5, 0.5, 1.0]);
    assert_eq!(draw.color(), [0.5; 4]);
    // Other samplers read plainly.
    let plain = lower_with(&ps2("texld r0, t0, s0"), &Options { depth_compare: 2, ..Options::default() });
    assert!(!plain.reflection.samplers[0].compare);
}

#[test]
fn fetch4() {
    // Four texels of the red channel, in the order z, x, y, w of a gather: its lanes are (0,1), (1,1), (1,0), (0,0).
    let options = Options { fetch4: 1, ..Options::default() };
    let texture = || texture_2d(2, 2, |x, y| [(10 * y + x) as f32, 99.0, 99.0, 99.0]);
    for load in ["texld r0, t0, s0", "texldp r0, t0, s0"] {
        let lowered = lower_with(&ps2(load), &options);
        let draw = draw(&lowered).texture(0, texture()).input(("texcoord", 0), [0.5, 0.5, 0.0, 1.0]);
        assert_eq!(draw.color(), [1.0, 10.0, 11.0, 0.0], "{load}");
    }
    // A biased or explicit read is a plain one, and so is that of another sampler or kind.
    let lowered = lower_with(&ps2("texldb r0, t0, s0"), &options);
    let plain = draw(&lowered).texture(0, texture()).input(("texcoord", 0), [0.25, 0.25, 0.0, 0.0]).color();
    assert_eq!(plain, [0.0, 99.0, 99.0, 99.0]);
    let lowered = lower_with(&ps2("texld r0, t0, s0"), &Options { fetch4: 2, ..Options::default() });
    let plain = draw(&lowered).texture(0, texture()).input(("texcoord", 0), [0.75, 0.25, 0.0, 0.0]).color();
    assert_eq!(plain, [1.0, 99.0, 99.0, 99.0]);
}

#[test]
fn texldp_w_zero() {
    // The IEEE quotient: infinities, which the clamp takes to the edges. Sampled anyway.
    let lowered = lower(&ps2("texldp r0, t0, s0"));
    for (x, y, want) in [(1.0, 1.0, [0.875, 0.875]), (-1.0, 1.0, [0.125, 0.875])] {
        let color = draw(&lowered).texture(0, place_texture(4)).input(("texcoord", 0), [x, y, 0.0, 0.0]).color();
        assert_eq!(color[..2], want);
    }
}

#[test]
fn texldp_divides_all_coordinates_of_a_volume() {
    let text = "ps_2_0\ndcl t0\ndcl_volume s0\ntexldp r0, t0, s0\nmov oC0, r0\n";
    let texels: Vec<f32> = (0..8).flat_map(|n| [n as f32, 0.0, 0.0, 0.0]).collect();
    let texture = || Texture::from_f32(Shape::d3(2, 2, 2), &texels).expect("a texture");
    let lowered = lower(text);
    for (coordinate, want) in [([1.0, 1.0, 3.0, 4.0], 4.0), ([3.0, 1.0, 3.0, 4.0], 5.0), ([1.0, 3.0, 1.0, 4.0], 2.0)] {
        assert_eq!(draw(&lowered).texture(0, texture()).input(("texcoord", 0), coordinate).color()[0], want);
    }
}

/// A constant as the coordinate, swizzles in ps_2_0, and a result straight to a target: feature level 9 compilers do that.
#[test]
fn forms_of_level_9() {
    for body in [
        "texld r0, t0.wzyx, s0\nmov oC0, r0",
        "mov r1, t0.wzyx\ntexld r0, r1, s0\nmul oC0, r0, c9.x",
        "texld oC0, t0.wzyx, s0",
    ] {
        let lowered = lower(&format!("ps_2_0\ndcl t0\ndcl_2d s0\n{body}\n"));
        let draw = draw(&lowered)
            .texture(0, place_texture(4))
            .c(9, [1.0; 4])
            .input(("texcoord", 0), [0.0, 0.0, CENTRE[1], CENTRE[0]]);
        assert_eq!(draw.color(), [CENTRE[0], CENTRE[1], 0.25, 1.0], "{body}");
    }
    let lowered = lower("ps_2_x\ndcl_2d s0\ntexldd oC0, c0, s0, c1, c1\n");
    let draw = draw(&lowered).texture(0, place_texture(4)).c(0, [CENTRE[0], CENTRE[1], 0.0, 0.0]);
    assert_eq!(draw.color(), [CENTRE[0], CENTRE[1], 0.25, 1.0]);
}

/// Gradients of a cube are directions of three lanes; those of a 2D texture take two, after the swizzle.
#[test]
fn texldd_lanes_by_kind() {
    let levels: Vec<f32> =
        [(4u32, 0.0), (2, 1.0), (1, 2.0)].into_iter().flat_map(|(n, l)| vec![l; (4 * n * n) as usize]).collect();
    let sampler = Sampler { mip: MipFilter::Point, min: Filter::Point, ..Sampler::default() };
    let flat = lower("ps_2_x\ndcl t0\ndcl_2d s0\ntexldd r0, t0, s0, c0.zwxy, c1\nmov oC0, r0\n");
    let texture = Texture::from_f32(Shape::d2(4, 4).with_levels(3), &levels).expect("a texture");
    let draw_flat = draw(&flat).texture_with(0, texture, sampler.clone()).c(0, [9.0, 9.0, 0.5, 0.0]);
    assert_eq!(draw_flat.color()[0], 1.0);
    let cube = lower("ps_2_x\ndcl t0\ndcl_cube s0\ntexldd r0, t0, s0, c0, c1\nmov oC0, r0\n");
    let levels: Vec<f32> =
        [(4u32, 0.0), (2, 1.0), (1, 2.0)].into_iter().flat_map(|(n, l)| vec![l; (24 * n * n) as usize]).collect();
    for (dz, want) in [(0.25, 0.0), (1.0, 1.0)] {
        let texture = Texture::from_f32(Shape::cube(4).with_levels(3), &levels).expect("a texture");
        // Along +x, z is across the face: a step of 1 is half its two units, 2 of 4 texels.
        let draw = draw(&cube)
            .texture_with(0, texture, sampler.clone())
            .c(0, [0.0, 0.0, dz, 0.0])
            .input(("texcoord", 0), [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(draw.color()[0], want, "{dz}");
    }
}

/// Modifiers, masks and predicates of the result.
#[test]
fn results_of_texture_reads() {
    let lowered =
        lower("ps_2_x\ndcl t0\ndcl_2d s0\nmov r0, c0\nsetp_gt p0, c1, c2\n(p0) texld r0, t0, s0\nmov oC0, r0\n");
    let texture = || texture_2d(1, 1, |_, _| [5.0, 6.0, 7.0, 8.0]);
    let draw = draw(&lowered).texture(0, texture()).c(0, [1.0; 4]).c(1, [1.0, 0.0, 0.0, 1.0]);
    assert_eq!(draw.color(), [5.0, 1.0, 1.0, 8.0]);
    let lowered = lower(&ps2("mov r0, c0\ntexld r0.yw, t0, s0"));
    assert_eq!(crate::shader::draw(&lowered).texture(0, texture()).c(0, [1.0; 4]).color(), [1.0, 6.0, 1.0, 8.0]);
}
