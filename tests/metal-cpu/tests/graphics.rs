//! Vertex and fragment functions: stage inputs and outputs, interpolation, fixed-function neighbours.

use aquatint_exec::compare::Compare;
use aquatint_exec::raster::{
    Blend, BlendFactor, BlendOp, ColorState, Cull, DepthState, StencilFace, StencilOp, StencilState, Topology,
};
use aquatint_metal_cpu::run::{Attribute, AttributeData, Draw, Error, Picture, Runner, Stage, Target};

const HEAD: &str = "#include <metal_stdlib>\nusing namespace metal;\n";

/// Corners of a triangle over the whole target.
const CORNERS: [[f32; 4]; 3] = [[-1.0, 1.0, 0.5, 1.0], [3.0, 1.0, 0.5, 1.0], [-1.0, -3.0, 0.5, 1.0]];

fn attribute(location: u32, data: &[[f32; 4]]) -> Attribute {
    Attribute { location, data: AttributeData::Float(data.to_vec()), per_instance: false }
}

/// A draw of three vertices whose positions are attribute 0.
fn draw(text: &str, target: &Target) -> Draw {
    let source = format!("{HEAD}{text}");
    let mut draw = Draw::new(Stage::new(&source, "v"), Stage::new(&source, "f"), Topology::TriangleList, 3, target);
    draw.attributes.push(attribute(0, &CORNERS));
    draw
}

fn render(target: &Target, draws: &[Draw]) -> Picture {
    Runner::new().render(target, draws).expect("the draw runs")
}

const PASS: &str = "struct A { float4 p [[attribute(0)]]; };
struct V { float4 p [[position]]; };
vertex V v(A in [[stage_in]]) { V o; o.p = in.p; return o; }
";

#[test]
fn attributes_arrive_as_their_types_say() {
    let target = Target::new(1, 1);
    let mut job = draw(
        "struct A { float4 p [[attribute(0)]]; float2 two [[attribute(1)]]; uint3 u [[attribute(2)]]; half h [[attribute(3)]];
                    int i [[attribute(5)]]; };
        struct V { float4 p [[position]]; float4 a [[user(locn0)]]; float4 b [[user(locn1)]]; };
        vertex V v(A in [[stage_in]]) {
            V o;
            o.p = in.p;
            o.a = float4(in.two, float(in.u.x), float(in.u.z));
            o.b = float4(float(in.h), float(in.i), 0.0f, 1.0f);
            return o;
        }
        struct In { float4 a [[user(locn0)]] [[flat]]; float4 b [[user(locn1)]] [[flat]]; };
        struct F { float4 a [[color(0)]]; float4 b [[color(1)]]; };
        fragment F f(In in [[stage_in]]) { F o; o.a = in.a; o.b = in.b; return o; }",
        &target,
    );
    job.attributes.push(attribute(1, &[[1.5, 2.5, 0.0, 0.0]; 3]));
    job.attributes.push(Attribute {
        location: 2,
        data: AttributeData::Bits(vec![[7, 8, 9, 10]; 3]),
        per_instance: false,
    });
    job.attributes.push(attribute(3, &[[0.25; 4]; 3]));
    let minus = (-3_i32).cast_unsigned();
    job.attributes.push(Attribute { location: 5, data: AttributeData::Bits(vec![[minus; 4]; 3]), per_instance: false });
    let mut target = target;
    target.colors.push(aquatint_exec::raster::ColorFormat::Float);
    let picture = render(&target, &[job]);
    assert_eq!(picture.colors[0], [[1.5, 2.5, 7.0, 9.0]]);
    assert_eq!(picture.colors[1], [[0.25, -3.0, 0.0, 1.0]]);
}

