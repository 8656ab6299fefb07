//! Sampling against values worked out by hand from the rules in the module's documentation.

use aquatint_exec::compare::Compare;
use aquatint_exec::texture::{
    Address, Channel, Coord, Detail, Dimension, Encoding, Extent, Face, FaceCoord, Filter, MAX_EXTENT, MipFilter,
    Sampler, Shape, ShapeError, Swizzle, Texture, UNBOUND,
};

/// A 2D texture whose red is the value, in rows.
fn red(width: u32, values: &[f32]) -> Texture {
    let rgba: Vec<f32> = values.iter().flat_map(|&value| [value, 0.0, 0.0, 1.0]).collect();
    Texture::from_f32(Shape::d2(width, values.len() as u32 / width), &rgba).expect("a good shape")
}

/// A texture whose level `n` is all `n`.
fn numbered_levels(shape: Shape) -> Texture {
    let mut texture = Texture::zeroed(shape).expect("a good shape");
    let faces = if shape.dimension == Dimension::Cube { 6 } else { 1 };
    for level in 0..shape.levels {
        let Extent { width, height, depth } = texture.size(level);
        for layer in 0..(shape.layers * faces) as i32 {
            for z in 0..depth as i32 {
                for y in 0..height as i32 {
                    for x in 0..width as i32 {
                        assert!(texture.store([x, y, z], layer, level as i32, [level as f32; 4]));
                    }
                }
            }
        }
    }
    texture
}

fn at(u: f32, v: f32) -> Coord {
    Coord::new([u, v, 0.0])
}

fn sample_red(texture: &Texture, sampler: &Sampler, coord: Coord) -> f32 {
    texture.sample(sampler, &coord, &Detail::ZERO)[0]
}

fn close(a: f32, b: f32) {
    assert!((a - b).abs() <= 1e-6 * b.abs().max(1.0), "{a} is not {b}");
}

#[test]
fn address_modes_by_texel() {
    use Address::{Border, Clamp, Mirror, MirrorOnce, Wrap};
    // Texels −9 … 9 of an axis of 4. −1 is the border.
    let table: [(Address, [i64; 19]); 5] = [
        (Wrap, [3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1]),
        (Mirror, [0, 0, 1, 2, 3, 3, 2, 1, 0, 0, 1, 2, 3, 3, 2, 1, 0, 0, 1]),
        (Clamp, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3, 3]),
        (Border, [-1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 1, 2, 3, -1, -1, -1, -1, -1, -1]),
        (MirrorOnce, [3, 3, 3, 3, 3, 3, 2, 1, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3, 3]),
    ];
    for (mode, expected) in table {
        for (i, expected) in (-9..=9).zip(expected) {
            assert_eq!(mode.resolve(i, 4).map_or(-1, i64::from), expected, "{mode:?} {i}");
        }
    }
}

#[test]
fn address_modes_by_coordinate() {
    let texture = red(4, &[10.0, 11.0, 12.0, 13.0]);
    let sampler = |mode| Sampler { border: [99.0, 0.0, 0.0, 0.0], ..Sampler::point(mode) };
    let table = [
        // u, wrap, mirror, clamp, border, mirror once
        (0.0, [10.0, 10.0, 10.0, 10.0, 10.0]),
        (0.24, [10.0, 10.0, 10.0, 10.0, 10.0]),
        (0.25, [11.0, 11.0, 11.0, 11.0, 11.0]),
        (0.999, [13.0, 13.0, 13.0, 13.0, 13.0]),
        (1.0, [10.0, 13.0, 13.0, 99.0, 13.0]),
        (1.3, [11.0, 12.0, 13.0, 99.0, 13.0]),
        (-0.1, [13.0, 10.0, 10.0, 99.0, 10.0]),
        (-0.6, [11.0, 12.0, 10.0, 99.0, 12.0]),
        (-1e-30, [13.0, 10.0, 10.0, 99.0, 10.0]),
        (-7.1, [13.0, 13.0, 10.0, 99.0, 13.0]), // texel −29: phase 3 of 4, and of 8
        (1001.3, [11.0, 12.0, 13.0, 99.0, 13.0]),
        (1e20, [10.0, 10.0, 13.0, 99.0, 13.0]),
        (-1e20, [10.0, 10.0, 10.0, 99.0, 13.0]),
        (f32::INFINITY, [10.0, 10.0, 13.0, 99.0, 13.0]),
        (f32::NEG_INFINITY, [10.0, 10.0, 10.0, 99.0, 13.0]),
        (f32::NAN, [10.0, 10.0, 10.0, 10.0, 10.0]),
    ];
    for (u, expected) in table {
        for (number, expected) in (1..=5).zip(expected) {
            let mode = Address::from_d3d9(number).expect("five modes");
            assert_eq!(sample_red(&texture, &sampler(mode), at(u, 0.5)), expected, "{mode:?} {u}");
        }
    }
    assert_eq!(Address::from_d3d9(0), None);
    assert_eq!(Address::from_d3d9(6), None);
}

