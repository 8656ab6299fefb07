//! The headers: what they compute, and what they refuse by C++'s typing alone. Expected values are those of the MSL 2.4 specification.

use aquatint_metal_cpu::clang::{CompileOptions, compile, find};
use aquatint_metal_cpu::run::{Compute, Runner, Stage};

const HEAD: &str = "#include <metal_stdlib>\nusing namespace metal;\n";

/// Runs `body`, which writes words to `to`, and gives what is there.
fn run(head: &str, body: &str, count: usize) -> Vec<u32> {
    let mut stage =
        Stage::new(&format!("{HEAD}{head}\nkernel void k(device uint* to [[buffer(0)]]) {{\n{body}\n}}\n"), "k");
    stage.buffers.push((0, vec![0xAA; count * 4]));
    let written = Runner::new().dispatch(&Compute::new(stage, [1, 1, 1], [1, 1, 1])).expect("the kernel runs");
    written.buffers[0].1.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// Runs one kernel for all cases, each an expression and the words that it has. Scalars of 32 bits and vectors of them.
fn check(head: &str, cases: &[(&str, &[u32])]) {
    if find().is_none() {
        eprintln!("skipped: clang is absent");
        return;
    }
    let put = "template<typename T> static void put(device uint* to, T v) { to[0] = as_type<uint>(v); }\n\
               template<typename T, int N> static void put(device uint* to, vec<T, N> v) { for (int i = 0; i < N; i++) to[i] = as_type<uint>(v[i]); }\n\
               static void put(device uint* to, bool v) { to[0] = v ? 1u : 0u; }\n\
               template<int N> static void put(device uint* to, vec<bool, N> v) { for (int i = 0; i < N; i++) to[i] = v[i] ? 1u : 0u; }\n";
    let (mut body, mut at) = (String::new(), 0);
    for (expression, words) in cases {
        body.push_str(&format!("put(to + {at}, {expression});\n"));
        at += words.len();
    }
    let all = run(&format!("{head}\n{put}"), &body, at);
    let mut at = 0;
    for (expression, words) in cases {
        let found = &all[at..at + words.len()];
        assert_eq!(found, *words, "{expression}: {found:08x?}, not {words:08x?}");
        at += words.len();
    }
}

fn f(value: f32) -> u32 {
    value.to_bits()
}

#[test]
fn vectors_have_parts_and_swizzles() {
    check(
        "static float4 set(float4 v) { v.xz = float2(9.0f, 8.0f); v.wy *= 2.0f; v[0] += 1.0f; return v; }
         static int3 turn(int3 v) { v.bgr = v; v.x++; return v; }",
        &[
            ("float4(float2(1.0f, 2.0f), 3.0f, 4.0f).wzyx", &[f(4.0), f(3.0), f(2.0), f(1.0)]),
            ("float3(1.0f, float2(2.0f, 3.0f)).zz", &[f(3.0), f(3.0)]),
            ("float4(7.0f).rgb", &[f(7.0), f(7.0), f(7.0)]),
            ("set(float4(1.0f, 2.0f, 3.0f, 4.0f))", &[f(10.0), f(4.0), f(8.0), f(8.0)]),
            ("turn(int3(1, 2, 3))", &[4, 2, 1]),
            ("int2(float2(-1.7f, 1.7f))", &[-1i32 as u32, 1]),
            ("uint2(bool2(true, false))", &[1, 0]),
            ("(2 * int2(1, 2) + 1) << 1", &[6, 10]),
            ("-float2(1.0f, 0.0f)", &[f(-1.0), f(-0.0)]),
            ("(float2(1.0f, 2.0f) + 1.0f)[1]", &[f(3.0)]),
            ("uint(sizeof(float3)) + uint(sizeof(packed_float3)) * 100u + uint(alignof(half4)) * 10000u", &[81216]),
            ("uint(sizeof(bool3)) + 100u * uint(sizeof(half3)) + 10000u * uint(sizeof(float3x3))", &[480_804]),
        ],
    );
}

#[test]
fn lanes_stand_wherever_scalars_do() {
    check(
        "template<typename T> static T same(T v) { return v; }
         struct Boxed { int3 v[2]; float2x2 m; };
         static uint many(thread int3& v, device int3* d) {
             int table[4] = {v.x, v.y, 7, 9};
             uint bits = 0u;
             bits |= table[v.x] == 2 ? 1u : 0u;
             switch (v.y) { case 2: bits |= 2u; break; default: break; }
             if (v.x && !(v.z == 0)) bits |= 4u;
             auto copied = v.y; copied++; bits |= copied == 3 ? 8u : 0u;
             ++v.x; v.y--; v.z <<= 2; v.xy += v.yx;
             bits |= all(v == int3(3, 3, 12)) ? 16u : 0u;
             bits |= same(v.zyx).x == 12 && same(v.x) == 3 ? 32u : 0u;
             v.x = v.y = 5; bits |= v.x + v.y == 10 ? 64u : 0u;
             Boxed b; b.v[1].yz = int2(4, 6); b.v[1].x = -b.v[1].y; b.m[1].x = 2.0f; b.m[1].xy *= 3.0f; b.m[1][1] = b.m[1].x;
             bits |= b.v[1].x == -4 && b.m[1].y == 6.0f ? 128u : 0u;
             d->zyx = v; d[0].y += d->x; bits |= d->x == 12 && d->y == 17 ? 256u : 0u;
             for (int i = 0; i < v.x; i++) bits += 512u;
             thread Boxed* p = &b; p->v[0] = int3(1); p->v[0].x = p->v[1].z; bits |= p->v[0].x == 6 && p->v[0].z == 1 ? 4096u : 0u;
             const int3 c = v; bits |= (c.x == 5 ? c.yx : c.xy).x == 5 ? 8192u : 0u;
             return bits + (sizeof(v.x) == 4 ? 0u : 1u);
         }
         static uint start(device uint* to) { int3 v = int3(1, 2, 3); return many(v, (device int3*)to); }",
        // The second case writes over the first one.
        &[("int4(0)", &[12, 17, 5, 0]), ("start(to)", &[512 * 5 + 511 + 4096 + 8192])],
    );
}

#[test]
fn comparisons_of_vectors_give_bools() {
    check(
        "",
        &[
            ("int2(1, 5) < int2(3, 4)", &[1, 0]),
            (
                "float4(float2(float2(1.0f) == float2(1.0f, 2.0f)), float2(float2(0.0f) != float2(0.0f, 1.0f)))",
                &[f(1.0), 0, 0, f(1.0)],
            ),
            ("all(float3(1.0f) >= float3(1.0f, 0.0f, -1.0f))", &[1]),
            ("any(float2(1.0f) > float2(1.0f, 2.0f))", &[0]),
            ("!bool3(true, false, true)", &[0, 1, 0]),
            ("not(bool2(true, false))", &[0, 1]),
            ("bool2(true, false) && bool2(true, true)", &[1, 0]),
            ("select(float2(1.0f, 2.0f), float2(3.0f, 4.0f), bool2(false, true))", &[f(1.0), f(4.0)]),
            ("select(int2(1), int2(2), int2(1, 2) == 2)", &[1, 2]),
        ],
    );
}

#[test]
fn choices_join_objects_of_all_address_spaces() {
    check(
        "constant float3 far = float3(1.0f, 2.0f, 3.0f);
         static float3 pick(bool c, float3 v) { return c ? far : v.zyx; }
         static float2 nest(int n) { float2 v = float2(5.0f); return n == 0 ? v : n == 1 ? -v : float2(0.0f, 1.0f); }",
        &[
            ("pick(true, float3(0.0f))", &[f(1.0), f(2.0), f(3.0)]),
            ("pick(false, float3(4.0f, 5.0f, 6.0f))", &[f(6.0), f(5.0), f(4.0)]),
            ("nest(0)", &[f(5.0), f(5.0)]),
            ("nest(1)", &[f(-5.0), f(-5.0)]),
            ("nest(2)", &[f(0.0), f(1.0)]),
        ],
    );
}

#[test]
fn structures_are_copied_out_of_constant_memory() {
    check(
        "struct Inner { packed_float3 p; float s; };
         struct Outer { Inner parts[2]; float4 v; };
         constant Outer table = { { { packed_float3(1.0f, 2.0f, 3.0f), 4.0f }, { packed_float3(5.0f), 6.0f } }, float4(7.0f) };
         static float4 copy(int i) { Outer all = table; Inner one = table.parts[i]; return float4(one.p, all.parts[1 - i].s) + all.v; }
         template<typename T, uint N> struct Array { T e[N]; };
         static Array<float2, 2> swap(Array<float2, 2> a) { Array<float2, 2> b; b.e[0] = a.e[1]; b.e[1] = a.e[0]; return b; }
         constant Array<float2, 2> pair = { { float2(1.0f, 2.0f), float2(3.0f, 4.0f) } };",
        &[
            ("copy(0)", &[f(8.0), f(9.0), f(10.0), f(13.0)]),
            ("copy(1)", &[f(12.0), f(12.0), f(12.0), f(11.0)]),
            ("swap(pair).e[0]", &[f(3.0), f(4.0)]),
        ],
    );
}

#[test]
fn matrices_have_columns() {
    check(
        "constant float2x3 m = float2x3(float3(1.0f, 2.0f, 3.0f), float3(4.0f, 5.0f, 6.0f));
         static float3x2 turn() { float3x2 t = transpose(m); t[2].x = 9.0f; t[0][1] += 1.0f; return t; }",
        &[
            ("float2x3(m) * float2(1.0f, 10.0f)", &[f(41.0), f(52.0), f(63.0)]),
            ("float3(1.0f, 0.0f, 2.0f) * float2x3(m)", &[f(7.0), f(16.0)]),
            ("turn()[0]", &[f(1.0), f(5.0)]),
            ("turn()[2]", &[f(9.0), f(6.0)]),
            ("(transpose(m) * float2x3(m))[1]", &[f(32.0), f(77.0)]),
            ("determinant(float3x3(2.0f))", &[f(8.0)]),
            ("(float2x2(1.0f, 2.0f, 3.0f, 4.0f) * 2.0f)[1]", &[f(6.0), f(8.0)]),
            ("determinant(float2x2(1.0f, 2.0f, 3.0f, 4.0f))", &[f(-2.0)]),
        ],
    );
}

#[test]
fn halves_round_at_each_step() {
    check(
        "static half third() { return 1.0h / 3.0h; }",
        &[
            ("float(third())", &[f(0.333_251_95)]),
            ("float(half(65519.0f))", &[f(65504.0)]),
            ("float(half(2048.0h + 1.0h))", &[f(2048.0)]),
            ("as_type<half2>(0x3C00C000u).y == 1.0h", &[1]),
            ("as_type<uint>(half2(1.0h, -2.0h))", &[0xC000_3C00]),
            ("float2(min(half2(1.0h, 5.0h), 2.0h))", &[f(1.0), f(2.0)]),
            ("float(0.1h)", &[f(0.099_975_586)]),
        ],
    );
}

#[test]
fn integers_as_the_tables_say() {
    check(
        "",
        &[
            ("abs(-5)", &[5]),
            ("absdiff(-2147483647 - 1, 2147483647)", &[u32::MAX]),
            ("addsat(2147483647, 1)", &[0x7FFF_FFFF]),
            ("subsat(1u, 2u)", &[0]),
            ("clz(uint2(0u, 1u))", &[32, 31]),
            ("ctz(uint2(0u, 8u))", &[32, 3]),
            ("popcount(0xF0F0u)", &[8]),
            ("uint(popcount(ushort(0xFFFF)))", &[16]),
            ("reverse_bits(1u)", &[0x8000_0000]),
            ("uint(reverse_bits(uchar(1)))", &[0x80]),
            ("extract_bits(-16, 4u, 4u)", &[u32::MAX]),
            ("extract_bits(0xF0u, 4u, 4u)", &[15]),
            ("extract_bits(0xFFu, 0u, 0u)", &[0]),
            ("extract_bits(0xDEADBEEFu, 0u, 32u)", &[0xDEAD_BEEF]),
            ("insert_bits(0u, 0xFFu, 4u, 4u)", &[0xF0]),
            ("insert_bits(uint2(0u, 1u), uint2(3u), 8u, 32u).y", &[0x301]),
            ("mulhi(0xFFFFFFFFu, 0xFFFFFFFFu)", &[0xFFFF_FFFE]),
            ("mulhi(-1, 1)", &[u32::MAX]),
            ("uint(mulhi(0xFFFFFFFFFFFFFFFFul, 0xFFFFFFFFFFFFFFFFul) >> 32)", &[u32::MAX]),
            ("uint(mulhi(-1l, 1l))", &[u32::MAX]),
            ("madsat(2147483647, 2, 0)", &[0x7FFF_FFFF]),
            ("madsat(-2147483647, 2, 0)", &[0x8000_0000]),
            ("madsat(3, 4, -5)", &[7]),
            ("madsat(0xFFFFFFFFu, 2u, 0u)", &[u32::MAX]),
            ("hadd(0xFFFFFFFFu, 1u)", &[0x8000_0000]),
            ("rhadd(2, 1)", &[2]),
            ("rotate(0x80000001u, 1u)", &[3]),
            ("mul24(0x1000001, 3)", &[3]),
            ("median3(int2(1, 9), int2(5, 5), int2(3, 1))", &[3, 5]),
            ("clamp(int3(-1, 5, 9), 0, 6)", &[0, 5, 6]),
            ("max3(1u, 7u, 3u)", &[7]),
        ],
    );
}

#[test]
fn math_as_the_tables_say() {
    let (nan, inf) = ("as_type<float>(0x7FC00000u)", "as_type<float>(0x7F800000u)");
    let cases = [
        ("rint(float4(0.5f, 1.5f, -0.5f, 2.5f))".to_owned(), vec![f(0.0), f(2.0), f(-0.0), f(2.0)]),
        ("round(float2(0.5f, -2.5f))".to_owned(), vec![f(1.0), f(-3.0)]),
        ("fract(float2(1.25f, -0.25f))".to_owned(), vec![f(0.25), f(0.75)]),
        ("fract(-1e-9f)".to_owned(), vec![0x3F7F_FFFF]),
        ("fmod(float2(5.5f, -5.5f), 2.0f)".to_owned(), vec![f(1.5), f(-1.5)]),
        (format!("max({nan}, 1.0f)"), vec![f(1.0)]),
        (format!("min(2.0f, {nan})"), vec![f(2.0)]),
        (format!("saturate(float3({nan}, 2.0f, -1.0f))"), vec![0, f(1.0), 0]),
        (format!("sign(float4(-3.0f, {nan}, -0.0f, 2.0f))"), vec![f(-1.0), 0, f(-0.0), f(1.0)]),
        ("step(1.0f, float3(0.5f, 1.0f, 2.0f))".to_owned(), vec![0, f(1.0), f(1.0)]),
        ("smoothstep(0.0f, 2.0f, 1.0f)".to_owned(), vec![f(0.5)]),
        ("mix(float2(1.0f, 2.0f), float2(3.0f, 6.0f), 0.5f)".to_owned(), vec![f(2.0), f(4.0)]),
        ("fma(3.0f, 4.0f, 5.0f)".to_owned(), vec![f(17.0)]),
        ("ldexp(1.5f, 3)".to_owned(), vec![f(12.0)]),
        ("exp2(float2(3.0f, -1.0f))".to_owned(), vec![f(8.0), f(0.5)]),
        ("log2(8.0f)".to_owned(), vec![f(3.0)]),
        ("precise::sqrt(2.0f)".to_owned(), vec![f(std::f32::consts::SQRT_2)]),
        ("precise::divide(1.0f, 3.0f)".to_owned(), vec![f(1.0 / 3.0)]),
        ("fast::clamp(5.0f, 0.0f, 1.0f)".to_owned(), vec![f(1.0)]),
        ("rsqrt(4.0f)".to_owned(), vec![f(0.5)]),
        ("powr(2.0f, 10.0f)".to_owned(), vec![f(1024.0)]),
        ("isnan(powr(-2.0f, 2.0f))".to_owned(), vec![1]),
        ("sinpi(float2(0.5f, 2.0f))".to_owned(), vec![f(1.0), 0]),
        ("copysign(float2(1.0f), float2(-0.0f, 2.0f))".to_owned(), vec![f(-1.0), f(1.0)]),
        (format!("isinf(float3({inf}, {nan}, 1.0f))"), vec![1, 0, 0]),
        (format!("isnan(float2({nan}, {inf}))"), vec![1, 0]),
        (format!("isfinite(float2({nan}, 1e-45f))"), vec![0, 1]),
        ("isnormal(float2(1e-45f, 1.0f))".to_owned(), vec![0, 1]),
        ("signbit(-0.0f)".to_owned(), vec![1]),
        ("fdim(float2(3.0f, 1.0f), 2.0f)".to_owned(), vec![f(1.0), 0]),
        ("ilogb(10.0f)".to_owned(), vec![3]),
        ("nextafter(1.0f, 2.0f)".to_owned(), vec![0x3F80_0001]),
        ("nextafter(0.0f, -1.0f)".to_owned(), vec![0x8000_0001]),
        ("parts(-2.75f)".to_owned(), vec![f(-0.75), f(-2.0), f(-0.6875), 2]),
        // No contraction: the product rounds first.
        ("square(1.0f + 0x1p-12f) - (1.0f + 0x1p-11f)".to_owned(), vec![0]),
    ];
    let cases: Vec<(&str, &[u32])> = cases.iter().map(|(text, words)| (text.as_str(), words.as_slice())).collect();
    check(
        "static float4 parts(float v) { float whole; float part = modf(v, whole); int e; float m = frexp(v, e); return float4(part, whole, m, as_type<float>(e)); }
         static float square(float v) { return v * v; }",
        &cases,
    );
}

#[test]
fn geometry_as_the_tables_say() {
    check(
        "",
        &[
            ("dot(float3(1.0f, 2.0f, 3.0f), float3(4.0f, 5.0f, 6.0f))", &[f(32.0)]),
            ("cross(float3(1.0f, 0.0f, 0.0f), float3(0.0f, 1.0f, 0.0f))", &[0, 0, f(1.0)]),
            ("length(float2(3.0f, 4.0f))", &[f(5.0)]),
            ("distance(packed_float3(1.0f, 2.0f, 2.0f), float3(0.0f))", &[f(3.0)]),
            ("normalize(float2(0.0f, 4.0f))", &[0, f(1.0)]),
            ("reflect(float2(1.0f, -1.0f), float2(0.0f, 1.0f))", &[f(1.0), f(1.0)]),
            ("refract(float2(0.0f, -1.0f), float2(0.0f, 1.0f), 1.5f)", &[0, f(-1.0)]),
            ("faceforward(float2(0.0f, 1.0f), float2(0.0f, 1.0f), float2(0.0f, 1.0f))", &[f(-0.0), f(-1.0)]),
        ],
    );
}

#[test]
fn packing_as_the_tables_say() {
    check(
        "",
        &[
            ("pack_float_to_unorm4x8(float4(0.0f, 1.0f, 0.5f, 2.0f))", &[0xFF80_FF00]),
            ("pack_float_to_snorm4x8(float4(-1.0f, 1.0f, 0.0f, -2.0f))", &[0x8100_7F81]),
            ("pack_float_to_unorm2x16(float2(1.0f, 0.0f))", &[0xFFFF]),
            ("pack_float_to_snorm2x16(float2(-1.0f, 1.0f))", &[0x7FFF_8001]),
            ("unpack_unorm4x8_to_float(0xFF000000u)", &[0, 0, 0, f(1.0)]),
            ("unpack_snorm4x8_to_float(0x80817F00u)", &[0, f(1.0), f(-1.0), f(-1.0)]),
            ("unpack_snorm2x16_to_float(0x80007FFFu)", &[f(1.0), f(-1.0)]),
            ("unpack_unorm10a2_to_float(0xC00003FFu)", &[f(1.0), 0, 0, f(1.0)]),
        ],
    );
}

#[test]
fn function_constants_are_given_or_not() {
    if find().is_none() {
        eprintln!("skipped: clang is absent");
        return;
    }
    let source = format!(
        "{HEAD}constant int n [[function_constant(3)]];
         constant float2 v [[function_constant(4)]];
         constant int used = is_function_constant_defined(n) ? n : 7;
         kernel void k(device uint* to [[buffer(0)]]) {{
             to[0] = uint(used); to[1] = uint(v.x); to[2] = is_function_constant_defined(v);
         }}"
    );
    let run = |constants: &[(u32, &str)]| {
        let mut stage = Stage::new(&source, "k");
        stage.constants = constants.iter().map(|(index, text)| (*index, (*text).to_owned())).collect();
        stage.buffers.push((0, vec![0; 12]));
        let written = Runner::new().dispatch(&Compute::new(stage, [1, 1, 1], [1, 1, 1])).expect("the kernel runs");
        written.buffers[0].1.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect::<Vec<_>>()
    };
    assert_eq!(run(&[]), [7, 0, 0]);
    assert_eq!(run(&[(3, "5")]), [5, 0, 0]);
    assert_eq!(run(&[(4, "float2(3.0f, 4.0f)")]), [7, 3, 1]);
}

/// Whether a function with this body compiles, `head` before it.
fn compiles(head: &str, body: &str) -> bool {
    let text = format!(
        "{HEAD}{head}\nkernel void k(device float4* to [[buffer(0)]], constant float4* from [[buffer(1)]], uint i [[thread_position_in_grid]]) {{\n{body}\n}}\n"
    );
    compile(&text, &CompileOptions::default()).is_ok()
}

#[test]
fn what_metal_rejects_does_not_compile() {
    if find().is_none() {
        eprintln!("skipped: clang is absent");
        return;
    }
    // Each pair differs in what is wrong.
    let pairs: &[(&str, &str, &str)] = &[
        ("", "float2 a = from[0].xy;", "float2 a = from[0];"),
        ("", "float4 a = float4(int4(1));", "float4 a = int4(1);"),
        ("", "float4 a = float4(float3(1.0f), 1.0f);", "float4 a = float4(float3(1.0f));"),
        ("", "float4 a = float4(float2(1.0f), 1.0f, 1.0f);", "float4 a = float4(float2(1.0f), 1.0f);"),
        ("", "float3 a = float3(1.0f);", "float3 a = float3(1.0f, 2.0f);"),
        ("", "float2 a = float2(float2(1.0f));", "float2 a = float2(1.0f, 2.0f, 3.0f);"),
        ("", "half4 a = half4(from[0]);", "half4 a = from[0];"),
        ("", "float4 a = from[0] + float4(int4(1));", "float4 a = from[0] + int4(1);"),
        ("", "float3 a = from[0].xyz + float3(1.0f);", "float3 a = from[0].xyz + float2(1.0f);"),
        ("", "bool4 a = from[0] < from[1];", "bool a = from[0] < from[1];"),
        ("", "if (all(from[0] == from[1])) return;", "if (from[0] == from[1]) return;"),
        ("", "int4 a = int4(from[0] < from[1]);", "int4 a = from[0] < from[1];"),
        ("", "float4 a = from[0]; a.xy = a.yx;", "float4 a = from[0]; a.xx = a.xy;"),
        ("", "float2 a = from[0].xy; a.x = 1.0f;", "float2 a = from[0].xy; a.z = 1.0f;"),
        ("", "float4 a = from[0]; a.xyz = a.zyx;", "float4 a = from[0]; a.xyz = a.xy;"),
        ("", "float4 a = from[0].xyzw;", "float4 a = from[0].xyga;"),
        ("", "to[0] = from[0];", "from[0] = to[0];"),
        ("", "to[0].x = from[0].x;", "from[0].x = 1.0f;"),
        ("", "constant float4* p = from;", "device float4* p = from;"),
        ("", "device float4* p = to;", "thread float4* p = to;"),
        ("", "float4 a; thread float4* p = &a;", "float4 a; device float4* p = &a;"),
        ("static void g(thread float4& v) { v.x = 1.0f; }", "float4 a; g(a);", "g(to[0]);"),
        ("static float g(constant float4& v) { return v.x; }", "float a = g(from[0]);", "float a = g(to[0]);"),
        ("", "float a = max(1.0f, float(2));", "float a = max(1.0f, 2);"),
        ("", "uint a = min(1u, i);", "uint a = min(1, i);"),
        ("", "float a = dot(from[0], from[1]);", "float a = dot(from[0], from[1].xyz);"),
        ("", "float a = length(from[0]);", "float a = length(from[0].x);"),
        ("", "float3 a = cross(from[0].xyz, from[1].xyz);", "float2 a = cross(from[0].xy, from[1].xy);"),
        ("", "float4 a = sin(from[0]);", "float4 a = sin(int4(1));"),
        ("", "int a = abs(-1);", "int a = fabs(-1);"),
        ("", "bool a = any(from[0] < 0.0f);", "bool a = any(from[0]);"),
        ("", "uint a = popcount(i);", "uint a = popcount(from[0].x);"),
        ("", "uint a = as_type<uint>(from[0].x);", "uint a = as_type<uint>(from[0].xy);"),
        ("", "float a = from[0].x; int b = int(a) % 2;", "float4 a = from[0] % 2.0f;"),
        ("", "int4 a = int4(1) & 3;", "float4 a = from[0] & 3;"),
        ("", "float3 a = float3x3(1.0f) * from[0].xyz;", "float3 a = float3x3(1.0f) * from[0];"),
        ("", "float2x2 a = float2x2(from[0].xy, from[0].zw);", "float2x2 a = float2x2(from[0].xyz, from[0].zw);"),
        ("", "float2x3 a = float2x3(1.0f);", "float2x3 a = float2x2(1.0f);"),
        ("", "float3x3 a = float3x3(1.0f) * 2.0f;", "float3x3 a = float3x3(1.0f) / 2.0f;"),
        ("", "float a = 1.0; half b = 1.0h;", "double a = 1.0;"),
        ("", "int2 a = int2(1) + 1; a++;", "int2 a = int2(1); a += float2(1.0f);"),
        (
            "static void g(device atomic_uint* a) { atomic_fetch_add_explicit(a, 1u, memory_order_relaxed); }",
            "",
            "atomic_uint a; a = 1;",
        ),
        (
            "static void g(device atomic_uint* a) { atomic_store_explicit(a, 1u, memory_order_relaxed); }",
            "",
            "atomic_store_explicit((device atomic_uint*)to, 1u, memory_order_seq_cst);",
        ),
        ("", "uint a = simd_sum(i);", "bool a = simd_sum(true);"),
        ("", "uint a = simd_and(i);", "float a = simd_and(1.0f);"),
        ("", "threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);", "threadgroup_barrier(2);"),
        ("", "float a = from[0].x; a = select(a, 1.0f, true);", "float a = select(from[0].x, 1.0f, 1.0f, true);"),
        ("", "float a = clamp(from[0].x, 0.0f, 1.0f);", "float a = clamp(from[0].x, 0, 1);"),
        ("", "float2 a = 1;", "int2 a = float2(1.0f);"),
        ("", "packed_float3 a = from[0].xyz; float3 b = a;", "packed_float3 a = from[0]; float3 b = a;"),
        ("", "int device0 = 1;", "int device = 1;"),
        ("", "int kernel0 = 1;", "int kernel = 1;"),
        ("", "float2 a = fast::normalize(from[0].xy);", "int2 a = fast::normalize(int2(1));"),
        ("", "float4 a = from[0]; a.x = 1.0f;", "float4 a = from[0]; a.xy.x = 1.0f;"),
        ("", "float4 a = from[0]; a[1] = 1.0f;", "float4 a = from[0]; a.xy[1] = 1.0f;"),
        ("", "float4 a = from[0]; a += 1.0f;", "float4 a = from[0]; (a + a) += 1.0f;"),
        ("", "int4 a = int4(1); a++;", "float4 a = from[0]; a++;"),
        ("", "bool4 a = bool4(true) && bool4(false);", "bool4 a = from[0] && from[1];"),
        ("", "bool4 a = !bool4(true);", "bool4 a = !from[0];"),
        ("", "half4 a = sqrt(half4(1.0h));", "half4 a = precise::sqrt(half4(1.0h));"),
        ("", "uint a = pack_float_to_unorm4x8(from[0]);", "uint a = pack_float_to_unorm4x8(from[0].xyz);"),
        ("", "float a = ldexp(1.0f, 2);", "float4 a = ldexp(from[0], int3(1));"),
        ("", "float b; float a = modf(1.5f, b);", "int b; float a = modf(1.5f, b);"),
        ("", "float4 a = mix(from[0], from[1], 0.5f);", "float4 a = mix(from[0], from[1], float2(0.5f));"),
    ];
    let mut wrong = Vec::new();
    for (head, good, bad) in pairs {
        if !compiles(head, good) {
            wrong.push(format!("refused: {head} {good}"));
        }
        if compiles(head, bad) {
            wrong.push(format!("accepted: {head} {bad}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn messages_are_placed_in_the_original() {
    if find().is_none() {
        eprintln!("skipped: clang is absent");
        return;
    }
    let place = |text: &str, word: &str| {
        let messages = compile(text, &CompileOptions::default()).expect_err("it is wrong");
        let line = text.lines().position(|line| line.contains(word)).expect("the word is there");
        let column = text.lines().nth(line).and_then(|line| line.find(word)).expect("the word is there");
        assert_eq!((messages[0].line, messages[0].column), (line + 1, column + 1), "{messages:?}");
    };
    // Behind an attribute, which is longer for clang.
    place(&format!("{HEAD}kernel void k(device float4* to [[buffer(0)]]) {{ float2 wrong = to[0]; }}"), "wrong");
    place(&format!("{HEAD}static int f(bool c, int v) {{ return c ? v : unknown; }}"), "unknown");
    // What goes wrong within the headers is placed where it was asked for.
    place(&format!("{HEAD}static float4 f(float4 v) {{\n    return v % 2.0f;\n}}"), "% 2");
}

#[test]
fn the_oldest_language_has_no_newer_functions() {
    if find().is_none() {
        eprintln!("skipped: clang is absent");
        return;
    }
    let newer = format!(
        "{HEAD}static float f(device atomic_float* a) {{ return atomic_load_explicit(a, memory_order_relaxed); }}"
    );
    for (version, good) in [(240, false), (300, true)] {
        let options = CompileOptions { language_version: version, ..CompileOptions::default() };
        assert_eq!(compile(&newer, &options).is_ok(), good, "{version}");
    }
}

#[test]
fn lanes_of_a_simd_group_share() {
    if find().is_none() {
        eprintln!("skipped: clang is absent");
        return;
    }
    // Expressions of `i`, the lane, in one SIMD group of 8.
    let cases: &[(&str, [u32; 8])] = &[
        ("simd_sum(i)", [28; 8]),
        ("simd_product(i + 1u)", [40320; 8]),
        ("simd_min(i + 3u)", [3; 8]),
        ("simd_max(int(i) - 10)", [-3i32 as u32; 8]),
        ("simd_and(i | 8u)", [8; 8]),
        ("simd_or(i)", [7; 8]),
        ("simd_xor(i)", [0; 8]),
        ("simd_prefix_inclusive_sum(i)", [0, 1, 3, 6, 10, 15, 21, 28]),
        ("simd_prefix_exclusive_sum(i)", [0, 0, 1, 3, 6, 10, 15, 21]),
        ("simd_prefix_exclusive_product(2u)", [1, 2, 4, 8, 16, 32, 64, 128]),
        ("simd_broadcast(i * 3u, 5)", [15; 8]),
        ("simd_broadcast_first(i + 9u)", [9; 8]),
        ("simd_shuffle(i, ushort(7u - i))", [7, 6, 5, 4, 3, 2, 1, 0]),
        ("simd_shuffle_xor(i, 1)", [1, 0, 3, 2, 5, 4, 7, 6]),
        ("simd_shuffle_rotate_down(i, 2)", [2, 3, 4, 5, 6, 7, 0, 1]),
        ("simd_shuffle_rotate_up(i, 2)", [6, 7, 0, 1, 2, 3, 4, 5]),
        ("simd_vote::vote_t(simd_ballot(i > 4u))", [0xE0; 8]),
        ("simd_any(i == 3u) && !simd_all(i == 3u)", [1; 8]),
        ("simd_sum(float2(float(i), 1.0f)).y", [8; 8]),
        // Only the lanes that are there take part.
        ("i < 3u ? simd_sum(i + 1u) : simd_sum(i)", [6, 6, 6, 25, 25, 25, 25, 25]),
        ("i > 2u ? uint(simd_is_first()) : 5u", [5, 5, 5, 1, 0, 0, 0, 0]),
        // Quads are four lanes in a row.
        ("quad_sum(i)", [6, 6, 6, 6, 22, 22, 22, 22]),
        ("quad_broadcast(i, 2)", [2, 2, 2, 2, 6, 6, 6, 6]),
        ("quad_shuffle_xor(i, 3)", [3, 2, 1, 0, 7, 6, 5, 4]),
        ("quad_vote::vote_t(quad_ballot((i & 1u) != 0u))", [10; 8]),
    ];
    let lines: String =
        cases.iter().enumerate().map(|(n, (text, _))| format!("to[{n}u * 8u + i] = uint({text});\n")).collect();
    let text =
        format!("{HEAD}kernel void k(device uint* to [[buffer(0)]], uint i [[thread_position_in_grid]]) {{\n{lines}}}");
    let mut stage = Stage::new(&text, "k");
    stage.buffers.push((0, vec![0; cases.len() * 32]));
    let mut job = Compute::new(stage, [1, 1, 1], [8, 1, 1]);
    job.simd = 8;
    let written = Runner::new().dispatch(&job).expect("the kernel runs");
    let words =
        written.buffers[0].1.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect::<Vec<_>>();
    for ((text, expected), found) in cases.iter().zip(words.chunks(8)) {
        assert_eq!(found, expected, "{text}");
    }
}