#[test]
fn interpolation_kinds() {
    // w is 1 at the left corner and 3 at the right one: perspective pulls the middle towards the left's value.
    let target = Target::new(1, 1);
    let mut job = draw(
        "struct A { float4 p [[attribute(0)]]; float x [[attribute(1)]]; };
        struct V { float4 p [[position]]; float a [[user(locn0)]]; float b [[user(locn1)]]; float c [[user(locn2)]]; int d [[user(locn3)]]; };
        vertex V v(A in [[stage_in]]) { V o; o.p = in.p; o.a = in.x; o.b = in.x; o.c = in.x + 4.0f; o.d = int(in.x) - 5; return o; }
        struct In { float a [[user(locn0)]]; float b [[user(locn1)]] [[center_no_perspective]]; float c [[user(locn2)]] [[flat]]; int d [[user(locn3)]] [[flat]]; };
        fragment float4 f(In in [[stage_in]]) { return float4(in.a, in.b, in.c, float(in.d)); }",
        &target,
    );
    // A quad of two triangles whose left edge has w 1 and whose right edge has w 3; the centre is on their diagonal.
    let corner = |x: f32, y: f32, w: f32| [x * w, y * w, 0.0, w];
    let [a, b, c, d] = [corner(-1.0, 1.0, 1.0), corner(1.0, 1.0, 3.0), corner(-1.0, -1.0, 1.0), corner(1.0, -1.0, 3.0)];
    job.topology = Topology::TriangleStrip;
    job.vertex_count = 4;
    job.attributes = vec![attribute(0, &[a, b, c, d]), attribute(1, &[[0.0; 4], [8.0; 4], [0.0; 4], [8.0; 4]])];
    let texel = render(&target, &[job]).colors[0][0];
    // Half-way on the target: linear 4; perspective (0/1 + 8/3)/2 over (1 + 1/3)/2 = 2.
    assert!((texel[0] - 2.0).abs() < 1e-5 && (texel[1] - 4.0).abs() < 1e-5, "{texel:?}");
    assert!(texel[2] == 4.0 || texel[2] == 12.0, "{texel:?}");
    assert_eq!(texel[3], texel[2] - 9.0);
}

#[test]
fn vertex_and_instance_numbers_and_indices() {
    let target = Target::new(4, 1);
    let mut job = draw(
        "struct V { float4 p [[position]]; float size [[point_size]]; float4 c [[user(locn0)]]; };
        vertex V v(uint id [[vertex_id]], uint instance [[instance_id]]) {
            V o;
            o.p = float4((float(id) * 2.0f + float(instance) + 0.5f) * 0.5f - 1.0f, 0.0f, 0.0f, 1.0f);
            o.size = 1.0f;
            o.c = float4(float(id), float(instance), 0.0f, 1.0f);
            return o;
        }
        struct In { float4 c [[user(locn0)]]; };
        fragment float4 f(In in [[stage_in]], float2 at [[point_coord]]) { return float4(in.c.xy, at); }",
        &target,
    );
    job.topology = Topology::PointList;
    job.vertex_count = 2;
    job.instances = 2;
    let picture = render(&target, std::slice::from_ref(&job));
    let expected = [[0.0, 0.0, 0.5, 0.5], [0.0, 1.0, 0.5, 0.5], [1.0, 0.0, 0.5, 0.5], [1.0, 1.0, 0.5, 0.5]];
    assert_eq!(picture.colors[0], expected);
    job.indices = Some(vec![1]);
    let picture = render(&target, &[job]);
    assert_eq!(picture.colors[0], [[0.0; 4], [0.0; 4], expected[2], expected[3]]);
}

#[test]
fn front_faces_and_primitives() {
    let target = Target::new(1, 1);
    let text = format!(
        "{PASS}fragment float4 f(bool front [[front_facing]], uint id [[primitive_id]]) {{ return float4(front ? 1.0f : 0.0f, float(id), 0.0f, 1.0f); }}"
    );
    let clockwise = draw(&text, &target);
    let mut other = clockwise.clone();
    other.attributes = vec![attribute(0, &[CORNERS[0], CORNERS[2], CORNERS[1]])];
    assert_eq!(render(&target, std::slice::from_ref(&clockwise)).colors[0], [[1.0, 0.0, 0.0, 1.0]]);
    assert_eq!(render(&target, std::slice::from_ref(&other)).colors[0], [[0.0, 0.0, 0.0, 1.0]]);
    other.state.cull = Cull::Back;
    assert_eq!(render(&target, &[other]).colors[0], [[0.0; 4]]);
    let mut twice = clockwise;
    twice.vertex_count = 6;
    twice.attributes = vec![attribute(0, &[CORNERS, CORNERS].concat())];
    assert_eq!(render(&target, &[twice]).colors[0], [[1.0, 1.0, 0.0, 1.0]]);
}

