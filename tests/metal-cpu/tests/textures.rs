//! Every kind of texture and every method of it, against what `aquatint_exec::texture` gives for the same question.

use aquatint_exec::compare::Compare;
use aquatint_exec::raster::Topology;
use aquatint_exec::texture::{Address, Coord, Detail, Filter, MipFilter, Sampler, Shape, Texture};
use aquatint_metal_cpu::clang::{CompileOptions, compile};
use aquatint_metal_cpu::run::{Compute, Draw, Image, Runner, Stage, Target};

const HEAD: &str = "#include <metal_stdlib>\nusing namespace metal;\n";

/// An image whose texels are all different, within 0 and 1.
fn image(shape: Shape) -> Image {
    let mut made = Texture::zeroed(shape).expect("the shape is right");
    let mut values = Vec::new();
    let mut state = 12345_u32;
    for _ in 0..count(&mut made) * 4 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        values.push((state >> 8) as f32 / (1 << 24) as f32);
    }
    Image::float(shape, values)
}

fn integers(shape: Shape) -> Image {
    let mut made = Texture::zeroed(shape).expect("the shape is right");
    let values = (0..count(&mut made) as u32 * 4).map(|i| i * 7 + 1).collect();
    Image::integer(shape, values)
}

/// Texels of all levels.
fn count(texture: &mut Texture) -> usize {
    let shape = *texture.shape();
    let faces = if shape.dimension == aquatint_exec::texture::Dimension::Cube { 6 } else { 1 };
    let level = |level| {
        let size = shape.level(level);
        size.width * size.height * size.depth * shape.layers * faces * shape.samples
    };
    (0..shape.levels).map(level).sum::<u32>() as usize
}

/// Linear everywhere, mirrored, with a comparison.
fn sampler() -> Sampler {
    Sampler { compare: Compare::Less, ..Sampler::linear(Address::Mirror) }
}

/// The values of expressions of type float4, in a kernel with a texture `t` and a sampler `s`.
fn values(declaration: &str, image: &Image, expressions: &[&str]) -> Vec<[f32; 4]> {
    let mut text = format!(
        "{HEAD}kernel void k(device float4* to [[buffer(0)]], {declaration} t [[texture(0)]], sampler s [[sampler(0)]]) {{\n"
    );
    for (i, expression) in expressions.iter().enumerate() {
        text.push_str(&format!("    to[{i}] = {expression};\n"));
    }
    text.push_str("}\n");
    let mut stage = Stage::new(&text, "k");
    stage.buffers.push((0, vec![0; 16 * expressions.len()]));
    stage.textures.push((0, image.clone()));
    stage.samplers.push((0, sampler()));
    let written = Runner::new().dispatch(&Compute::new(stage, [1, 1, 1], [1, 1, 1])).expect("the kernel runs");
    floats(&written.buffers[0].1)
}

fn floats(bytes: &[u8]) -> Vec<[f32; 4]> {
    let word = |bytes: &[u8], i: usize| f32::from_le_bytes(std::array::from_fn(|k| bytes[4 * i + k]));
    bytes.chunks_exact(16).map(|texel| std::array::from_fn(|i| word(texel, i))).collect()
}

/// Compares expressions with what they should give.
fn check(declaration: &str, image: &Image, rows: &[(&str, [f32; 4])]) {
    let expressions: Vec<&str> = rows.iter().map(|row| row.0).collect();
    let given = values(declaration, image, &expressions);
    for ((expression, expected), given) in rows.iter().zip(given) {
        assert_eq!(
            given.map(f32::to_bits),
            expected.map(f32::to_bits),
            "{declaration}: {expression}: {given:?} for {expected:?}"
        );
    }
}

fn at(at: [f32; 3]) -> Coord {
    Coord::new(at)
}

fn at_layer(place: [f32; 3], layer: f32) -> Coord {
    Coord { layer, ..at(place) }
}

fn one(value: f32) -> [f32; 4] {
    [value, 0.0, 0.0, 0.0]
}

#[test]
fn texture1d() {
    let image = image(Shape::d1(7));
    let t = image.texture().expect("a texture");
    check(
        "texture1d<float>",
        &image,
        &[
            ("t.sample(s, 0.3f)", t.sample(&sampler(), &at([0.3, 0.0, 0.0]), &Detail::ZERO)),
            ("t.read(5u)", t.fetch([5, 0, 0], 0, 0)),
            ("t.read(9u)", [0.0; 4]),
            ("float4(t.get_width(), t.get_num_mip_levels(), 0.0f, 0.0f)", [7.0, 1.0, 0.0, 0.0]),
        ],
    );
}

