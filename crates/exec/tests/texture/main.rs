//! Sampling against values worked out by hand from the rules in the module's documentation.

mod cube;
mod texels;

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
