//! Pictures: vertex and fragment programs through the rasteriser.

use crate::{b, bytes, parse, s, t, u, words};
use aquatint_base::Limits;
use aquatint_exec::interpret::draw::{
    Attribute, AttributeData, DrawCall, DrawError, ShadedVertex, VertexSource, full_screen,
};
use aquatint_exec::interpret::{Error, Options, Program, Resources};
use aquatint_exec::raster::{ColorFormat, Elements, State, Target, Topology};
use aquatint_exec::texture::{Address, Sampler, Shape, Texture};

/// Draws a fragment program over a whole target, with the texture coordinate at location 0.
fn paint(program: &Program, resources: &mut Resources, width: u32, height: u32) -> Result<Target, DrawError> {
    let mut target = Target::new(width, height, &[ColorFormat::Float], None, false).unwrap();
    let state = State::new(width, height);
    let mut corner = |vertex: u32, out: &mut ShadedVertex<'_>| {
        let (position, uv) = full_screen(vertex);
        out.position = position;
        out.set(0, &uv);
    };
    DrawCall {
        vertices: VertexSource::Shaded(&mut corner),
        vertex_count: 3,
        topology: Topology::TriangleList,
        elements: Elements::Range { first: 0, count: 3 },
        fragment: program,
        resources,
        state: &state,
        target: &mut target,
    }
    .run()?;
    Ok(target)
}

#[test]
fn a_texture_copied_by_a_full_screen_triangle_is_itself() {
    let module = parse(
        "module
global @uv : input<vec2<f32>> location(0)
global @color : output<vec4<f32>> location(0)
global @tex : texture_2d<f32> binding(class t, register 0)
global @smp : sampler binding(class s, register 0)
entry fragment \"main\" @main
fn @main() {
    %uv: vec2<f32> = load @uv
    %c: vec4<f32> = sample @tex, @smp, %uv
    store @color, %c
    return
}",
    );
    let program = Program::new(&module, "main").unwrap();
    let rgba: Vec<f32> = (0..5 * 3 * 4).map(|i| i as f32).collect();
    let mut resources = Resources::new();
    resources.set_texture(t(0), Texture::from_f32(Shape::d2(5, 3), &rgba).unwrap());
    resources.set_sampler(s(0), Sampler::point(Address::Clamp));
    let target = paint(&program, &mut resources, 5, 3).unwrap();
    for y in 0..3 {
        for x in 0..5 {
            let first = ((y * 5 + x) * 4) as f32;
            assert_eq!(target.color(0, x, y).unwrap(), [first, first + 1.0, first + 2.0, first + 3.0], "{x} {y}");
        }
    }
}

#[test]
fn varyings_meet_by_location_and_integers_stay_whole() {
    let module = parse(
        "module
struct %constants { scale: vec4<f32> @0 }
global @c : uniform<%constants> binding(class b, register 0)
global @pos : input<vec4<f32>> location(3)
global @id : input<u32> builtin(vertex_index)
global @tint : input<vec2<f32>> location(5)
global @position : output<vec4<f32>> builtin(position)
global @out.number : output<u32> location(2) flat
global @out.tint : output<vec2<f32>> location(1)
global @in.tint : input<vec2<f32>> location(1)
global @in.number : input<u32> location(2) flat
global @frag : input<vec4<f32>> builtin(position)
global @front : input<bool> builtin(front_facing)
global @color : output<vec4<f32>> location(0)
entry vertex \"vs\" @vs
entry fragment \"fs\" @fs
fn @vs() {
    %p: vec4<f32> = load @pos
    %ps: ptr<uniform, vec4<f32>> = access @c[.scale]
    %s: vec4<f32> = load %ps
    %q: vec4<f32> = fmul %p, %s
    store @position, %q
    %i: u32 = load @id
    %n: u32 = iadd %i, 4294967040
    store @out.number, %n
    %t: vec2<f32> = load @tint
    store @out.tint, %t
    return
}
fn @fs() {
    %n: u32 = load @in.number
    %low: u32 = and %n, 255
    %high: u32 = shr %n, 8
    %a: f32 = convert %low
    %all: bool = ieq %high, 16777215
    %front: bool = load @front
    %both: bool = and %all, %front
    %b: f32 = select %both, 1.0, 0.0
    %t: vec2<f32> = load @in.tint
    %x: f32 = extract %t[0]
    %f: vec4<f32> = load @frag
    %fx: f32 = extract %f[0]
    %c: vec4<f32> = construct %a, %b, %x, %fx
    store @color, %c
    return
}",
    );
    let (vertex, fragment) = (Program::new(&module, "vs").unwrap(), Program::new(&module, "fs").unwrap());
    assert_eq!((vertex.inputs().len(), fragment.inputs().len()), (3, 4));
    let mut uniforms = Resources::new();
    uniforms.set_buffer(b(0), bytes(&[2.0_f32, 2.0, 1.0, 1.0].map(f32::to_bits)));
    // Two clockwise triangles that fill the target: vertices 3 to 5 of the first stay unused.
    let positions = [[-0.5, 0.5, 0.0, 1.0], [0.5, 0.5, 0.0, 1.0], [-0.5, -0.5, 0.0, 1.0], [0.5, -0.5, 0.0, 1.0]]
        .map(|p: [f32; 4]| p);
    let tints = [0.0, 8.0, 0.0, 8.0].map(|x| [x, 0.0, 0.0, 0.0]);
    let attributes = [
        Attribute { location: 3, data: AttributeData::Float(&positions), per_instance: false },
        Attribute { location: 5, data: AttributeData::Float(&tints), per_instance: false },
    ];
    let mut target = Target::new(8, 8, &[ColorFormat::Float], None, false).unwrap();
    let state = State::new(8, 8);
    let statistics = DrawCall {
        vertices: VertexSource::Program {
            program: &vertex,
            resources: &mut uniforms,
            attributes: &attributes,
            instance: 0,
        },
        vertex_count: 4,
        topology: Topology::TriangleList,
        elements: Elements::Indices { indices: &[0, 1, 2, 1, 3, 2], base: 0, restart: None },
        fragment: &fragment,
        resources: &mut Resources::new(),
        state: &state,
        target: &mut target,
    }
    .run()
    .unwrap();
    assert_eq!(statistics.covered, 64);
    // The number of the first vertex of each triangle; pixel centres are halves; the tint grows by one a pixel.
    assert_eq!(target.color(0, 1, 2).unwrap(), [0.0, 1.0, 1.5, 1.5]);
    assert_eq!(target.color(0, 6, 5).unwrap(), [1.0, 1.0, 6.5, 6.5]);
}