#[test]
fn texture1d_array() {
    let image = image(Shape::d1(7).with_layers(3));
    let t = image.texture().expect("a texture");
    check(
        "texture1d_array<float>",
        &image,
        &[
            ("t.sample(s, 0.3f, 2u)", t.sample(&sampler(), &at_layer([0.3, 0.0, 0.0], 2.0), &Detail::ZERO)),
            ("t.read(5u, 1u)", t.fetch([5, 0, 0], 1, 0)),
            ("float4(t.get_width(), t.get_array_size(), 0.0f, 0.0f)", [7.0, 3.0, 0.0, 0.0]),
        ],
    );
}

#[test]
fn texture2d() {
    let image = image(Shape::d2(8, 5).with_all_levels());
    let t = image.texture().expect("a texture");
    let s = sampler();
    let uv = at([0.3, 1.2, 0.0]);
    let moved = Coord { offset: [3, -2, 0], ..uv };
    let gradient = Detail::gradient([0.2, 0.1, 0.0], [0.0, 0.3, 0.0]);
    let clamped = Detail::Gradient { ddx: [0.2, 0.1, 0.0], ddy: [0.0, 0.3, 0.0], bias: 0.0, min_lod: 2.5 };
    let pixels = Sampler {
        unnormalised: true,
        min: Filter::Linear,
        mag: Filter::Linear,
        address: [Address::Border; 3],
        border: [1.0; 4],
        seamless: true,
        ..Sampler::default()
    };
    check(
        "texture2d<float>",
        &image,
        &[
            ("t.sample(s, float2(0.3f, 1.2f))", t.sample(&s, &uv, &Detail::ZERO)),
            ("t.sample(s, float2(0.3f, 1.2f), int2(3, -2))", t.sample(&s, &moved, &Detail::ZERO)),
            ("t.sample(s, float2(0.3f, 1.2f), level(1.5f))", t.sample(&s, &uv, &Detail::Level(1.5))),
            ("t.sample(s, float2(0.3f, 1.2f), level(1.5f), int2(3, -2))", t.sample(&s, &moved, &Detail::Level(1.5))),
            (
                "t.sample(s, float2(0.3f, 1.2f), gradient2d(float2(0.2f, 0.1f), float2(0.0f, 0.3f)))",
                t.sample(&s, &uv, &gradient),
            ),
            (
                "t.sample(s, float2(0.3f, 1.2f), gradient2d(float2(0.2f, 0.1f), float2(0.0f, 0.3f)), min_lod_clamp(2.5f), int2(3, -2))",
                t.sample(&s, &moved, &clamped),
            ),
            ("t.gather(s, float2(0.3f, 1.2f))", t.gather(&s, &uv, 0)),
            ("t.gather(s, float2(0.3f, 1.2f), int2(3, -2), component::z)", t.gather(&s, &moved, 2)),
            ("t.read(uint2(6u, 4u))", t.fetch([6, 4, 0], 0, 0)),
            ("t.read(uint2(1u, 0u), 2u)", t.fetch([1, 0, 0], 0, 2)),
            ("t.read(ushort2(2, 1), ushort(1))", t.fetch([2, 1, 0], 0, 1)),
            ("t.read(uint2(8u, 0u))", [0.0; 4]),
            ("float4(t.get_width(), t.get_height(), t.get_width(1u), t.get_height(2u))", [8.0, 5.0, 4.0, 1.0]),
            ("float4(t.get_num_mip_levels(), t.get_width(9u), 0.0f, 0.0f)", [4.0, 0.0, 0.0, 0.0]),
            (
                "t.sample(sampler(coord::pixel, filter::linear, address::clamp_to_border, border_color::opaque_white), float2(7.75f, 2.0f))",
                t.sample(&pixels, &at([7.75, 2.0, 0.0]), &Detail::ZERO),
            ),
        ],
    );
}

