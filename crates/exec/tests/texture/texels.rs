//! Storage: fetching, storing, encodings, mip chains, view swizzles.

use super::*;

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