#[test]
fn depth_is_what_the_function_says() {
    let target = Target::new(2, 1);
    let mut job = draw(
        &format!(
            "{PASS}struct F {{ float4 c [[color(0)]]; float d [[depth(any)]]; }};
            fragment F f(float4 p [[position]]) {{ F o; o.c = float4(1.0f); o.d = p.x < 1.0f ? 0.25f : 0.75f; return o; }}"
        ),
        &target,
    );
    job.state.depth = DepthState { test: true, compare: Compare::Less, ..DepthState::default() };
    let mut cleared = target.clone();
    cleared.clear_depth = 0.5;
    let picture = render(&cleared, &[job]);
    assert_eq!(picture.colors[0], [[1.0; 4], [0.0; 4]]);
    assert!((picture.depth[0] - 0.25).abs() < 1e-6 && (picture.depth[1] - 0.5).abs() < 1e-6, "{:?}", picture.depth);
}

#[test]
fn early_tests_come_before_the_function() {
    let target = Target::new(1, 1);
    for (early, runs) in [("[[early_fragment_tests]] ", 0), ("", 1)] {
        let mut job = draw(
            &format!(
                "{PASS}{early}fragment float4 f(device uint* runs [[buffer(0)]]) {{ runs[0] += 1u; return float4(1.0f); }}"
            ),
            &target,
        );
        job.fragment.buffers.push((0, vec![0; 4]));
        job.state.depth = DepthState { test: true, compare: Compare::Greater, ..DepthState::default() };
        let picture = render(&target, &[job]);
        assert_eq!(picture.colors[0], [[0.0; 4]]);
        assert_eq!(picture.written[0][1].buffers[0].1[0], runs, "'{early}'");
    }
}

#[test]
fn stencil_and_sample_mask() {
    let target = Target::new(2, 1);
    let mut job = draw(
        &format!(
            "{PASS}struct F {{ float4 c [[color(0)]]; uint mask [[sample_mask]]; uint s [[stencil]]; }};
            fragment F f(float4 p [[position]], uint mask [[sample_mask]]) {{
                F o; o.c = float4(float(mask)); o.mask = p.x < 1.0f ? 0u : mask; o.s = 7u; return o;
            }}"
        ),
        &target,
    );
    let face = StencilFace { pass: StencilOp::Replace, ..StencilFace::default() };
    job.state.stencil = Some(StencilState { front: face, back: face });
    let picture = render(&target, &[job]);
    assert_eq!(picture.colors[0], [[0.0; 4], [1.0; 4]]);
    assert_eq!(picture.stencil, [0, 7]);
}

#[test]
fn clip_distances_cut() {
    let target = Target::new(4, 1);
    let job = draw(
        "struct A { float4 p [[attribute(0)]]; };
        struct V { float4 p [[position]]; float clip [[clip_distance]] [2]; };
        vertex V v(A in [[stage_in]]) { V o; o.p = in.p; o.clip[0] = in.p.x; o.clip[1] = 1.0f; return o; }
        fragment float4 f() { return float4(1.0f); }",
        &target,
    );
    assert_eq!(render(&target, &[job]).colors[0], [[0.0; 4], [0.0; 4], [1.0; 4], [1.0; 4]]);
}

#[test]
fn two_sources_blend() {
    let target = Target::new(1, 1);
    let mut job = draw(
        &format!(
            "{PASS}struct F {{ float4 a [[color(0), index(0)]]; float4 b [[color(0), index(1)]]; }};
            fragment F f() {{ F o; o.a = float4(8.0f); o.b = float4(0.25f); return o; }}"
        ),
        &target,
    );
    let blend = Blend::uniform(BlendFactor::Src1Color, BlendFactor::One, BlendOp::Add);
    job.state.colors = vec![ColorState { blend: Some(blend), write_mask: 7 }];
    let mut cleared = target;
    cleared.clear = [1.0; 4];
    assert_eq!(render(&cleared, &[job]).colors[0], [[3.0, 3.0, 3.0, 1.0]]);
}