#[test]
fn point_takes_the_texel_that_holds_the_coordinate() {
    let texture = red(3, &[0.0, 1.0, 2.0]);
    for i in 0..300 {
        let u = (i as f32 + 0.5) / 300.0;
        assert_eq!(sample_red(&texture, &Sampler::point(Address::Clamp), at(u, 0.5)), (i / 100) as f32);
    }
}

#[test]
fn linear_weights() {
    let texture = red(2, &[0.0, 8.0, 16.0, 32.0]);
    let sampler = Sampler::linear(Address::Clamp);
    let value = |u, v| sample_red(&texture, &sampler, at(u, v));
    assert_eq!(value(0.25, 0.25), 0.0);
    assert_eq!(value(0.75, 0.25), 8.0);
    assert_eq!(value(0.5, 0.25), 4.0);
    assert_eq!(value(0.375, 0.25), 2.0);
    assert_eq!(value(0.5, 0.5), (8.0 + 16.0 + 32.0) / 4.0);
    assert_eq!(value(0.25, 0.5), 8.0);
    // The weight of texel (1, 1) at (5/8, 3/8) is ¾ · ¼.
    assert_eq!(value(0.625, 0.375), 8.0 * 0.75 * 0.75 + 16.0 * 0.25 * 0.25 + 32.0 * 0.75 * 0.25);
    // Beyond the last centre: the edge for clamp, the first texel for wrap, the border for border.
    assert_eq!(value(1.0, 0.25), 8.0);
    assert_eq!(sample_red(&texture, &Sampler::linear(Address::Wrap), at(1.0, 0.25)), 4.0);
    assert_eq!(sample_red(&texture, &Sampler::linear(Address::Wrap), at(0.0, 0.25)), 4.0);
    let border = Sampler { border: [100.0, 0.0, 0.0, 0.0], ..Sampler::linear(Address::Border) };
    assert_eq!(sample_red(&texture, &border, at(1.0, 0.25)), 54.0);
}

#[test]
fn linear_volume_and_line() {
    let values: Vec<f32> = (0..8).flat_map(|i| [(1 << i) as f32, 0.0, 0.0, 0.0]).collect();
    let volume = Texture::from_f32(Shape::d3(2, 2, 2), &values).expect("a good shape");
    let sampler = Sampler::linear(Address::Clamp);
    assert_eq!(volume.sample(&sampler, &Coord::new([0.5; 3]), &Detail::ZERO)[0], 255.0 / 8.0);
    assert_eq!(volume.sample(&sampler, &Coord::new([0.25, 0.25, 0.5]), &Detail::ZERO)[0], (1.0 + 16.0) / 2.0);
    let line = Texture::from_f32(Shape::d1(2), &[0.0, 0.0, 0.0, 0.0, 4.0, 4.0, 4.0, 4.0]).expect("a good shape");
    assert_eq!(line.sample(&sampler, &Coord::new([0.5, 77.0, f32::NAN]), &Detail::ZERO), [2.0; 4]);
}

#[test]
fn a_weight_of_zero_reads_one_texel() {
    let texture = red(2, &[1.0, f32::INFINITY]);
    assert_eq!(sample_red(&texture, &Sampler::linear(Address::Clamp), at(0.25, 0.5)), 1.0);
}

#[test]
fn offsets_come_before_the_address_mode() {
    let texture = red(4, &[0.0, 1.0, 2.0, 3.0]);
    let coord = |offset| Coord { offset: [offset, 0, 0], ..at(0.125, 0.5) };
    for (offset, wrap, clamp) in [(0, 0.0, 0.0), (1, 1.0, 1.0), (-1, 3.0, 0.0), (7, 3.0, 3.0), (-8, 0.0, 0.0)] {
        assert_eq!(sample_red(&texture, &Sampler::point(Address::Wrap), coord(offset)), wrap);
        assert_eq!(sample_red(&texture, &Sampler::linear(Address::Clamp), coord(offset)), clamp);
    }
    let extreme = Coord { offset: [i32::MAX, i32::MIN, 0], ..at(f32::MAX, f32::MIN) };
    assert!(sample_red(&texture, &Sampler::linear(Address::Mirror), extreme).is_finite());
}

#[test]
fn unnormalised_coordinates_count_texels() {
    let texture = red(4, &[0.0, 1.0, 2.0, 3.0]);
    let sampler = Sampler { unnormalised: true, ..Sampler::linear(Address::Clamp) };
    assert_eq!(sample_red(&texture, &sampler, at(1.5, 0.5)), 1.0);
    assert_eq!(sample_red(&texture, &sampler, at(2.0, 0.5)), 1.5);
}

#[test]
fn array_layers_round_to_even_and_clamp() {
    let values: Vec<f32> = (0..4).flat_map(|i| [i as f32, 0.0, 0.0, 0.0]).collect();
    let texture = Texture::from_f32(Shape::d2(1, 1).with_layers(4), &values).expect("a good shape");
    let cases = [(-3.0, 0.0), (0.4, 0.0), (0.5, 0.0), (0.6, 1.0), (1.5, 2.0), (2.5, 2.0), (9.0, 3.0), (f32::NAN, 0.0)];
    for (layer, expected) in cases {
        assert_eq!(sample_red(&texture, &Sampler::point(Address::Wrap), Coord { layer, ..at(0.5, 0.5) }), expected);
    }
}

