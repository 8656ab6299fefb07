//! Texture operations on textures whose texels tell where they were read.

use crate::{compute_with, floats, kernel, parse, s, t, u, words};
use aquatint_exec::interpret::{Machine, Program, Resources};
use aquatint_exec::texture::{Address, Sampler, Shape, Texture};

/// A texture of one channel: `first`, `first + 1`, …
fn ramp(shape: Shape, texels: usize, first: f32) -> Texture {
    let rgba: Vec<f32> = (0..texels).flat_map(|i| [first + i as f32, 0.25, 0.5, 1.0]).collect();
    Texture::from_f32(shape, &rgba).unwrap()
}

/// Runs a fragment body over one quad with `%uv` at the given places, `@tex` at t0 and `@smp` at s0, and gives `%r`.
fn quad(ty: &str, resources: &mut Resources, uv: [[f32; 2]; 4], body: &str) -> [[f32; 4]; 4] {
    let text = format!(
        "module
global @uv : input<vec2<f32>> location(0)
global @color : output<vec4<f32>> location(0)
global @tex : {ty} binding(class t, register 0)
global @smp : sampler binding(class s, register 0)
global @cmp : sampler_cmp binding(class s, register 1)
entry fragment \"main\" @main
fn @main() {{
    %uv: vec2<f32> = load @uv
    {body}
    store @color, %r
    return
}}"
    );
    let module = parse(&text);
    let program = Program::new(&module, "main").unwrap();
    let mut machine = Machine::new(&program, 4).unwrap();
    for (lane, uv) in uv.iter().enumerate() {
        machine.set_f32(program.input_at(0).unwrap(), lane, uv);
    }
    machine.run(resources, 4).unwrap();
    [0, 1, 2, 3].map(|lane| machine.get_f32(program.output_at(0).unwrap(), lane))
}

/// 4×4 of 0 to 15, 2×2 of 100 to 103, 1×1 of 200; point filtering.
fn mipped() -> Resources {
    let mut all = Vec::new();
    for (first, count) in [(0, 16), (100, 4), (200, 1)] {
        all.extend((first..first + count).flat_map(|i| [i as f32, 0.25, 0.5, 1.0]));
    }
    let mut resources = Resources::new();
    let shape = Shape::d2(4, 4).with_levels(3);
    resources.set_texture(t(0), Texture::from_f32(shape, &all).unwrap());
    resources.set_sampler(s(0), Sampler::point(Address::Clamp));
    resources.set_sampler(s(1), Sampler::point(Address::Clamp));
    resources
}

/// A quad whose neighbours are `step` apart, from (0.3, 0.3): texel (1, 1) of 4×4.
fn spread(step: f32) -> [[f32; 2]; 4] {
    [[0.3, 0.3], [0.3 + step, 0.3], [0.3, 0.3 + step], [0.3 + step, 0.3 + step]]
}

fn first(texels: [[f32; 4]; 4]) -> f32 {
    texels[0][0]
}

const T2D: &str = "texture_2d<f32>";

#[test]
fn the_level_comes_from_the_quad() {
    let mut resources = mipped();
    let mut plain = |step| first(quad(T2D, &mut resources, spread(step), "%r: vec4<f32> = sample @tex, @smp, %uv"));
    // One texel a pixel is level 0, two level 1, four level 2.
    assert_eq!(plain(0.25), 5.0);
    assert_eq!(plain(0.5), 100.0);
    assert_eq!(plain(1.0), 200.0);
    assert_eq!(plain(0.0), 5.0);
}