#[test]
fn buffers_by_reference_pointer_and_array() {
    let target = Target::new(1, 1);
    let mut job = draw(
        &format!(
            "{PASS}struct Block {{ packed_float3 a; float b; float4x4 m; }};
            fragment float4 f(constant Block& block [[buffer(0)]], const device float2* list [[buffer(2)]],
                              constant float (&fixed)[2] [[buffer(3)]], array<const device uint*, 2> many [[buffer(5)]]) {{
                return float4(block.a[1] + block.b, (block.m * float4(0.0f, 1.0f, 0.0f, 0.0f)).z, list[1].y + fixed[1], float(many[1][0]));
            }}"
        ),
        &target,
    );
    let bytes = |values: &[f32]| values.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    let mut block = vec![1.0, 2.0, 3.0, 4.0];
    block.extend((0..16_u8).map(f32::from));
    job.fragment.buffers = vec![
        (0, bytes(&block)),
        (2, bytes(&[0.5, 1.5, 2.5, 3.5])),
        (3, bytes(&[10.0, 20.0])),
        (5, vec![0; 4]),
        (6, 9_u32.to_le_bytes().to_vec()),
    ];
    assert_eq!(render(&target, &[job]).colors[0], [[6.0, 6.0, 23.5, 9.0]]);
}

#[test]
fn function_constants_have_values_or_defaults() {
    let target = Target::new(1, 1);
    let text = format!(
        "constant int steps [[function_constant(3)]];
        constant int steps_value = is_function_constant_defined(steps) ? steps : 8;
        constant bool flag [[function_constant(0)]];
        constant bool flag_value = is_function_constant_defined(flag) ? flag : false;
        {PASS}fragment float4 f() {{ return float4(float(steps_value), flag_value ? 1.0f : 0.0f, 0.0f, 1.0f); }}"
    );
    let mut job = draw(&text, &target);
    assert_eq!(render(&target, std::slice::from_ref(&job)).colors[0], [[8.0, 0.0, 0.0, 1.0]]);
    job.fragment.constants = vec![(3, "5".to_owned()), (0, "true".to_owned())];
    assert_eq!(render(&target, &[job]).colors[0], [[5.0, 1.0, 0.0, 1.0]]);
}

#[test]
fn varyings_match_by_name_and_missing_ones_are_zero() {
    let target = Target::new(1, 1);
    let job = draw(
        "struct A { float4 p [[attribute(0)]]; };
        struct V { float4 p [[position]]; float2 second [[user(two)]]; float first; };
        vertex V v(A in [[stage_in]]) { V o; o.p = in.p; o.second = float2(2.0f, 3.0f); o.first = 1.0f; return o; }
        struct In { float first; float2 other [[user(two)]]; float none [[user(nothing)]]; };
        fragment float4 f(In in [[stage_in]]) { return float4(in.first, in.other, in.none); }",
        &target,
    );
    assert_eq!(render(&target, &[job]).colors[0], [[1.0, 2.0, 3.0, 0.0]]);
}

#[test]
fn draws_follow_one_another_in_one_child() {
    let target = Target::new(64, 64);
    let text = format!("{PASS}fragment float4 f(constant float4& c [[buffer(0)]]) {{ return c; }}");
    let mut runner = Runner::new();
    let color = |value: f32| {
        let mut job = draw(&text, &target);
        job.fragment.buffers.push((0, [value; 4].iter().flat_map(|x| x.to_le_bytes()).collect()));
        job.state.colors = vec![ColorState { blend: Some(Blend::ADDITIVE), write_mask: 15 }];
        job
    };
    let all = [color(1.0), color(2.0), color(4.0)];
    for _ in 0..20 {
        let picture = runner.render(&target, &all).expect("the draws run");
        assert!(picture.colors[0].iter().all(|texel| *texel == [7.0; 4]));
    }
}

#[test]
fn a_crash_in_a_fragment_function_is_reported() {
    let target = Target::new(2, 2);
    let mut job = draw(
        &format!(
            "{PASS}fragment float4 f(constant uint& far [[buffer(0)]], const device float4* list [[buffer(1)]]) {{ return list[ulong(far) << 32]; }}"
        ),
        &target,
    );
    job.fragment.buffers = vec![(0, 0x1000_u32.to_le_bytes().to_vec()), (1, vec![0; 16])];
    let error = Runner::new().render(&target, &[job]).expect_err("a read beyond all memory");
    assert!(matches!(error, Error::Crash { signal: 11, .. }), "{error}");
}