#[test]
fn levels_by_gradient() {
    let texture = numbered_levels(Shape::d2(256, 64).with_all_levels());
    assert_eq!(texture.levels(), 9);
    let value = |sampler: &Sampler, ddx: [f32; 3], ddy: [f32; 3]| {
        texture.sample(sampler, &at(0.5, 0.5), &Detail::gradient(ddx, ddy))[0]
    };
    let linear = Sampler::linear(Address::Wrap);
    let texels = |x: f32, y: f32| [x / 256.0, y / 64.0, 0.0];
    assert_eq!(value(&linear, texels(1.0, 0.0), texels(0.0, 1.0)), 0.0);
    assert_eq!(value(&linear, texels(4.0, 0.0), texels(0.0, 1.0)), 2.0);
    assert_eq!(value(&linear, texels(1.0, 0.0), texels(0.0, 8.0)), 3.0);
    close(value(&linear, texels(3.0, 4.0), texels(0.0, 0.0)), 5.0_f32.log2());
    close(value(&linear, texels(6.0, 0.0), texels(0.0, 0.0)), 6.0_f32.log2());
    assert_eq!(value(&linear, texels(1e9, 0.0), texels(0.0, 0.0)), 8.0);
    assert_eq!(value(&linear, [0.0; 3], [0.0; 3]), 0.0);
    assert_eq!(value(&linear, [f32::NAN; 3], [f32::NAN; 3]), 0.0);
    assert_eq!(value(&linear, [f32::INFINITY; 3], [0.0; 3]), 8.0);
    // The nearest level: 2.49 is 2, 2.5 is 3.
    let nearest = Sampler { mip: MipFilter::Point, ..linear.clone() };
    for (lod, expected) in [(-1.0, 0.0), (0.49, 0.0), (0.5, 1.0), (2.49, 2.0), (2.5, 3.0), (99.0, 8.0)] {
        assert_eq!(texture.sample(&nearest, &at(0.5, 0.5), &Detail::Level(lod))[0], expected, "{lod}");
    }
    let none = Sampler { mip: MipFilter::None, ..linear };
    assert_eq!(value(&none, texels(64.0, 0.0), texels(0.0, 0.0)), 0.0);
}

#[test]
fn bias_and_range_of_the_level() {
    let texture = numbered_levels(Shape::d2(256, 256).with_all_levels());
    let value = |sampler: &Sampler, detail: Detail| texture.sample(sampler, &at(0.5, 0.5), &detail)[0];
    let gradient = |bias, min_lod| {
        let four = [4.0 / 256.0, 0.0, 0.0];
        Detail::Gradient { ddx: four, ddy: four, bias, min_lod }
    };
    let linear = Sampler::linear(Address::Wrap);
    assert_eq!(value(&linear, gradient(1.5, 0.0)), 3.5);
    assert_eq!(value(&linear, gradient(-9.0, 0.0)), 0.0);
    assert_eq!(value(&linear, gradient(0.0, 5.25)), 5.25);
    let biased = Sampler { lod_bias: 0.5, ..linear.clone() };
    assert_eq!(value(&biased, gradient(0.25, 0.0)), 2.75);
    assert_eq!(value(&biased, Detail::Level(3.0)), 3.5);
    let ranged = Sampler { min_lod: 3.0, max_lod: 4.5, ..linear };
    assert_eq!(value(&ranged, gradient(0.0, 0.0)), 3.0);
    assert_eq!(value(&ranged, Detail::Level(7.0)), 4.5);
    // MAXMIPLEVEL without mip filtering fixes the level.
    let fixed = Sampler::d3d9([2, 2, 0], [3; 3], 0, 0.0, 2, 1);
    assert_eq!(value(&fixed, Detail::Level(0.0)), 2.0);
    let query = texture.query_lod(&ranged, &at(0.5, 0.5), &gradient(0.0, 0.0));
    assert_eq!((query.level, query.lambda), (3.0, 2.0));
}

#[test]
fn magnification_and_minification_filters() {
    let texture = red(2, &[0.0, 8.0]);
    let sampler = Sampler { mag: Filter::Point, ..Sampler::linear(Address::Clamp) };
    let value = |lod| texture.sample(&sampler, &at(0.5, 0.5), &Detail::Level(lod))[0];
    assert_eq!(value(0.0), 8.0);
    assert_eq!(value(-1.0), 8.0);
    assert_eq!(value(0.1), 4.0);
}

#[test]
fn anisotropy_spares_levels() {
    let texture = numbered_levels(Shape::d2(256, 256).with_all_levels());
    let value = |max_anisotropy, x: f32, y: f32| {
        let sampler = Sampler { max_anisotropy, ..Sampler::linear(Address::Wrap) };
        let detail = Detail::gradient([x / 256.0, 0.0, 0.0], [0.0, y / 256.0, 0.0]);
        texture.sample(&sampler, &at(0.5, 0.5), &detail)[0]
    };
    close(value(1, 16.0, 4.0), 4.0);
    close(value(16, 16.0, 4.0), 2.0); // 4 probes of 4 texels
    close(value(2, 16.0, 4.0), 3.0); // 2 probes of 8 texels
    close(value(16, 8.0, 8.0), 3.0);
    close(value(16, 64.0, 0.0), 2.0); // 16 probes of 4 texels
}