#[test]
fn sample_flags_change_the_level() {
    let mut resources = mipped();
    let mut of =
        |step, operation: &str| first(quad(T2D, &mut resources, spread(step), &format!("%r: vec4<f32> = {operation}")));
    assert_eq!(of(0.25, "sample.bias @tex, @smp, %uv, 1.0"), 100.0);
    assert_eq!(of(0.5, "sample.bias @tex, @smp, %uv, -1.0"), 5.0);
    assert_eq!(of(0.25, "sample.level @tex, @smp, %uv, 2.0"), 200.0);
    assert_eq!(of(1.0, "sample.level @tex, @smp, %uv, 0.0"), 5.0);
    let gradient = "sample.gradient @tex, @smp, %uv, vec2<f32>(0.5, 0.0), vec2<f32>(0.0, 0.1)";
    assert_eq!(of(0.25, gradient), 100.0);
    assert_eq!(of(0.25, "sample.clamp @tex, @smp, %uv, 2.0"), 200.0);
    assert_eq!(of(0.25, "sample.offset @tex, @smp, %uv, vec2<i32>(1, -1)"), 2.0);
    assert_eq!(of(0.25, "sample.level.offset @tex, @smp, %uv, 1.0, vec2<i32>(1, 0)"), 101.0);
}

#[test]
fn implicit_levels_in_a_branch_use_the_whole_quad() {
    let mut resources = mipped();
    let body = "%u: f32 = extract %uv[0]
    %c: bool = flt %u, 0.5
    %r: vec4<f32> = if %c { %a: vec4<f32> = sample @tex, @smp, %uv yield %a } else { yield zero vec4<f32> }";
    let got = quad(T2D, &mut resources, spread(0.5), body);
    assert_eq!([got[0][0], got[1][0], got[2][0]], [100.0, 0.0, 102.0]);
}

#[test]
fn sampling_outside_fragments_is_level_0() {
    let globals = "global @tex : texture_2d<f32> binding(class t, register 0)
global @smp : sampler binding(class s, register 0)";
    let body = "%n: f32 = convert %i
    %v: vec2<f32> = splat %n
    %x: vec4<f32> = sample @tex, @smp, %v
    %at: u32 = imul %i, 4
    %y: f32 = extract %x[0]
    store.bytes @out, %at, %y
    return";
    let mut resources = mipped();
    resources.set_buffer(u(0), vec![0; 8]);
    compute_with(&kernel(2, globals, body), &mut resources);
    assert_eq!(floats(&resources.buffer(u(0)).unwrap().bytes), [0.0, 15.0]);
}

#[test]
fn comparison_and_gather() {
    let mut resources = mipped();
    let mut of = |ty, body: &str| quad(ty, &mut resources, spread(0.25), body)[0];
    // Texel (1, 1) is 5; the default comparison is reference <= texel.
    let compare = |reference: f32| {
        format!(
            "%c: f32 = sample.compare @tex, @cmp, %uv, {reference:?}
    %r: vec4<f32> = splat %c"
        )
    };
    let depth = "texture_depth_2d<f32>";
    assert_eq!(of(depth, &compare(5.0))[0], 1.0);
    assert_eq!(of(depth, &compare(5.5))[0], 0.0);
    // (0.3 * 4 - 0.5) = 0.7: texels 0 and 1 each way, in the order (0,1) (1,1) (1,0) (0,0).
    assert_eq!(of(T2D, "%r: vec4<f32> = gather.x @tex, @smp, %uv"), [4.0, 5.0, 1.0, 0.0]);
    assert_eq!(of(T2D, "%r: vec4<f32> = gather.z @tex, @smp, %uv"), [0.5; 4]);
    assert_eq!(of(T2D, "%r: vec4<f32> = gather.offset.x @tex, @smp, %uv, vec2<i32>(1, 1)"), [9.0, 10.0, 6.0, 5.0]);
    let offsets = "vec2<i32>(0, 0), vec2<i32>(1, 0), vec2<i32>(0, 1), vec2<i32>(2, 2)";
    assert_eq!(of(T2D, &format!("%r: vec4<f32> = gather.offsets.x @tex, @smp, %uv, {offsets}")), [0.0, 1.0, 4.0, 10.0]);
    let gathered = "%r: vec4<f32> = gather.compare.x @tex, @cmp, %uv, 1.0";
    assert_eq!(of(depth, gathered), [1.0, 1.0, 1.0, 0.0]);
}