#[test]
fn constexpr_samplers() {
    let image = image(Shape::d2(8, 4).with_all_levels());
    let t = image.texture().expect("a texture");
    let uv = at([1.3, -0.4, 0.0]);
    let text = format!(
        "{HEAD}constexpr sampler whole(filter::linear, mip_filter::linear, address::repeat);
        kernel void k(device float4* to [[buffer(0)]], texture2d<float> t [[texture(0)]]) {{
            constexpr sampler plain;
            constexpr sampler mixed(mag_filter::linear, min_filter::nearest, mip_filter::nearest,
                                    s_address::mirrored_repeat, t_address::clamp_to_zero, lod_clamp(1.0f, 2.0f));
            float2 uv = float2(1.3f, -0.4f);
            to[0] = t.sample(whole, uv, level(0.5f));
            to[1] = t.sample(plain, uv);
            to[2] = t.sample(mixed, uv, level(5.0f));
        }}"
    );
    let mut stage = Stage::new(&text, "k");
    stage.buffers.push((0, vec![0; 48]));
    stage.textures.push((0, image));
    let written = Runner::new().dispatch(&Compute::new(stage, [1, 1, 1], [1, 1, 1])).expect("the kernel runs");
    let plain = Sampler { address: [Address::Clamp; 3], ..Sampler::default() };
    let mixed = Sampler {
        min: Filter::Point,
        mag: Filter::Linear,
        mip: MipFilter::Point,
        address: [Address::Mirror, Address::Border, Address::Clamp],
        min_lod: 1.0,
        max_lod: 2.0,
        ..Sampler::default()
    };
    let expected = [
        t.sample(&Sampler::linear(Address::Wrap), &uv, &Detail::Level(0.5)),
        t.sample(&plain, &uv, &Detail::ZERO),
        t.sample(&mixed, &uv, &Detail::Level(5.0)),
    ];
    assert_eq!(floats(&written.buffers[0].1), expected);
}

#[test]
fn texture2d_array() {
    let image = image(Shape::d2(6, 5).with_layers(3).with_levels(2));
    let t = image.texture().expect("a texture");
    let s = sampler();
    let uv = at_layer([0.3, 0.7, 0.0], 1.0);
    let moved = Coord { offset: [-1, 1, 0], ..uv };
    check(
        "texture2d_array<float>",
        &image,
        &[
            ("t.sample(s, float2(0.3f, 0.7f), 1u)", t.sample(&s, &uv, &Detail::ZERO)),
            (
                "t.sample(s, float2(0.3f, 0.7f), 1u, level(0.5f), int2(-1, 1))",
                t.sample(&s, &moved, &Detail::Level(0.5)),
            ),
            ("t.sample(s, float2(0.3f, 0.7f), 9u)", t.sample(&s, &at_layer([0.3, 0.7, 0.0], 2.0), &Detail::ZERO)),
            ("t.gather(s, float2(0.3f, 0.7f), 1u, int2(-1, 1), component::w)", t.gather(&s, &moved, 3)),
            ("t.read(uint2(4u, 3u), 2u)", t.fetch([4, 3, 0], 2, 0)),
            ("t.read(uint2(1u, 1u), 2u, 1u)", t.fetch([1, 1, 0], 2, 1)),
            ("float4(t.get_width(), t.get_height(), t.get_array_size(), t.get_num_mip_levels())", [6.0, 5.0, 3.0, 2.0]),
        ],
    );
}

#[test]
fn texture3d() {
    let image = image(Shape::d3(4, 3, 5).with_levels(2));
    let t = image.texture().expect("a texture");
    let s = sampler();
    let uvw = at([0.3, 0.7, 0.9]);
    let moved = Coord { offset: [-1, 1, 2], ..uvw };
    let gradient = Detail::gradient([0.2, 0.1, 0.4], [0.0, 0.3, 0.1]);
    check(
        "texture3d<float>",
        &image,
        &[
            ("t.sample(s, float3(0.3f, 0.7f, 0.9f))", t.sample(&s, &uvw, &Detail::ZERO)),
            (
                "t.sample(s, float3(0.3f, 0.7f, 0.9f), level(1.0f), int3(-1, 1, 2))",
                t.sample(&s, &moved, &Detail::Level(1.0)),
            ),
            (
                "t.sample(s, float3(0.3f, 0.7f, 0.9f), gradient3d(float3(0.2f, 0.1f, 0.4f), float3(0.0f, 0.3f, 0.1f)))",
                t.sample(&s, &uvw, &gradient),
            ),
            ("t.read(uint3(3u, 2u, 4u))", t.fetch([3, 2, 4], 0, 0)),
            ("float4(t.get_width(), t.get_height(), t.get_depth(), t.get_depth(1u))", [4.0, 3.0, 5.0, 2.0]),
        ],
    );
}