#[test]
fn quad_derivatives_are_shared() {
    let texture = numbered_levels(Shape::d2(64, 64).with_all_levels());
    let lanes = [(0.1, 0.1), (0.1 + 4.0 / 64.0, 0.1), (0.1, 0.1 + 2.0 / 64.0), (9.0, 9.0)];
    let quad = lanes.map(|(u, v)| at(u, v));
    let result = texture.sample_quad(&Sampler::linear(Address::Wrap), &quad, [0.0, 1.0, -1.0, 0.0], 0.0);
    for (lane, expected) in result.iter().zip([2.0, 3.0, 1.0, 2.0]) {
        close(lane[0], expected);
    }
    let alike = texture.sample_quad(&Sampler::linear(Address::Wrap), &quad, [0.5; 4], 0.0);
    alike.iter().for_each(|lane| close(lane[0], 2.5));
    let least = texture.sample_quad(&Sampler::linear(Address::Wrap), &quad, [0.0; 4], 4.0);
    least.iter().for_each(|lane| close(lane[0], 4.0));
}

#[test]
fn cube_face_table() {
    // The documented table of Direct3D, Vulkan and Metal: major axis, then s and t.
    let table = [
        (Face::PosX, [4.0, 1.0, 2.0], (-2.0, -1.0)),
        (Face::NegX, [-4.0, 1.0, 2.0], (2.0, -1.0)),
        (Face::PosY, [1.0, 4.0, 2.0], (1.0, 2.0)),
        (Face::NegY, [1.0, -4.0, 2.0], (1.0, -2.0)),
        (Face::PosZ, [1.0, 2.0, 4.0], (1.0, -2.0)),
        (Face::NegZ, [1.0, 2.0, -4.0], (-1.0, -2.0)),
    ];
    for (face, direction, (s, t)) in table {
        let expected = FaceCoord { face, uv: [(s / 4.0 + 1.0) / 2.0, (t / 4.0 + 1.0) / 2.0] };
        assert_eq!(FaceCoord::of(direction), expected, "{direction:?}");
        let back = face.direction(expected.uv);
        assert_eq!(FaceCoord::of(back), expected);
    }
    assert_eq!(Face::of([1.0, 1.0, 1.0]), Face::PosZ);
    assert_eq!(Face::of([-1.0, -1.0, 0.0]), Face::NegY);
    assert_eq!(FaceCoord::of([0.0; 3]), FaceCoord { face: Face::PosZ, uv: [0.5, 0.5] });
    assert_eq!(Face::of([f32::NAN, 0.0, -1.0]), Face::NegZ);
}

/// A cube of 2×2 faces, whose red is 100 · face + 10 · row + column.
fn cube() -> Texture {
    let texel = |i: u32| [(i / 4 * 100 + i % 4 / 2 * 10 + i % 2) as f32, 0.0, 0.0, 1.0];
    let rgba: Vec<f32> = (0..24).flat_map(texel).collect();
    Texture::from_f32(Shape::cube(2), &rgba).expect("a good shape")
}

#[test]
fn cube_point_and_layers() {
    let texture = cube();
    let sampler = Sampler::point(Address::Wrap);
    let value = |direction| sample_red(&texture, &sampler, Coord::new(direction));
    assert_eq!(value([1.0, 0.5, 0.5]), 0.0); // s −½, t −½: the upper left
    assert_eq!(value([-1.0, -0.5, 0.5]), 111.0);
    assert_eq!(value([0.5, 9.0, 0.5]), 211.0);
    assert_eq!(value([0.0, 0.0, -1.0]), 511.0);
    assert_eq!(value([0.1, 0.1, f32::INFINITY]), 411.0); // the middle
    let mut array = Texture::zeroed(Shape::cube(2).with_layers(2)).expect("a good shape");
    assert!(array.store([0, 0, 0], 6 + Face::NegY as i32, 0, [7.0; 4]));
    let coord = Coord { layer: 1.0, ..Coord::new([-0.5, -1.0, 0.5]) };
    assert_eq!(sample_red(&array, &sampler, coord), 7.0);
    assert_eq!(sample_red(&array, &sampler, Coord { layer: 0.0, ..coord }), 0.0);
}