#[test]
fn fetch_reads_one_texel_and_zero_outside() {
    let mut resources = mipped();
    let mut of = |operation: &str| quad(T2D, &mut resources, spread(0.25), &format!("%r: vec4<f32> = {operation}"))[0];
    assert_eq!(of("fetch.level @tex, vec2<i32>(3, 2), 0:i32"), [11.0, 0.25, 0.5, 1.0]);
    assert_eq!(of("fetch.level @tex, vec2<i32>(1, 1), 1:i32")[0], 103.0);
    assert_eq!(of("fetch.level @tex, vec2<i32>(4, 0), 0:i32")[0], 0.0);
    assert_eq!(of("fetch.level @tex, vec2<i32>(-1, 0), 0:i32")[0], 0.0);
    assert_eq!(of("fetch.level @tex, vec2<i32>(0, 0), 3:i32")[0], 0.0);
    assert_eq!(of("fetch.level.offset @tex, vec2<i32>(1, 1), 0:i32, vec2<i32>(1, -1)")[0], 2.0);
}

#[test]
fn queries() {
    let mut resources = mipped();
    let mut of = |step, body: &str| quad(T2D, &mut resources, spread(step), body)[0];
    let size = |level: u32| {
        format!(
            "%s: vec2<u32> = query.size @tex, {level}:u32
    %f: vec2<f32> = convert %s
    %l: u32 = query.levels @tex
    %g: f32 = convert %l
    %r: vec4<f32> = construct %f, %g, 0.0"
        )
    };
    assert_eq!(of(0.25, &size(1)), [2.0, 2.0, 3.0, 0.0]);
    assert_eq!(of(0.25, &size(3)), [0.0, 0.0, 3.0, 0.0]);
    let lod = "%l: vec2<f32> = query.lod @tex, @smp, %uv
    %r: vec4<f32> = construct %l, 0.0, 0.0";
    assert_eq!(of(0.5, lod)[..2], [1.0, 1.0]);
    assert_eq!(of(4.0, lod)[..2], [2.0, 4.0]);
    assert_eq!(of(0.125, lod)[..2], [0.0, -1.0]);
}

#[test]
fn layers_cubes_volumes_and_arrays_of_textures() {
    let mut resources = Resources::new();
    resources.set_sampler(s(0), Sampler::point(Address::Clamp));
    resources.set_texture(t(0), ramp(Shape::d2(1, 1).with_layers(3), 3, 10.0));
    let mut of = |ty: &str, operation: &str| {
        first(quad(ty, &mut resources, spread(0.25), &format!("%r: vec4<f32> = {operation}")))
    };
    assert_eq!(of("texture_2d_array<f32>", "sample @tex, @smp, vec3<f32>(0.5, 0.5, 1.0)"), 11.0);
    assert_eq!(of("texture_2d_array<f32>", "sample @tex, @smp, vec3<f32>(0.5, 0.5, 9.0)"), 12.0);
    assert_eq!(of("texture_2d_array<f32>", "fetch.level @tex, vec3<i32>(0, 0, 2), 0:i32"), 12.0);
    resources.set_texture(t(0), ramp(Shape::cube(1), 6, 20.0));
    let mut of = |ty: &str, operation: &str| {
        first(quad(ty, &mut resources, spread(0.25), &format!("%r: vec4<f32> = {operation}")))
    };
    assert_eq!(of("texture_cube<f32>", "sample.level @tex, @smp, vec3<f32>(0.0, 0.0, -2.0), 0.0"), 25.0);
    resources.set_texture(t(0), ramp(Shape::d3(1, 1, 2), 2, 30.0));
    let mut of = |ty: &str, operation: &str| {
        first(quad(ty, &mut resources, spread(0.25), &format!("%r: vec4<f32> = {operation}")))
    };
    assert_eq!(of("texture_3d<f32>", "sample @tex, @smp, vec3<f32>(0.5, 0.5, 0.9)"), 31.0);

    // An array of textures with a dynamic index that goes one too far: opaque black.
    let globals = "global @all : array<texture_2d<f32>, 2> binding(class t, register 3)
global @smp : sampler binding(class s, register 0)";
    let body = "%tex: texture_2d<f32> = access @all[%i]
    %x: vec4<f32> = sample.level @tex2, @smp, vec2<f32>(0.5, 0.5), 0.0
    %y: f32 = extract %x[0]
    %at: u32 = imul %i, 4
    store.bytes @out, %at, %y
    return"
        .replace("@tex2", "%tex");
    resources.set_texture(t(3), ramp(Shape::d2(1, 1), 1, 7.0));
    resources.set_texture(t(4), ramp(Shape::d2(1, 1), 1, 8.0));
    resources.set_texture(t(5), ramp(Shape::d2(1, 1), 1, 9.0));
    resources.set_buffer(u(0), vec![0; 12]);
    compute_with(&kernel(3, globals, &body), &mut resources);
    assert_eq!(floats(&resources.buffer(u(0)).unwrap().bytes), [7.0, 8.0, 0.0]);
}