#[test]
fn texturecube() {
    let image = image(Shape::cube(4).with_levels(3));
    let t = image.texture().expect("a texture");
    let s = sampler();
    let direction = at([0.9, -0.8, 0.3]);
    let gradient = Detail::gradient([0.2, 0.1, 0.4], [0.0, 0.3, 0.1]);
    check(
        "texturecube<float>",
        &image,
        &[
            ("t.sample(s, float3(0.9f, -0.8f, 0.3f))", t.sample(&s, &direction, &Detail::ZERO)),
            ("t.sample(s, float3(0.9f, -0.8f, 0.3f), level(1.25f))", t.sample(&s, &direction, &Detail::Level(1.25))),
            (
                "t.sample(s, float3(0.9f, -0.8f, 0.3f), gradientcube(float3(0.2f, 0.1f, 0.4f), float3(0.0f, 0.3f, 0.1f)))",
                t.sample(&s, &direction, &gradient),
            ),
            ("t.gather(s, float3(0.9f, -0.8f, 0.3f), component::y)", t.gather(&s, &direction, 1)),
            ("t.read(uint2(2u, 1u), 4u)", t.fetch([2, 1, 0], 4, 0)),
            ("t.read(uint2(1u, 1u), 4u, 1u)", t.fetch([1, 1, 0], 4, 1)),
            ("float4(t.get_width(), t.get_height(), t.get_num_mip_levels(), 0.0f)", [4.0, 4.0, 3.0, 0.0]),
        ],
    );
}

#[test]
fn texturecube_array() {
    let image = image(Shape::cube(4).with_layers(2));
    let t = image.texture().expect("a texture");
    let s = sampler();
    let direction = at_layer([0.9, -0.8, 0.3], 1.0);
    check(
        "texturecube_array<float>",
        &image,
        &[
            ("t.sample(s, float3(0.9f, -0.8f, 0.3f), 1u)", t.sample(&s, &direction, &Detail::ZERO)),
            ("t.gather(s, float3(0.9f, -0.8f, 0.3f), 1u, component::w)", t.gather(&s, &direction, 3)),
            ("t.read(uint2(2u, 1u), 4u, 1u)", t.fetch([2, 1, 0], 10, 0)),
            ("float4(t.get_width(), t.get_height(), t.get_array_size(), 0.0f)", [4.0, 4.0, 2.0, 0.0]),
        ],
    );
}

#[test]
fn multisampled() {
    let image = image(Shape::d2(3, 2).with_samples(4));
    let t = image.texture().expect("a texture");
    check(
        "texture2d_ms<float>",
        &image,
        &[
            ("t.read(uint2(2u, 1u), 3u)", t.fetch_sample([2, 1, 0], 0, 0, 3)),
            ("float4(t.get_width(), t.get_height(), t.get_num_samples(), 0.0f)", [3.0, 2.0, 4.0, 0.0]),
        ],
    );
    let depth = t.fetch_sample([2, 1, 0], 0, 0, 3)[0];
    check("depth2d_ms<float>", &image, &[("float4(t.read(uint2(2u, 1u), 3u), 0.0f, 0.0f, 0.0f)", one(depth))]);
    let image = self::image(Shape::d2(3, 2).with_samples(2).with_layers(2));
    let t = image.texture().expect("a texture");
    check(
        "texture2d_ms_array<float>",
        &image,
        &[
            ("t.read(uint2(2u, 1u), 1u, 1u)", t.fetch_sample([2, 1, 0], 1, 0, 1)),
            ("float4(t.get_array_size(), t.get_num_samples(), 0.0f, 0.0f)", [2.0, 2.0, 0.0, 0.0]),
        ],
    );
    let depth = t.fetch_sample([2, 1, 0], 1, 0, 1)[0];
    check(
        "depth2d_ms_array<float>",
        &image,
        &[("float4(t.read(uint2(2u, 1u), 1u, 1u), 0.0f, 0.0f, 0.0f)", one(depth))],
    );
}

#[test]
fn texture_buffers() {
    let image = image(Shape::d1(9));
    let t = image.texture().expect("a texture");
    check(
        "texture_buffer<float>",
        &image,
        &[("t.read(8u)", t.fetch([8, 0, 0], 0, 0)), ("float4(t.get_width(), 0.0f, 0.0f, 0.0f)", one(9.0))],
    );
}