#[test]
fn cube_edges_seamless_or_not() {
    let texture = cube();
    let seamless = Sampler::linear(Address::Wrap);
    let within = Sampler { seamless: false, ..seamless.clone() };
    // Between +Z (right column, s → 1) and +X (left column), level with the upper row (t = −½).
    let on_z = Coord::new([1.0, 0.5, 1.0]);
    assert_eq!(Face::of(on_z.at), Face::PosZ);
    assert_eq!(sample_red(&texture, &within, on_z), 401.0);
    assert_eq!(sample_red(&texture, &seamless, on_z), (401.0 + 0.0) / 2.0);
    // Between +Z (upper row) and +Y (lower row), level with the left column.
    assert_eq!(sample_red(&texture, &seamless, Coord::new([-0.5, 1.0, 1.0])), (400.0 + 210.0) / 2.0);
    // Between +X (upper row) and +Y (right column): +X has s = −z, so z = ½ is its left column; +Y has t = z.
    assert_eq!(sample_red(&texture, &seamless, Coord::new([1.0, 1.0, 0.5])), (0.0 + 211.0) / 2.0);
    // Between −Z (left column, s = −x) and +X (right column).
    assert_eq!(sample_red(&texture, &seamless, Coord::new([1.0, -0.5, -1.0])), (510.0 + 11.0) / 2.0);
}

#[test]
fn cube_corner_is_the_mean_of_three() {
    let texture = cube();
    // +X +Y +Z: texels (0,0) of +X, (1,1) of +Y, (1,0) of +Z; the fourth is their mean, so that all is their mean.
    let value = sample_red(&texture, &Sampler::linear(Address::Wrap), Coord::new([1.0; 3]));
    close(value, (0.0 + 211.0 + 401.0) / 3.0);
}

#[test]
fn cube_seamless_is_continuous_over_every_edge() {
    // Across each edge of the cube the value from either face is the same.
    let texel = |i: u32| [(i.wrapping_mul(2_654_435_761) >> 20) as f32 / 4096.0, 0.0, 0.0, 1.0];
    let rgba: Vec<f32> = (0..6 * 16).flat_map(texel).collect();
    let texture = Texture::from_f32(Shape::cube(4), &rgba).expect("a good shape");
    let sampler = Sampler::linear(Address::Wrap);
    let axes = [(0, 1, 2), (0, 2, 1), (1, 2, 0)];
    for (a, b, along) in axes {
        for signs in 0..4 {
            for step in -7..=7 {
                let mut direction = [0.0; 3];
                direction[along] = step as f32 / 8.0;
                let value = |shift_a: f32, shift_b: f32| {
                    let mut direction = direction;
                    direction[a] = if signs & 1 == 0 { 1.0 } else { -1.0 } * (1.0 + shift_a);
                    direction[b] = if signs & 2 == 0 { 1.0 } else { -1.0 } * (1.0 + shift_b);
                    sample_red(&texture, &sampler, Coord::new(direction))
                };
                let (one, other) = (value(1e-6, 0.0), value(0.0, 1e-6));
                assert!((one - other).abs() < 1e-4, "{one} {other} over edge {a}{b} {signs} at {step}");
            }
        }
    }
}

#[test]
fn cube_level_from_face_gradients() {
    let texture = numbered_levels(Shape::cube(64).with_all_levels());
    // u = (x/z + 1)/2: a change of 1/8 in x at z = 1 is 1/16 of the face, 4 texels.
    let detail = Detail::gradient([0.125, 0.0, 0.0], [0.0; 3]);
    let value = |direction| texture.sample(&Sampler::linear(Address::Wrap), &Coord::new(direction), &detail)[0];
    close(value([0.0, 0.0, 1.0]), 2.0);
    close(value([0.0, 0.0, 2.0]), 1.0);
    close(value([0.0, -1.0, 0.0]), 2.0);
    // Along the major axis only the quotient moves: at (x, 0, 1) with dz = ⅛, |du| = x/16.
    let along = Detail::gradient([0.0, 0.0, 0.125], [0.0; 3]);
    let value = texture.sample(&Sampler::linear(Address::Wrap), &Coord::new([0.5, 0.0, 1.0]), &along)[0];
    close(value, 1.0);
}

#[test]
fn gather_order() {
    let texture = red(2, &[1.0, 2.0, 3.0, 4.0]);
    let sampler = Sampler::point(Address::Clamp);
    // (u low, v high), (high, high), (high, low), (low, low).
    assert_eq!(texture.gather(&sampler, &at(0.5, 0.5), 0), [3.0, 4.0, 2.0, 1.0]);
    assert_eq!(texture.gather(&sampler, &at(0.5, 0.5), 3), [1.0; 4]);
    assert_eq!(texture.gather(&sampler, &at(0.1, 0.1), 0), [1.0; 4]);
    let shifted = Coord { offset: [1, 0, 0], ..at(0.5, 0.5) };
    assert_eq!(texture.gather(&sampler, &shifted, 0), [4.0, 4.0, 2.0, 2.0]);
    let view = texture.clone().with_swizzle(Swizzle([Channel::Zero, Channel::R, Channel::One, Channel::A]));
    assert_eq!(view.gather(&sampler, &at(0.5, 0.5), 0), [0.0; 4]);
    assert_eq!(view.gather(&sampler, &at(0.5, 0.5), 1), [3.0, 4.0, 2.0, 1.0]);
    assert_eq!(view.gather(&sampler, &at(0.5, 0.5), 2), [1.0; 4]);
    let less = Sampler { compare: Compare::Less, ..sampler };
    assert_eq!(texture.gather_compare(&less, &at(0.5, 0.5), 2.5), [1.0, 1.0, 0.0, 0.0]);
}

