//! Cube maps: faces, edges, corners.

use super::*;

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