#[test]
fn depth_textures() {
    let s = sampler();
    let flat = image(Shape::d2(6, 5).with_levels(2));
    let t = flat.texture().expect("a texture");
    let uv = at([0.3, 0.7, 0.0]);
    let moved = Coord { offset: [1, -1, 0], ..uv };
    check(
        "depth2d<float>",
        &flat,
        &[
            ("float4(t.sample(s, float2(0.3f, 0.7f)), 0.0f, 0.0f, 0.0f)", one(t.sample(&s, &uv, &Detail::ZERO)[0])),
            (
                "float4(t.sample_compare(s, float2(0.3f, 0.7f), 0.5f), 0.0f, 0.0f, 0.0f)",
                one(t.sample_compare(&s, &uv, &Detail::ZERO, 0.5)),
            ),
            (
                "float4(t.sample_compare(s, float2(0.3f, 0.7f), 0.5f, level(0.75f), int2(1, -1)), 0.0f, 0.0f, 0.0f)",
                one(t.sample_compare(&s, &moved, &Detail::Level(0.75), 0.5)),
            ),
            ("t.gather(s, float2(0.3f, 0.7f), int2(1, -1))", t.gather(&s, &moved, 0)),
            ("t.gather_compare(s, float2(0.3f, 0.7f), 0.5f)", t.gather_compare(&s, &uv, 0.5)),
            (
                "float4(t.read(uint2(5u, 4u)), t.get_width(), t.get_height(), 0.0f)",
                [t.fetch([5, 4, 0], 0, 0)[0], 6.0, 5.0, 0.0],
            ),
        ],
    );
    let layers = image(Shape::d2(6, 5).with_layers(2));
    let t = layers.texture().expect("a texture");
    let uv = at_layer([0.3, 0.7, 0.0], 1.0);
    check(
        "depth2d_array<float>",
        &layers,
        &[
            (
                "float4(t.sample_compare(s, float2(0.3f, 0.7f), 1u, 0.5f), 0.0f, 0.0f, 0.0f)",
                one(t.sample_compare(&s, &uv, &Detail::ZERO, 0.5)),
            ),
            ("t.gather_compare(s, float2(0.3f, 0.7f), 1u, 0.4f)", t.gather_compare(&s, &uv, 0.4)),
            (
                "float4(t.read(uint2(5u, 4u), 1u), t.get_array_size(), 0.0f, 0.0f)",
                [t.fetch([5, 4, 0], 1, 0)[0], 2.0, 0.0, 0.0],
            ),
        ],
    );
    let cube = image(Shape::cube(4));
    let t = cube.texture().expect("a texture");
    let direction = at([0.9, -0.8, 0.3]);
    check(
        "depthcube<float>",
        &cube,
        &[
            (
                "float4(t.sample_compare(s, float3(0.9f, -0.8f, 0.3f), 0.5f, level(0.0f)), 0.0f, 0.0f, 0.0f)",
                one(t.sample_compare(&s, &direction, &Detail::ZERO, 0.5)),
            ),
            ("t.gather_compare(s, float3(0.9f, -0.8f, 0.3f), 0.5f)", t.gather_compare(&s, &direction, 0.5)),
            ("t.gather(s, float3(0.9f, -0.8f, 0.3f))", t.gather(&s, &direction, 0)),
        ],
    );
    let cubes = image(Shape::cube(4).with_layers(2));
    let t = cubes.texture().expect("a texture");
    let direction = at_layer([0.9, -0.8, 0.3], 1.0);
    check(
        "depthcube_array<float>",
        &cubes,
        &[
            (
                "float4(t.sample_compare(s, float3(0.9f, -0.8f, 0.3f), 1u, 0.5f), 0.0f, 0.0f, 0.0f)",
                one(t.sample_compare(&s, &direction, &Detail::ZERO, 0.5)),
            ),
            ("float4(t.read(uint2(1u, 2u), 3u, 1u), 0.0f, 0.0f, 0.0f)", one(t.fetch([1, 2, 0], 9, 0)[0])),
        ],
    );
}