#[test]
fn compare_is_weighted_after_comparing() {
    let texture = red(2, &[0.25, 0.75]);
    let sampler = Sampler { compare: Compare::LessEqual, ..Sampler::linear(Address::Clamp) };
    let value = |u, reference| texture.sample_compare(&sampler, &at(u, 0.5), &Detail::ZERO, reference);
    assert_eq!(value(0.5, 0.5), 0.5);
    assert_eq!(value(0.625, 0.5), 0.75);
    assert_eq!(value(0.5, 0.25), 1.0);
    assert_eq!(value(0.5, 0.8), 0.0);
    assert_eq!(value(0.5, f32::NAN), 0.0);
    // All eight functions, reference against texel 0.25.
    let functions = [
        (0.2, [0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0]),
        (0.25, [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0]),
        (0.3, [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0]),
    ];
    for (reference, expected) in functions {
        for (number, expected) in (1..=8).zip(expected) {
            let compare = Compare::from_d3d9(number).expect("eight functions");
            let sampler = Sampler { compare, ..Sampler::point(Address::Clamp) };
            let value = texture.sample_compare(&sampler, &at(0.1, 0.5), &Detail::ZERO, reference);
            assert_eq!(value, expected, "{compare:?} {reference}");
        }
    }
    // A reference above 1 is clamped for fixed-point texels only.
    let mut ones = red(1, &[1.0]);
    assert_eq!(ones.sample_compare(&sampler, &at(0.5, 0.5), &Detail::ZERO, 1.5), 0.0);
    ones.fixed_point = true;
    assert_eq!(ones.sample_compare(&sampler, &at(0.5, 0.5), &Detail::ZERO, 1.5), 1.0);
}

