//! The Vulkan runner itself: orientation, depth, stencil, blending, textures of each shape with their levels, formats,
//! indices, push constants. Expected values follow from the jobs by hand.

use aquatint_base::{Diags, Limits, SourceId};
use aquatint_parity::{on_vulkan, translate};
use aquatint_spirv::Options;
use aquatint_vulkan_run::{
    Address, Attribute, Blend, BlendPart, Border, Compare, Cull, Depth, Draw, Filter, Gpu, Image, ImageKind,
    PixelCentre, Resource, Sampler, Stencil, StencilFace, Target, Texels, Topology, VertexFormat,
};
use std::sync::MutexGuard;

fn words(text: &str) -> Vec<u32> {
    let mut diags = Diags::new();
    let module = aquatint_ir::text::parse(text, SourceId::default(), &Limits::default(), &mut diags);
    let module = module.unwrap_or_else(|| panic!("{}\n{text}", translate::reason(&diags)));
    translate::verify(&module).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let words = aquatint_spirv::write(&module, "main", &Options::default(), &mut diags);
    words.unwrap_or_else(|| panic!("{}", translate::reason(&diags)))
}

/// Position and a vec4 that goes on to the pixel stage.
fn vertex() -> Vec<u32> {
    words(
        "module
global @p: input<vec4<f32>> location(0)
global @c: input<vec4<f32>> location(1)
global @o: output<vec4<f32>> builtin(position)
global @v: output<vec4<f32>> location(0)
global @s: output<f32> builtin(point_size)
entry vertex \"main\" @main
fn @main() {
    %p: vec4<f32> = load @p
    store @o, %p
    %c: vec4<f32> = load @c
    store @v, %c
    store @s, 1.0
    return
}
",
    )
}

fn colour() -> Vec<u32> {
    words(
        "module
global @v: input<vec4<f32>> location(0)
global @o: output<vec4<f32>> location(0)
entry fragment \"main\" @main
fn @main() {
    %v: vec4<f32> = load @v
    store @o, %v
    return
}
",
    )
}

/// Samples a texture of the kind at the varying's first lanes, at the level in w.
fn sampled(kind: &str, lanes: &str, count: usize) -> Vec<u32> {
    words(&format!(
        "module
global @v: input<vec4<f32>> location(0)
global @o: output<vec4<f32>> location(0)
global @t: {kind}<f32> binding(class t, register 0, space 1)
global @s: sampler binding(class s, register 0, space 1)
entry fragment \"main\" @main
fn @main() {{
    %v: vec4<f32> = load @v
    %at: vec{count}<f32> = shuffle %v, [{lanes}]
    %l: f32 = extract %v[3]
    %x: vec4<f32> = sample.level @t, @s, %at, %l
    store @o, %x
    return
}}
"
    ))
}

fn device() -> Option<MutexGuard<'static, Gpu>> {
    match on_vulkan::device() {
        Ok(gpu) => Some(gpu),
        Err(why) => {
            println!("SKIPPED: {why}");
            None
        }
    }
}

/// A draw of vertices with a position and a colour.
fn draw<'w>(vertex: &'w [u32], pixel: &'w [u32], topology: Topology, vertices: &[[[f32; 4]; 2]]) -> Draw<'w> {
    let mut made = Draw::new(vertex, pixel, topology, vertices.len() as u32);
    made.stride = 32;
    for location in 0..2 {
        made.attributes.push(Attribute { location, offset: 16 * location, format: VertexFormat::Float(4) });
    }
    made.vertices = vertices.iter().flatten().flatten().flat_map(|x| x.to_le_bytes()).collect();
    made
}

/// A triangle that covers everything, clockwise on the target, at a depth.
fn whole(depth: f32, colour: [f32; 4]) -> [[[f32; 4]; 2]; 3] {
    [[[-1.0, 1.0, depth, 1.0], colour], [[3.0, 1.0, depth, 1.0], colour], [[-1.0, -3.0, depth, 1.0], colour]]
}