#[test]
fn integer_and_half_textures() {
    let image = integers(Shape::d2(4, 4));
    let t = image.texture().expect("a texture");
    let nearest = t.fetch_bits([1, 2, 0], 0, 0, 0);
    for element in ["uint", "int", "ushort", "short"] {
        let row = "float4(t.sample(sampler(coord::normalized), float2(0.3f, 0.6f)))";
        check(&format!("texture2d<{element}>"), &image, &[(row, nearest.map(|lane| lane as f32))]);
    }
    let halves = Image::float(Shape::d2(1, 1), vec![0.5, 1.0 / 3.0, -2.0, 65504.0]);
    let third = 0.333_251_95; // 1/3 in half precision: 1365/4096
    check("texture2d<half>", &halves, &[("float4(t.read(uint2(0u)))", [0.5, third, -2.0, 65504.0])]);
}

#[test]
fn writes_and_read_write() {
    let text = format!(
        "{HEAD}kernel void k(texture2d<uint, access::write> a [[texture(0)]], texture2d<float, access::read_write> b [[texture(1)]],
                texture_buffer<int, access::read_write> c [[texture(2)]], texture3d<float, access::write> d [[texture(3)]],
                texturecube_array<float, access::write> e [[texture(4)]], texture2d_array<float, access::write> f [[texture(5)]],
                uint2 at [[thread_position_in_grid]]) {{
            a.write(uint4(at, at.x + at.y, 7u), at);
            b.write(b.read(at) * 2.0f, at);
            b.fence();
            c.write(c.read(at.x) - 5, at.x);
            d.write(float4(1.5f), uint3(at, 1u));
            e.write(float4(2.5f), at, 3u, 1u);
            f.write(float4(3.5f), at, 1u, 1u);
            a.write(uint4(1u), uint2(9u, 9u));
        }}"
    );
    let mut stage = Stage::new(&text, "k");
    stage.textures = vec![
        (0, Image::integer(Shape::d2(2, 1), vec![0; 8])),
        (1, Image::float(Shape::d2(2, 1), vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0])),
        (2, Image::integer(Shape::d1(2), vec![10, 10, 10, 10, 3, 3, 3, 3])),
        (3, Image::float(Shape::d3(2, 1, 2), vec![0.0; 16])),
        (4, Image::float(Shape::cube(2).with_layers(2), vec![0.0; 192])),
        (5, Image::float(Shape::d2(4, 2).with_layers(2).with_levels(2), vec![0.0; 64])),
    ];
    let written = Runner::new().dispatch(&Compute::new(stage, [1, 1, 1], [2, 1, 1])).expect("the kernel runs");
    let texture = |index: usize| written.textures[index].1.texture().expect("a texture");
    assert_eq!(written.textures.len(), 6);
    assert_eq!(texture(0).fetch_bits([1, 0, 0], 0, 0, 0), [1, 0, 1, 7]);
    assert_eq!(texture(1).fetch([1, 0, 0], 0, 0), [10.0, 12.0, 14.0, 16.0]);
    assert_eq!(texture(2).fetch_bits([1, 0, 0], 0, 0, 0), [(-2_i32).cast_unsigned(); 4]);
    assert_eq!(texture(3).fetch([1, 0, 1], 0, 0), [1.5; 4]);
    assert_eq!(texture(3).fetch([1, 0, 0], 0, 0), [0.0; 4]);
    assert_eq!(texture(4).fetch([1, 0, 0], 9, 0), [2.5; 4]);
    assert_eq!(texture(4).fetch([1, 0, 0], 3, 0), [0.0; 4]);
    assert_eq!(texture(5).fetch([1, 0, 0], 1, 1), [3.5; 4]);
    assert_eq!(texture(5).fetch([1, 0, 0], 1, 0), [0.0; 4]);
}

#[test]
fn arrays_of_textures_and_samplers() {
    let text = format!(
        "{HEAD}kernel void k(device float4* to [[buffer(0)]], array<texture2d<float>, 3> t [[texture(1)]],
                array<sampler, 2> s [[sampler(2)]], uint i [[thread_position_in_grid]]) {{
            to[i] = t[i].sample(s[i & 1u], float2(0.6f, 0.5f));
        }}"
    );
    let mut stage = Stage::new(&text, "k");
    stage.buffers.push((0, vec![0; 48]));
    for i in 0..3_u8 {
        let values = (0..8).map(|k| f32::from(i) * 10.0 + if k < 4 { 0.0 } else { 1.0 }).collect();
        stage.textures.push((1 + u32::from(i), Image::float(Shape::d2(2, 1), values)));
    }
    stage.samplers = vec![(2, Sampler::point(Address::Clamp)), (3, Sampler::linear(Address::Clamp))];
    let written = Runner::new().dispatch(&Compute::new(stage, [1, 1, 1], [3, 1, 1])).expect("the kernel runs");
    // Nearest at 0.6 is the second texel; linear has 0.7 of it: 0.6 · 2 − 0.5.
    let given = floats(&written.buffers[0].1);
    assert_eq!([given[0][0], given[2][0]], [1.0, 21.0]);
    assert!((given[1][0] - 10.7).abs() < 1e-5, "{given:?}");
}