#[test]
fn discarded_pixels_write_neither_colour_nor_memory() {
    let module = parse(
        "module
global @uv : input<vec2<f32>> location(0)
global @color : output<f32> location(0)
global @hits : storage<array<u32, stride(4)>> binding(class u, register 0) writable
entry fragment \"main\" @main
fn @main() {
    %uv: vec2<f32> = load @uv
    %x: f32 = extract %uv[0]
    %left: bool = flt %x, 0.5
    if %left { discard yield } else { yield }
    %p: ptr<storage, u32> = access @hits[0]
    %old: u32 = atomic.add %p, 1
    store @color, 3.0
    return
}",
    );
    let program = Program::new(&module, "main").unwrap();
    let mut resources = Resources::new();
    resources.set_buffer(u(0), vec![0; 4]);
    let target = paint(&program, &mut resources, 6, 6).unwrap();
    assert_eq!(target.color(0, 2, 3).unwrap(), [0.0; 4]);
    assert_eq!(target.color(0, 3, 3).unwrap(), [3.0, 0.0, 0.0, 1.0]);
    // Helpers beyond the target's edge and discarded pixels count nothing.
    assert_eq!(words(&resources.buffer(u(0)).unwrap().bytes), [18]);
}

#[test]
fn a_failing_fragment_fails_the_draw() {
    let module = parse(
        "module
global @color : output<f32> location(0)
entry fragment \"main\" @main
fn @main() { loop () { continue } continuing { next } return }",
    );
    let options = Options { limits: Limits { steps: 1 << 16, ..Limits::default() }, ..Options::default() };
    let program = Program::with_options(&module, "main", options).unwrap();
    let result = paint(&program, &mut Resources::new(), 4, 4);
    assert!(matches!(result, Err(DrawError::Fragment(Error::Steps))));
}

#[test]
fn a_picture_of_a_hundred_instructions() {
    // Each step is v = v * 1/2 + uv.xyxy; after many of them v = 2 uv to the last bits.
    let steps: String = (0..50)
        .map(|i| format!("%m{i}: vec4<f32> = fmul %v{i}, vec4<f32>(0.5)\n%v{}: vec4<f32> = fadd %m{i}, %k\n", i + 1))
        .collect();
    let module = parse(&format!(
        "module
global @uv : input<vec2<f32>> location(0)
global @color : output<vec4<f32>> location(0)
entry fragment \"main\" @main
fn @main() {{
    %uv: vec2<f32> = load @uv
    %k: vec4<f32> = shuffle %uv, [x, y, x, y]
    %v0: vec4<f32> = splat 0.0
    {steps}
    store @color, %v50
    return
}}"
    ));
    let program = Program::new(&module, "main").unwrap();
    let start = std::time::Instant::now();
    let target = paint(&program, &mut Resources::new(), 256, 256).unwrap();
    println!("256 x 256 pixels of 100 instructions: {:?}", start.elapsed());
    for (x, y) in [(0, 0), (255, 0), (17, 200)] {
        let [r, g, ..] = target.color(0, x, y).unwrap();
        let expected = [x, y].map(|k| (k as f32 + 0.5) / 256.0 * 2.0);
        assert!((r - expected[0]).abs() < 1e-6 && (g - expected[1]).abs() < 1e-6, "{x} {y}: {r} {g}");
    }
}