#[test]
fn fetch_and_store() {
    let mut texture = numbered_levels(Shape::d2(4, 2).with_all_levels());
    assert_eq!(texture.fetch([0, 0, 0], 0, 2), [2.0; 4]);
    for (place, layer, level) in [
        ([4, 0, 0], 0, 0),
        ([0, 2, 0], 0, 0),
        ([-1, 0, 0], 0, 0),
        ([0, 0, 1], 0, 0),
        ([0, 0, 0], 1, 0),
        ([2, 0, 0], 0, 1),
        ([0, 0, 0], 0, 3),
        ([i32::MIN; 3], i32::MAX, i32::MIN),
    ] {
        assert!(!texture.store(place, layer, level, [5.0; 4]));
        assert_eq!(texture.fetch(place, layer, level), [0.0; 4], "{place:?} {layer} {level}");
    }
    assert!(texture.store([3, 1, 0], 0, 0, [5.0, 6.0, 7.0, 8.0]));
    assert_eq!(texture.fetch([3, 1, 0], 0, 0), [5.0, 6.0, 7.0, 8.0]);
    assert_eq!(texture.fetch_bits([3, 1, 0], 0, 0, 0)[0], 5.0_f32.to_bits());
    // Formats without alpha read 1 there, outside too.
    let view = texture.with_swizzle(Swizzle::d3d9_format(22));
    assert_eq!(view.fetch([9, 9, 0], 0, 0), [0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn integer_texels_stay_whole() {
    let texels: Vec<u32> = (0..16).map(|i| u32::MAX - i).collect();
    let texture = Texture::from_u32(Shape::d2(2, 2), &texels).expect("a good shape");
    let sampler = Sampler::linear(Address::Clamp);
    let first = [u32::MAX, u32::MAX - 1, u32::MAX - 2, u32::MAX - 3];
    assert_eq!(texture.sample_bits(&sampler, &at(0.2, 0.2), &Detail::ZERO), first);
    assert_eq!(texture.fetch_bits([0, 0, 0], 0, 0, 0), first);
    assert_eq!(texture.fetch_bits([2, 0, 0], 0, 0, 0), [0; 4]);
    let order = [8, 12, 4, 0].map(|i| u32::MAX - i);
    assert_eq!(texture.gather_bits(&sampler, &at(0.5, 0.5), 0), order);
    let border = Sampler { border: [-1.0, 2.0, 0.0, 1.0], ..Sampler::point(Address::Border) };
    assert_eq!(texture.sample_bits(&border, &at(7.0, 0.5), &Detail::ZERO), [u32::MAX, 2, 0, 1]);
}

#[test]
fn multisampled_fetch() {
    let values: Vec<f32> = (0..8).flat_map(|i| [i as f32; 4]).collect();
    let texture = Texture::from_f32(Shape::d2(2, 1).with_samples(4), &values).expect("a good shape");
    assert_eq!(texture.fetch_sample([1, 0, 0], 0, 0, 2)[0], 5.0);
    assert_eq!(texture.fetch_sample([1, 0, 0], 0, 0, 4)[0], 0.0);
    let odd = Shape::d2(2, 2).with_samples(3);
    assert_eq!(Texture::zeroed(odd).err(), Some(ShapeError::Samples));
}

#[test]
fn sizes_and_bad_shapes() {
    let texture = Texture::zeroed(Shape::d3(9, 5, 2).with_all_levels()).expect("a good shape");
    assert_eq!(texture.levels(), 4);
    assert_eq!(texture.size(1), Extent { width: 4, height: 2, depth: 1 });
    assert_eq!(texture.size(3), Extent { width: 1, height: 1, depth: 1 });
    assert_eq!(texture.size(4), Extent { width: 0, height: 0, depth: 0 });
    let error = |shape: Shape| Texture::zeroed(shape).err();
    assert_eq!(error(Shape::d2(0, 1)), Some(ShapeError::Empty));
    assert_eq!(error(Shape::d2(MAX_EXTENT + 1, 1)), Some(ShapeError::TooLarge));
    assert_eq!(error(Shape::d3(MAX_EXTENT, MAX_EXTENT, 2)), Some(ShapeError::TooLarge));
    assert_eq!(error(Shape::d2(8, 8).with_levels(5)), Some(ShapeError::Levels));
    assert_eq!(error(Shape::d3(2, 2, 2).with_layers(2)), Some(ShapeError::Dimension));
    let short = Texture::from_rgba8(Shape::d2(2, 2), &[0; 15], Encoding::Unorm).err();
    assert_eq!(short, Some(ShapeError::Data { expected: 16, found: 15 }));
}

#[test]
fn encodings() {
    let bytes = [0, 128, 255, 128];
    let texel =
        |encoding| Texture::from_rgba8(Shape::d1(1), &bytes, encoding).expect("a good shape").fetch([0; 3], 0, 0);
    assert_eq!(texel(Encoding::Unorm), [0.0, 128.0 / 255.0, 1.0, 128.0 / 255.0]);
    // IEC 61966-2-1: byte 128 is ((128/255 + 0.055)/1.055)^2.4 = 0.215 861; alpha stays.
    let srgb = texel(Encoding::Srgb);
    close(srgb[1], 0.215_860_5);
    assert_eq!([srgb[0], srgb[2], srgb[3]], [0.0, 1.0, 128.0 / 255.0]);
    // −128 and −127 are both −1.
    assert_eq!(texel(Encoding::Snorm), [0.0, -1.0, -1.0 / 127.0, -1.0]);
    for byte in 0..=255 {
        assert_eq!(aquatint_exec::srgb::to_byte(aquatint_exec::srgb::from_byte(byte)), byte);
    }
}

#[test]
fn mips_are_means_of_areas() {
    let mut values = vec![0.0_f32; 4 * 4 * 4];
    for (i, texel) in values.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        texel[0] = i as f32;
    }
    let mut texture = Texture::from_f32(Shape::d2(4, 4).with_all_levels(), &values).expect("a good shape");
    texture.generate_mips();
    assert_eq!(texture.fetch([0, 0, 0], 0, 1)[0], (0.0 + 1.0 + 4.0 + 5.0) / 4.0);
    assert_eq!(texture.fetch([1, 1, 0], 0, 1)[0], (10.0 + 11.0 + 14.0 + 15.0) / 4.0);
    assert_eq!(texture.fetch([0, 0, 0], 0, 2)[0], 7.5);
    // Three texels into one: a third each. Five into two: 1 + 1 + ½ each.
    let mut line = Texture::zeroed(Shape::d1(3).with_all_levels()).expect("a good shape");
    let mut five = Texture::zeroed(Shape::d1(5).with_all_levels()).expect("a good shape");
    for (x, value) in (0..).zip([3.0, 6.0, 30.0]) {
        assert!(line.store([x, 0, 0], 0, 0, [value; 4]));
    }
    line.generate_mips();
    close(line.fetch([0, 0, 0], 0, 1)[0], 13.0);
    for x in 0..5 {
        assert!(five.store([x, 0, 0], 0, 0, [10.0_f32.powi(x); 4]));
    }
    five.generate_mips();
    close(five.fetch([0, 0, 0], 0, 1)[0], (1.0 + 10.0 + 50.0) / 2.5);
    close(five.fetch([1, 0, 0], 0, 1)[0], (50.0 + 1000.0 + 10000.0) / 2.5);
    // A layer keeps to itself.
    let mut layers = Texture::zeroed(Shape::d2(2, 2).with_layers(2).with_all_levels()).expect("a good shape");
    assert!(layers.store([0, 0, 0], 1, 0, [4.0; 4]));
    layers.generate_mips();
    assert_eq!((layers.fetch([0; 3], 0, 1)[0], layers.fetch([0; 3], 1, 1)[0]), (0.0, 1.0));
}

#[test]
fn d3d9_missing_channels() {
    // Bytecode sheet 2.5, "Sampled formats with missing channels"; stored (r, g, b, a) = (2, 3, 4, 5).
    let table = [
        (28, [0.0, 0.0, 0.0, 5.0]),
        (50, [2.0, 2.0, 2.0, 1.0]),
        (81, [2.0, 2.0, 2.0, 1.0]),
        (51, [2.0, 2.0, 2.0, 5.0]),
        (52, [2.0, 2.0, 2.0, 5.0]),
        (111, [2.0, 1.0, 1.0, 1.0]),
        (114, [2.0, 1.0, 1.0, 1.0]),
        (34, [2.0, 3.0, 1.0, 1.0]),
        (112, [2.0, 3.0, 1.0, 1.0]),
        (115, [2.0, 3.0, 1.0, 1.0]),
        (60, [2.0, 3.0, 1.0, 1.0]),
        (64, [2.0, 3.0, 1.0, 1.0]),
        (22, [2.0, 3.0, 4.0, 1.0]),
        (23, [2.0, 3.0, 4.0, 1.0]),
        (21, [2.0, 3.0, 4.0, 5.0]),
        (0, [2.0, 3.0, 4.0, 5.0]),
    ];
    for (format, expected) in table {
        let texture = Texture::from_f32(Shape::d1(1), &[2.0, 3.0, 4.0, 5.0])
            .expect("a good shape")
            .with_swizzle(Swizzle::d3d9_format(format));
        for sampler in [Sampler::point(Address::Wrap), Sampler::linear(Address::Wrap)] {
            assert_eq!(texture.sample(&sampler, &at(0.5, 0.5), &Detail::ZERO), expected, "format {format}");
        }
    }
}

#[test]
fn d3d9_sampler_numbers() {
    let sampler = Sampler::d3d9([3, 2, 1], [1, 3, 5], 0x8040_20FF, -0.5, 2, 8);
    assert_eq!((sampler.min, sampler.mag, sampler.mip), (Filter::Linear, Filter::Linear, MipFilter::Point));
    assert_eq!(sampler.address, [Address::Wrap, Address::Clamp, Address::MirrorOnce]);
    assert_eq!(sampler.border, [64.0 / 255.0, 32.0 / 255.0, 1.0, 128.0 / 255.0]);
    assert_eq!((sampler.lod_bias, sampler.min_lod, sampler.max_anisotropy), (-0.5, 2.0, 8));
    assert_eq!(Sampler::d3d9([2, 2, 2], [1; 3], 0, 0.0, 0, 16).max_anisotropy, 1);
    assert_eq!(Sampler::d3d9([1, 1, 0], [1; 3], 0, 0.0, 0, 1), Sampler::default());
}

#[test]
fn sampler_unbound() {
    for dimension in [Dimension::D1, Dimension::D2, Dimension::D3, Dimension::Cube] {
        let texture = Texture::unbound(dimension);
        let border = Sampler { border: [9.0; 4], ..Sampler::linear(Address::Border) };
        assert_eq!(texture.sample(&border, &Coord::new([7.0; 3]), &Detail::Level(3.0)), UNBOUND);
        assert_eq!(texture.fetch([7; 3], 7, 7), [0.0, 0.0, 0.0, 1.0]);
        assert!(!texture.is_bound());
    }
}

#[test]
fn hostile_coordinates_do_not_panic() {
    let values = [0.0, -0.0, 1.0, -1.0, 1e-40, 1e30, -1e30, f32::MAX, f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
    let textures = [
        numbered_levels(Shape::d1(5).with_all_levels()),
        numbered_levels(Shape::d2(5, 3).with_layers(3).with_all_levels()),
        numbered_levels(Shape::d3(3, 4, 5).with_all_levels()),
        numbered_levels(Shape::cube(4).with_layers(2).with_all_levels()),
        numbered_levels(Shape::cube(1)),
    ];
    let mut samplers: Vec<Sampler> = (1..=5)
        .filter_map(Address::from_d3d9)
        .flat_map(|mode| [Sampler::point(mode), Sampler { max_anisotropy: 16, ..Sampler::linear(mode) }])
        .collect();
    samplers.push(Sampler { unnormalised: true, seamless: false, ..Sampler::linear(Address::Wrap) });
    samplers.push(Sampler {
        lod_bias: f32::NAN,
        min_lod: f32::INFINITY,
        max_lod: f32::NAN,
        ..Sampler::linear(Address::Mirror)
    });
    samplers.push(Sampler { min_lod: f32::NAN, max_lod: f32::NEG_INFINITY, ..Sampler::point(Address::Mirror) });
    for texture in &textures {
        for sampler in &samplers {
            for a in values {
                for b in values {
                    let coord = Coord { at: [a, b, a], layer: b, offset: [i32::MAX, i32::MIN, 0] };
                    let gradient = Detail::Gradient { ddx: [b, a, b], ddy: [a, b, 0.0], bias: a, min_lod: b };
                    for detail in [Detail::Level(b), gradient] {
                        let texel = texture.sample(sampler, &coord, &detail);
                        assert!(texel.iter().all(|lane| lane.is_finite()), "{coord:?} {detail:?}");
                        texture.sample_compare(sampler, &coord, &detail, a);
                        texture.sample_bits(sampler, &coord, &detail);
                        texture.query_lod(sampler, &coord, &detail);
                    }
                    texture.gather(sampler, &coord, 9);
                    texture.gather_bits(sampler, &coord, 0);
                }
            }
        }
    }
}