#[test]
fn an_unbound_texture_reads_black() {
    let text = format!(
        "{HEAD}kernel void k(device float4* to [[buffer(0)]], texture2d<float> t [[texture(4)]], sampler s [[sampler(5)]]) {{
            to[0] = t.sample(s, float2(0.5f));
            to[1] = float4(is_null_texture(t) ? 1.0f : 0.0f);
        }}"
    );
    let mut stage = Stage::new(&text, "k");
    stage.buffers.push((0, vec![0; 32]));
    let written = Runner::new().dispatch(&Compute::new(stage, [1, 1, 1], [1, 1, 1])).expect("the kernel runs");
    assert_eq!(floats(&written.buffers[0].1), [[0.0, 0.0, 0.0, 1.0], [1.0; 4]]);
}

#[test]
fn fragments_sample_with_the_quads_derivatives() {
    let image = image(Shape::d2(16, 16).with_all_levels());
    let t = image.texture().expect("a texture");
    let source = format!(
        "{HEAD}struct V {{ float4 p [[position]]; }};
        vertex V v(uint id [[vertex_id]]) {{
            V o;
            o.p = float4(id == 1u ? 3.0f : -1.0f, id == 2u ? -3.0f : 1.0f, 0.0f, 1.0f);
            return o;
        }}
        struct F {{ float4 a [[color(0)]]; float4 b [[color(1)]]; float4 c [[color(2)]]; float4 d [[color(3)]]; }};
        fragment F f(V in [[stage_in]], texture2d<float> t [[texture(0)]], sampler s [[sampler(0)]]) {{
            float2 uv = in.p.xy * float2(0.15f, 0.2f);
            F o;
            o.a = t.sample(s, uv);
            o.b = t.sample(s, uv, bias(1.0f));
            o.c = t.sample(s, uv, min_lod_clamp(3.0f));
            o.d = float4(t.calculate_clamped_lod(s, uv), t.calculate_unclamped_lod(s, uv), 0.0f, 0.0f);
            return o;
        }}"
    );
    let mut target = Target::new(2, 2);
    target.colors = vec![aquatint_exec::raster::ColorFormat::Float; 4];
    let mut fragment = Stage::new(&source, "f");
    fragment.textures.push((0, image));
    fragment.samplers.push((0, sampler()));
    let draw = Draw::new(Stage::new(&source, "v"), fragment, Topology::TriangleList, 3, &target);
    let picture = Runner::new().render(&target, &[draw]).expect("the draw runs");
    let places = [[0.5, 0.5], [1.5, 0.5], [0.5, 1.5], [1.5, 1.5_f32]];
    let quad = places.map(|[x, y]| at([x * 0.15, y * 0.2, 0.0]));
    for lane in 0..4 {
        let sample = |bias, min_lod| t.sample(&sampler(), &quad[lane], &Detail::of_quad(&quad, bias, min_lod));
        let lod = t.query_lod(&sampler(), &quad[lane], &Detail::of_quad(&quad, 0.0, 0.0));
        assert_eq!(picture.colors[0][lane], sample(0.0, 0.0), "lane {lane}");
        assert_eq!(picture.colors[1][lane], sample(1.0, 0.0), "lane {lane} with a bias");
        assert_eq!(picture.colors[2][lane], sample(0.0, 3.0), "lane {lane} clamped");
        assert_eq!(picture.colors[3][lane], [lod.level, lod.lambda, 0.0, 0.0], "lane {lane}'s level");
    }
}