fn one(gpu: &Gpu, target: &Target, draws: &[Draw<'_>]) -> Vec<[f32; 4]> {
    gpu.render(target, draws).expect("a picture").remove(0)
}

const RED: [f32; 4] = [1.0, 0.0, 0.0, 1.0];
const GREEN: [f32; 4] = [0.0, 1.0, 0.0, 1.0];
const NOTHING: [f32; 4] = [0.0; 4];

#[test]
fn y_points_up_and_centres_lie_where_asked() {
    let Some(gpu) = device() else { return };
    let (vertex, pixel) = (vertex(), colour());
    let at = |x: f32, y: f32| draw(&vertex, &pixel, Topology::Points, &[[[x, y, 0.5, 1.0], RED]]);
    let mut target = Target::new(2, 2);
    // The upper left pixel's centre: half a pixel into the target.
    assert_eq!(one(&gpu, &target, &[at(-0.5, 0.5)]), [RED, NOTHING, NOTHING, NOTHING]);
    assert_eq!(one(&gpu, &target, &[at(-0.5, -0.5)]), [NOTHING, NOTHING, RED, NOTHING]);
    // Direct3D 9: the corner of the target is the centre of its first pixel.
    target.centre = PixelCentre::Integer;
    assert_eq!(one(&gpu, &target, &[at(-1.0, 1.0)]), [RED, NOTHING, NOTHING, NOTHING]);
    assert_eq!(one(&gpu, &target, &[at(0.0, 1.0)]), [NOTHING, RED, NOTHING, NOTHING]);
}

#[test]
fn clockwise_faces_are_culled_when_asked() {
    let Some(gpu) = device() else { return };
    let (vertex, pixel) = (vertex(), colour());
    let target = Target::new(1, 1);
    for (cull, seen) in [(Cull::None, RED), (Cull::Clockwise, NOTHING), (Cull::CounterClockwise, RED)] {
        let mut made = draw(&vertex, &pixel, Topology::Triangles, &whole(0.5, RED));
        made.cull = cull;
        assert_eq!(one(&gpu, &target, &[made]), [seen], "{cull:?}");
    }
}

#[test]
fn depth_and_stencil_decide() {
    let Some(gpu) = device() else { return };
    let (vertex, pixel) = (vertex(), colour());
    let target = Target::new(1, 1);
    let at = |depth: f32, colour| {
        let mut made = draw(&vertex, &pixel, Topology::Triangles, &whole(depth, colour));
        made.depth = Some(Depth { compare: Compare::Less, write: true });
        made
    };
    assert_eq!(one(&gpu, &target, &[at(0.25, RED), at(0.75, GREEN)]), [RED]);
    assert_eq!(one(&gpu, &target, &[at(0.75, RED), at(0.25, GREEN)]), [GREEN]);
    // The first draw adds one; the second passes where it finds one.
    let stencilled = |compare, pass, colour| {
        let mut made = draw(&vertex, &pixel, Topology::Triangles, &whole(0.5, colour));
        let face = StencilFace { compare, fail: 0, depth_fail: 0, pass };
        made.stencil = Some(Stencil { front: face, back: face, reference: 1, read_mask: 255, write_mask: 255 });
        made
    };
    let first = || stencilled(Compare::Always, 3, RED);
    assert_eq!(one(&gpu, &target, &[first(), stencilled(Compare::Equal, 0, GREEN)]), [GREEN]);
    assert_eq!(one(&gpu, &target, &[first(), stencilled(Compare::Less, 0, GREEN)]), [RED]);
}

#[test]
fn blending_adds_and_masks_keep() {
    let Some(gpu) = device() else { return };
    let (vertex, pixel) = (vertex(), colour());
    let mut target = Target::new(1, 1);
    target.clear = [0.5, 0.25, 0.0, 1.0];
    let mut made = draw(&vertex, &pixel, Topology::Triangles, &whole(0.5, [0.25, 0.5, 4.0, 0.5]));
    // Source times its alpha, plus what is there.
    let part = BlendPart { source: 6, destination: 1, operation: 0 };
    made.blend = Some(Blend { color: part, alpha: part, constant: [0.0; 4] });
    assert_eq!(one(&gpu, &target, &[made.clone()]), [[0.625, 0.5, 2.0, 1.25]]);
    made.blend = None;
    made.write_mask = 1 | 8;
    assert_eq!(one(&gpu, &target, &[made]), [[0.25, 0.25, 0.0, 0.5]]);
}

#[test]
fn indices_and_strips_join_vertices() {
    let Some(gpu) = device() else { return };
    let (vertex, pixel) = (vertex(), colour());
    let corners = [[-1.0, 1.0], [1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]].map(|[x, y]| [[x, y, 0.5, 1.0], RED]);
    let target = Target::new(2, 2);
    let strip = draw(&vertex, &pixel, Topology::TriangleStrip, &corners);
    assert_eq!(one(&gpu, &target, &[strip]), [RED; 4]);
    let mut indexed = draw(&vertex, &pixel, Topology::Triangles, &corners);
    indexed.indices = Some(vec![0, 1, 2, 2, 1, 3]);
    indexed.count = 6;
    assert_eq!(one(&gpu, &target, &[indexed]), [RED; 4]);
}

fn texture_draw<'w>(vertex: &'w [u32], pixel: &'w [u32], image: Image, sampler: Sampler, at: [f32; 4]) -> Draw<'w> {
    let mut made = draw(vertex, pixel, Topology::Triangles, &whole(0.5, at));
    let options = Options::default();
    use aquatint_ir::RegisterClass::{S, T};
    made.bindings.push(((1, options.binding(T, 0)), Resource::Image(image)));
    made.bindings.push(((1, options.binding(S, 0)), Resource::Sampler(sampler)));
    made
}

#[test]
fn textures_have_levels_faces_and_slices() {
    let Some(gpu) = device() else { return };
    let vertex = vertex();
    let target = Target::new(1, 1);
    let grey = |n: f32| [n, n, n, 1.0];
    let floats = |all: &[f32]| Texels::Float(all.iter().flat_map(|&n| grey(n)).collect());
    let mip = Sampler { mip: Some(Filter::Nearest), ..Sampler::default() };

    let flat = Image {
        kind: ImageKind::D2,
        size: [2, 2, 1],
        levels: 2,
        layers: None,
        texels: floats(&[0.0, 1.0, 2.0, 3.0, 7.0]),
    };
    let pixel = sampled("texture_2d", "x, y", 2);
    let read = |at, sampler| one(&gpu, &target, &[texture_draw(&vertex, &pixel, flat.clone(), sampler, at)]);
    // Rows top down: v = 0.75 is the second.
    assert_eq!(read([0.25, 0.75, 0.0, 0.0], mip), [grey(2.0)]);
    assert_eq!(read([0.75, 0.25, 0.0, 0.0], mip), [grey(1.0)]);
    assert_eq!(read([0.25, 0.75, 0.0, 1.0], mip), [grey(7.0)]);
    // Without a mip filter only level 0 is read.
    assert_eq!(read([0.25, 0.75, 0.0, 1.0], Sampler::default()), [grey(2.0)]);
    let linear = Sampler { magnify: Filter::Linear, ..Sampler::default() };
    assert_eq!(read([0.5, 0.5, 0.0, 0.0], linear), [grey(1.5)]);
    let border = Sampler { address: [Address::Border; 3], border: Border::White, ..Sampler::default() };
    assert_eq!(read([1.25, 0.5, 0.0, 0.0], border), [[1.0; 4]]);
    let clamp = Sampler { address: [Address::Clamp; 3], ..Sampler::default() };
    assert_eq!(read([9.0, 0.25, 0.0, 0.0], clamp), [grey(1.0)]);
    assert_eq!(read([1.25, 0.25, 0.0, 0.0], Sampler::default()), [grey(0.0)]);

    let faces = floats(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let cube = Image { kind: ImageKind::Cube, size: [1, 1, 1], levels: 1, layers: None, texels: faces };
    let pixel = sampled("texture_cube", "x, y, z", 3);
    for (direction, face) in [
        ([1.0, 0.0, 0.0, 0.0], 1.0),
        ([-1.0, 0.0, 0.0, 0.0], 2.0),
        ([0.0, 1.0, 0.0, 0.0], 3.0),
        ([0.0, -1.0, 0.0, 0.0], 4.0),
        ([0.0, 0.0, 1.0, 0.0], 5.0),
        ([0.0, 0.0, -1.0, 0.0], 6.0),
    ] {
        let made = texture_draw(&vertex, &pixel, cube.clone(), Sampler::default(), direction);
        assert_eq!(one(&gpu, &target, &[made]), [grey(face)]);
    }

    let volume = Image { kind: ImageKind::D3, size: [1, 1, 2], levels: 1, layers: None, texels: floats(&[8.0, 9.0]) };
    let pixel = sampled("texture_3d", "x, y, z", 3);
    let made = texture_draw(&vertex, &pixel, volume, Sampler::default(), [0.5, 0.5, 0.75, 0.0]);
    assert_eq!(one(&gpu, &target, &[made]), [grey(9.0)]);
}

#[test]
fn bytes_become_fractions() {
    let Some(gpu) = device() else { return };
    let (vertex, pixel) = (vertex(), sampled("texture_2d", "x, y", 2));
    let image = Image {
        kind: ImageKind::D2,
        size: [1, 1, 1],
        levels: 1,
        layers: None,
        texels: Texels::Rgba8(vec![255, 51, 0, 102]),
    };
    let made = texture_draw(&vertex, &pixel, image, Sampler::default(), [0.5, 0.5, 0.0, 0.0]);
    let [texel] = one(&gpu, &Target::new(1, 1), &[made])[..] else { panic!("one texel") };
    for (got, want) in texel.into_iter().zip([1.0, 0.2, 0.0, 0.4]) {
        assert!((got - want).abs() < 1e-6, "{texel:?}");
    }
}

#[test]
fn push_constants_and_several_targets_arrive() {
    let Some(gpu) = device() else { return };
    let pixel = words(
        "module
struct %block { a: vec4<f32> @0, b: vec4<f32> @16 } size(32)
global @k: push<%block>
global @o0: output<vec4<f32>> location(0)
global @o1: output<vec4<f32>> location(1)
entry fragment \"main\" @main
fn @main() {
    %pa: ptr<push, vec4<f32>> = access @k[.a]
    %a: vec4<f32> = load %pa
    store @o0, %a
    %pb: ptr<push, vec4<f32>> = access @k[.b]
    %b: vec4<f32> = load %pb
    store @o1, %b
    return
}
",
    );
    let vertex = vertex();
    let mut made = draw(&vertex, &pixel, Topology::Triangles, &whole(0.5, RED));
    made.push = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    let mut target = Target::new(1, 1);
    target.colors = 2;
    let colors = gpu.render(&target, &[made]).expect("a picture");
    assert_eq!(colors, [vec![[1.0, 2.0, 3.0, 4.0]], vec![[5.0, 6.0, 7.0, 8.0]]]);
}

#[test]
fn what_the_validation_layer_has_against_a_job_fails_it() {
    let Some(gpu) = device() else { return };
    if !gpu.is_validated() {
        return println!("SKIPPED: the validation layer is not installed");
    }
    // Depth is 0 to 1.
    let target = Target { clear_depth: 2.0, ..Target::new(1, 1) };
    let why = gpu.render(&target, &[]).unwrap_err();
    assert!(why.0.contains("VUID-VkClearDepthStencilValue-depth"), "{why}");
    // It is said once.
    assert!(gpu.render(&Target::new(1, 1), &[]).is_ok());
}