#[test]
fn an_unbound_texture_is_opaque_black() {
    let got = quad(T2D, &mut Resources::new(), spread(0.25), "%r: vec4<f32> = sample @tex, @smp, %uv");
    assert_eq!(got[3], [0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn storage_textures_load_store_and_count() {
    let globals = "global @img : storage_texture_2d<f32, rgba8, read_write> binding(class u, register 1) writable
global @num : storage_texture_2d<u32, r32ui, read_write> binding(class u, register 2) writable";
    let body = "%x: i32 = convert %i
    %at: vec2<i32> = construct %x, 0
    image.store @img, %at, vec4<f32>(0.5, 2.0, -1.0, 0.2)
    %t: vec4<f32> = image.load @img, %at
    %g: f32 = extract %t[0]
    %scaled: f32 = fmul %g, 255.0
    %r: u32 = convert %scaled
    %old: u32 = image.atomic.add @num, vec2<i32>(0, 0), 5
    %gone: u32 = image.atomic.add @num, vec2<i32>(0, 9), 5
    %k: u32 = imul %old, 1000
    %s0: u32 = iadd %r, %k
    %s: u32 = iadd %s0, %gone
    %p: ptr<storage, u32> = access @out[%i]
    store %p, %s
    return";
    let mut resources = Resources::new();
    resources.set_texture(u(1), Texture::zeroed(Shape::d2(2, 1)).unwrap());
    resources.set_texture(u(2), Texture::zeroed_integer(Shape::d2(1, 1)).unwrap());
    resources.set_buffer(u(0), vec![0; 12]);
    // 0.5 * 255 = 127.5 is stored as 128, to even; the third pixel does not exist.
    assert_eq!(compute_with(&kernel(3, globals, body), &mut resources), [128, 5128, 10000]);
    let texel = resources.texture(u(1)).unwrap().fetch([1, 0, 0], 0, 0);
    assert_eq!(texel, [128.0 / 255.0, 1.0, 0.0, 51.0 / 255.0]);
    assert_eq!(resources.texture(u(2)).unwrap().fetch_bits([0; 3], 0, 0, 0)[0], 15);
}

#[test]
fn texel_buffers() {
    let globals = "global @in : texel_buffer<u32> binding(class t, register 0)
global @io : storage_texel_buffer<f32, r32f, read_write> binding(class u, register 1) writable";
    let body = "%x: i32 = convert %i
    %v: vec4<u32> = fetch @in, %x
    %y: u32 = extract %v[1]
    %n: u32 = query.size @in
    image.store @io, %x, vec4<f32>(3.0, 0.0, 0.0, 0.0)
    %k: u32 = imul %n, 100
    %r: u32 = iadd %y, %k
    %p: ptr<storage, u32> = access @out[%i]
    store %p, %r
    return";
    let mut resources = Resources::new();
    resources.set_texels(t(0), vec![[1, 2, 3, 4], [5, 6, 7, 8]]);
    resources.set_texels(u(1), vec![[0; 4]]);
    resources.set_buffer(u(0), vec![0; 12]);
    assert_eq!(compute_with(&kernel(3, globals, body), &mut resources), [202, 206, 200]);
    assert_eq!(resources.texels(u(1)).unwrap()[0][0], 3.0_f32.to_bits());
    assert_eq!(words(&[0; 4]), [0]);
}
