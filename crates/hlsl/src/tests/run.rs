//! Shaders that run on the interpreter. Expected values are computed by hand or follow from the sheet's rules.

use super::module;
use aquatint_exec::interpret::{Machine, Program, Resources};
use aquatint_ir::{Binding, RegisterClass, Stage};

const fn u(register: u32) -> Binding {
    Binding { class: RegisterClass::U, register, space: 0 }
}

/// Runs a compute shader of one group; the words of `u0` afterwards.
#[track_caller]
pub(super) fn compute(text: &str, words: usize, more: &[(Binding, Vec<u8>)]) -> Vec<u32> {
    let module = module(text, Stage::Compute);
    let program = match Program::new(&module, "main") {
        Ok(program) => program,
        Err(error) => panic!("{error}\n{}", aquatint_ir::text::print(&module)),
    };
    let mut resources = Resources::new();
    resources.set_buffer(u(0), vec![0; words * 4]);
    for (binding, bytes) in more {
        resources.set_buffer(*binding, bytes.clone());
    }
    let mut machine = Machine::for_workgroup(&program).expect("a machine");
    machine.dispatch(&mut resources, [1, 1, 1]).expect("a run");
    let bytes = &resources.buffer(u(0)).expect("a buffer").bytes;
    bytes.chunks(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect()
}

/// The floats that statements store into `o`.
#[track_caller]
fn floats(declarations: &str, body: &str, count: usize) -> Vec<f32> {
    let text = format!(
        "RWStructuredBuffer<float> o : register(u0);\n{declarations}\n[numthreads(1,1,1)] void main() {{ {body} }}"
    );
    compute(&text, count, &[]).into_iter().map(f32::from_bits).collect()
}

/// The integers that statements store into `o`.
#[track_caller]
fn ints(declarations: &str, body: &str, count: usize) -> Vec<i32> {
    let text = format!(
        "RWStructuredBuffer<int> o : register(u0);\n{declarations}\n[numthreads(1,1,1)] void main() {{ {body} }}"
    );
    compute(&text, count, &[]).into_iter().map(|w| w as i32).collect()
}

#[test]
fn arithmetic_and_swizzles() {
    assert_eq!(
        floats("", "float3 a = float3(1, 2, 3); a.zx = a.xy * 2; o[0] = a.x; o[1] = a.y; o[2] = a.z;", 3),
        [4.0, 2.0, 2.0]
    );
    assert_eq!(
        ints("", "int x = 7; x += 3; x <<= 2; o[0] = x; o[1] = x % 7; o[2] = -x / 3; o[3] = x++ + ++x;", 4),
        [40, 5, -13, 82]
    );
    assert_eq!(
        floats("", "o[0] = 1/3*3.0; o[1] = dot(float3(1,2,3), float3(4,5,6)); o[2] = lerp(2.0, 4.0, 0.25);", 3),
        [0.0, 32.0, 2.5]
    );
}

#[test]
fn a12_control_flow() {
    assert_eq!(
        ints(
            "",
            "int s = 0; for (int i = 0; i < 10; i++) { if (i == 3) continue; if (i == 7) break; s += i; } o[0] = s;",
            1
        ),
        [18]
    );
    assert_eq!(
        ints(
            "",
            "int n = 0, i = 5; do { n += i; i--; if (i == 2) continue; } while (i > 0); o[0] = n; while (true) { n++; if (n > 20) break; } o[1] = n;",
            2
        ),
        [15, 21]
    );
    let switch = "int f(int x) { int r = 0; switch (x) { case 0: r += 1; case 1: r += 10; break; case 2: { if (r == 0) break; r = 99; } default: r = 100; } return r; }";
    assert_eq!(ints(switch, "o[0] = f(0); o[1] = f(1); o[2] = f(2); o[3] = f(5);", 4), [11, 10, 0, 100]);
    let in_loop = "int f() { int s = 0; for (int i = 0; i < 6; ++i) { switch (i) { case 1: continue; case 3: if (s > 2) break; s += 100; break; default: s += i; } s += 1000; } return s; }";
    assert_eq!(ints(in_loop, "o[0] = f();", 1), [5011]);
}

#[test]
fn a11_2_out_and_inout_are_copied() {
    let f = "void swap(inout int a, inout int b) { int t = a; a = b; b = t; } void two(out int a, out float b) { a = 3; b = 1.5; }";
    assert_eq!(
        ints(
            f,
            "int x = 1, y = 2; swap(x, y); o[0] = x; o[1] = y; int3 v = int3(4,5,6); swap(v.x, v.z); o[2] = v.x * 100 + v.y * 10 + v.z; int p; int q; two(p, q); o[3] = p * 10 + q;",
            4
        ),
        [2, 1, 654, 31]
    );
}

#[test]
fn structs_methods_and_inheritance() {
    let s = "struct A { int x; int twice() { return x * 2; } }; struct B : A { int y; int sum() { return twice() + y; } void add(int n) { y += n; } static int seven() { return 7; } };";
    assert_eq!(
        ints(
            s,
            "B b; b.x = 3; b.y = 4; b.add(5); o[0] = b.sum(); o[1] = b.twice(); o[2] = B::seven(); B c = b; c.x = 1; o[3] = b.x * 10 + c.x;",
            4
        ),
        [15, 6, 7, 31]
    );
}

#[test]
fn matrices() {
    let body = "float2x3 m = float2x3(1,2,3,4,5,6); float3x2 t = transpose(m); o[0] = m[1][0]; o[1] = t[2][1]; float2 r = mul(m, float3(1,1,1)); o[2] = r.x; o[3] = r.y; float3 v = mul(float2(1,2), m); o[4] = v.z; float2x2 p = mul(m, t); o[5] = p[0][1]; m._m02_m11 = float2(30, 50); o[6] = m[0].z + m._22; m[1] = float3(7,8,9); o[7] = m._m12; float2x2 q = m * 2; o[8] = q[1][1];";
    assert_eq!(floats("", body, 9), [4.0, 6.0, 6.0, 15.0, 15.0, 32.0, 80.0, 9.0, 16.0]);
}

#[test]
fn a10_overloads_prefer_the_cheapest() {
    let f = "int f(int x) { return 1; } int f(float x) { return 2; } int f(float2 x) { return 3; } int f(uint x) { return 4; }";
    assert_eq!(
        ints(f, "o[0] = f(1); o[1] = f(1.0); o[2] = f(float2(1,2)); o[3] = f(2u); o[4] = f(true ? 1.5f : 2.0f);", 5),
        [1, 2, 3, 4, 2]
    );
}

#[test]
fn a4_11_templates() {
    let t = "template<typename T> T twice(T x) { return x + x; } template<typename T, int N> struct Box { T v[N]; T sum() { T s = (T)0; for (int i = 0; i < N; i++) s += v[i]; return s; } }; template<int K> int k() { return K; }";
    assert_eq!(
        ints(
            t,
            "Box<int, 3> b; b.v[0] = 1; b.v[1] = 2; b.v[2] = 3; o[0] = b.sum(); o[1] = twice(21); o[2] = (int)twice(1.5); o[3] = twice<int>(4); o[4] = k<9>();",
            5
        ),
        [6, 42, 3, 8, 9]
    );
}

#[test]
fn namespaces_enums_and_constants() {
    let d = "namespace N { static const int K = 4; int f(int x) { return x * K; } namespace M { enum E { A, B = 5, C }; } } enum class Q : uint { X = 2, Y }; static const int T[3] = { 10, 20, 30 };";
    assert_eq!(
        ints(
            d,
            "int a[N::K]; a[3] = 8; o[0] = N::f(3); o[1] = N::M::C; o[2] = (int)Q::Y; o[3] = T[1] + a[3]; using namespace N; o[4] = f(2); int i = 2; o[5] = T[i];",
            6
        ),
        [12, 6, 3, 28, 8, 30]
    );
}

#[test]
fn statics_start_before_the_entry_point() {
    let d = "static int counter = 5; static float3 v = float3(1,2,3) * 2; int next() { return counter++; } static int late = next() + 100;";
    assert_eq!(ints(d, "o[0] = next(); o[1] = next(); o[2] = (int)v.z; o[3] = late;", 4), [6, 7, 6, 105]);
}

#[test]
fn a9_10_short_circuit() {
    let d = "static int calls = 0; bool t() { calls++; return true; } bool f() { calls++; return false; }";
    assert_eq!(
        ints(
            d,
            "bool a = f() && t(); bool b = t() || t(); int c = t() ? 7 : (calls = 100); o[0] = calls; o[1] = a; o[2] = b; o[3] = c;",
            4
        ),
        [3, 0, 1, 7]
    );
}

#[test]
fn groupshared_barriers_and_atomics() {
    let text = "RWStructuredBuffer<uint> o : register(u0); groupshared uint s[8]; groupshared uint total;
        [numthreads(8,1,1)] void main(uint3 id : SV_GroupThreadID, uint i : SV_GroupIndex) {
            if (i == 0) total = 0;
            s[i] = i * i;
            GroupMemoryBarrierWithGroupSync();
            uint old; InterlockedAdd(total, s[7 - id.x], old);
            GroupMemoryBarrierWithGroupSync();
            o[i] = s[7 - i]; if (i == 0) o[8] = total; InterlockedMax(o[9], i);
        }";
    assert_eq!(compute(text, 10, &[]), [49, 36, 25, 16, 9, 4, 1, 0, 140, 7]);
}

#[test]
fn constant_buffers_follow_c5_example_2() {
    let text = "struct S { float3 p; float2 q; };
        cbuffer Params : register(b0) { float2 k; float arr[3]; float t; S s; float u; S sa[2]; float w; };
        RWStructuredBuffer<float> o : register(u0);
        [numthreads(1,1,1)] void main() { int i = 1; o[0] = k.y; o[1] = arr[i]; o[2] = t; S c = s; o[3] = c.q.x; o[4] = u; o[5] = sa[i].q.y; o[6] = w; }";
    let bytes: Vec<u8> = (0..40).flat_map(|i| (i as f32).to_le_bytes()).collect();
    let b0 = Binding { class: RegisterClass::B, register: 0, space: 0 };
    let words: Vec<f32> = compute(text, 7, &[(b0, bytes)]).into_iter().map(f32::from_bits).collect();
    // Offsets of the sheet, divided by four.
    assert_eq!(words, [1.0, 8.0, 13.0, 20.0, 22.0, 37.0, 38.0]);
}

#[test]
fn b11_byte_address_and_structured_buffers() {
    let text = "struct P { float3 a; uint b; float2x2 m; }; RWByteAddressBuffer o : register(u0); RWStructuredBuffer<P> p : register(u1);
        [numthreads(1,1,1)] void main() {
            P x; x.a = float3(1,2,3); x.b = 9; x.m = float2x2(1,2,3,4); p[1] = x; p[1].a.y = 7; p[0] = p[1]; p[0].b += 1;
            o.Store3(0, asuint(p[0].a)); o.Store(12, p[0].b); o.Store<float2x2>(16, p[0].m); o.Store(32, o.Load2(12).y);
            uint n, stride; p.GetDimensions(n, stride); o.Store2(36, uint2(n, stride)); o.InterlockedOr(44, 6u);
        }";
    let u1 = u(1);
    let words = compute(text, 12, &[(u1, vec![0; 64])]);
    let f = |x: f32| x.to_bits();
    // Column-major: 1, 3, 2, 4.
    assert_eq!(words, [f(1.0), f(7.0), f(3.0), 10, f(1.0), f(3.0), f(2.0), f(4.0), f(1.0), 2, 32, 6]);
}

#[test]
fn pixel_shader_is_written_for_both_targets() {
    let text = "cbuffer C { float4 tint; float2 scale; }; Texture2D tex; SamplerState smp;
        struct V { float4 pos : SV_Position; float2 uv : TEXCOORD0; nointerpolation uint id : ID; };
        float4 main(V v) : SV_Target { float4 c = tex.Sample(smp, v.uv * scale); if (c.a < 0.5) discard; return c * tint + v.id; }";
    let module = module(text, Stage::Fragment);
    let mut diags = aquatint_base::Diags::new();
    let words = aquatint_spirv::write(&module, "main", &aquatint_spirv::Options::default(), &mut diags);
    let all: Vec<String> = diags.iter().map(|d| d.message.clone()).collect();
    assert!(words.is_some(), "{all:?}");
}

#[test]
fn a_vertex_shader_moves_its_inputs() {
    let text = "cbuffer C : register(b0) { float4x4 m; uint base; };
        struct O { float2 uv : TEXCOORD0; float4 pos : SV_Position; float3 n[2] : NORMAL; };
        O main(float3 p : POSITION, float2 uv : TEXCOORD, uint id : SV_VertexID) {
            O o; o.pos = mul(m, float4(p, 1)); o.uv = uv * 2; o.n[0] = p; o.n[1] = id + base; return o; }";
    let module = module(text, Stage::Vertex);
    let program = Program::new(&module, "main").expect("a program");
    let mut machine = Machine::new(&program, 1).expect("a machine");
    let input = |location| program.input_at(location).expect("an input");
    machine.set_f32(input(0), 0, &[1.0, 2.0, 3.0]);
    machine.set_f32(input(1), 0, &[0.5, 0.25]);
    let id = program.input_builtin(aquatint_ir::Builtin::VertexIndex).expect("a vertex number");
    machine.set_u32(id, 0, &[7]);
    let mut resources = Resources::new();
    // Columns: a translation by (10, 20, 30), then the number 100.
    let mut floats = [0f32; 17];
    for i in 0..4 {
        floats[i * 5] = 1.0;
    }
    floats[12..15].copy_from_slice(&[10.0, 20.0, 30.0]);
    floats[16] = f32::from_bits(100);
    let bytes = floats.iter().flat_map(|f| f.to_le_bytes()).collect();
    resources.set_buffer(Binding { class: RegisterClass::B, register: 0, space: 0 }, bytes);
    machine.run(&mut resources, 1).expect("a run");
    let position = program.output_builtin(aquatint_ir::Builtin::Position).expect("a position");
    assert_eq!(machine.get_f32(position, 0), [11.0, 22.0, 33.0, 1.0]);
    // Locations in the order of the declaration, one for each element of an array (A7.1, A7.5).
    let output = |location| machine.get_f32(program.output_at(location).expect("an output"), 0);
    assert_eq!(output(0)[..2], [1.0, 0.5]);
    assert_eq!(output(1)[..3], [1.0, 2.0, 3.0]);
    assert_eq!(output(2)[..3], [107.0, 107.0, 107.0]);
}

#[test]
fn a13_5_uniform_parameters_of_an_entry_point_are_a_buffer() {
    let text = "RWStructuredBuffer<float> o : register(u0);
        [numthreads(1,1,1)] void main(uniform float2 a, uniform float3 b) { o[0] = a.y; o[1] = b.z; }";
    let bytes: Vec<u8> = (0..8).flat_map(|i| (i as f32).to_le_bytes()).collect();
    let b0 = Binding { class: RegisterClass::B, register: 0, space: 0 };
    let words: Vec<f32> = compute(text, 2, &[(b0, bytes)]).into_iter().map(f32::from_bits).collect();
    assert_eq!(words, [1.0, 6.0]);
}

#[test]
fn a3_15_pack_matrix_turns_what_is_declared_behind_it() {
    let text = "cbuffer A : register(b0) { float2x2 a; };
        #pragma pack_matrix(row_major)
        cbuffer B : register(b1) { float2x2 b; };
        RWStructuredBuffer<float> o : register(u0);
        [numthreads(1,1,1)] void main() { o[0] = a[0][1]; o[1] = b[0][1]; }";
    let bytes: Vec<u8> = (0..8).flat_map(|i| (i as f32).to_le_bytes()).collect();
    let b = |register| Binding { class: RegisterClass::B, register, space: 0 };
    let words = compute(text, 2, &[(b(0), bytes.clone()), (b(1), bytes)]);
    assert_eq!(words.into_iter().map(f32::from_bits).collect::<Vec<_>>(), [4.0, 1.0]);
}