#[test]
fn what_metal_lacks_does_not_compile() {
    let good = [
        ("texture2d<float>", "t.sample(s, float2(0.5f), level(1.0f), int2(1))"),
        ("texturecube<float>", "t.sample(s, float3(0.5f), gradientcube(float3(0.0f), float3(0.0f)))"),
        ("depth2d<float>", "t.gather(s, float2(0.5f), int2(0))"),
        ("texture1d<float>", "t.sample(s, 0.5f)"),
        ("texture2d<int, access::write>", "t.write(int4(1), uint2(0u))"),
    ];
    let bad = [
        ("texturecube<float>", "t.sample(s, float3(0.5f), int3(1))"),
        ("texturecube<float>", "t.sample(s, float3(0.5f), level(1.0f), int2(1))"),
        ("texturecube<float>", "t.sample(s, float3(0.5f), gradient2d(float2(0.0f), float2(0.0f)))"),
        ("texturecube<float>", "t.sample(s, float2(0.5f))"),
        ("texturecube<float>", "t.read(uint2(1u))"),
        ("texture1d<float>", "t.sample(s, 0.5f, level(1.0f))"),
        ("texture1d<float>", "t.sample(s, 0.5f, int(1))"),
        ("texture1d<float>", "t.calculate_clamped_lod(s, 0.5f)"),
        ("texture2d<float>", "t.sample(s, float3(0.5f))"),
        ("texture2d<float>", "t.sample(s, float2(0.5f), int2(1), level(1.0f))"),
        ("texture2d<float>", "t.sample_compare(s, float2(0.5f), 0.5f)"),
        ("texture2d<float>", "t.gather(s, float2(0.5f), component::y)"),
        ("texture2d<float>", "t.gather_compare(s, float2(0.5f), 0.5f)"),
        ("texture2d<float>", "t.read(int2(1))"),
        ("texture2d<float>", "t.read(float2(1.0f))"),
        ("texture2d<float>", "t.write(float4(1.0f), uint2(0u))"),
        ("texture2d<float>", "t.fence()"),
        ("texture2d<float>", "t.get_depth()"),
        ("texture2d<float>", "t.get_array_size()"),
        ("texture2d<float>", "t.get_num_samples()"),
        ("texture2d_array<float>", "t.sample(s, float2(0.5f))"),
        ("texture2d_array<float>", "t.sample(s, float3(0.5f))"),
        ("texture2d_array<float>", "t.read(uint2(1u))"),
        ("texture3d<float>", "t.gather(s, float3(0.5f))"),
        ("texture3d<float>", "t.sample(s, float3(0.5f), int2(1))"),
        ("texture2d_ms<float>", "t.sample(s, float2(0.5f))"),
        ("texture2d_ms<float>", "t.read(uint2(1u))"),
        ("texture2d_ms<float>", "t.get_width(1u)"),
        ("texture2d<float, access::read>", "t.sample(s, float2(0.5f))"),
        ("texture2d<float, access::write>", "t.read(uint2(1u))"),
        ("texture2d<float, access::write>", "t.fence()"),
        ("texture2d<float, access::write>", "t.write(uint4(1u), uint2(0u))"),
        ("texture_buffer<float>", "t.read(1u, 0u)"),
        ("texture_buffer<float>", "t.write(float4(1.0f), 1u)"),
        ("depth2d<float>", "t.gather(s, float2(0.5f), int2(0), component::x)"),
        ("depth2d<float>", "t.sample(s, float2(0.5f)).x"),
        ("depth2d<float>", "t.write(1.0f, uint2(0u))"),
        ("depthcube<float>", "t.gather_compare(s, float3(0.5f), 0.5f, int2(0))"),
        ("depth2d<half>", "t.sample(s, float2(0.5f))"),
        ("depth2d<float, access::write>", "t.get_width()"),
        ("texture2d<bool>", "t.get_width()"),
        ("texture2d<float4>", "t.get_width()"),
        ("texture_buffer<float, access::sample>", "t.get_width()"),
        ("texture2d_ms<float, access::write>", "t.get_width()"),
    ];
    let source = |declaration: &str, expression: &str| {
        format!("{HEAD}fragment void f({declaration} t [[texture(0)]], sampler s [[sampler(0)]]) {{ {expression}; }}\n")
    };
    for (declaration, expression) in good {
        if let Err(messages) = compile(&source(declaration, expression), &CompileOptions::default()) {
            panic!("{declaration}: {expression}: {}", messages[0]);
        }
    }
    for (declaration, expression) in bad {
        let made = compile(&source(declaration, expression), &CompileOptions::default());
        assert!(made.is_err(), "{declaration}: {expression} compiles");
    }
}
