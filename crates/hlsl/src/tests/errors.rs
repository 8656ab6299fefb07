//! A shader for each message: the code, and that nothing else is said (F1.6).

use super::translate;
use crate::sema::options::Options;
use aquatint_base::Severity;
use aquatint_ir::Stage;

/// The codes of the messages of one severity, without repetitions.
fn codes(text: &str, options: &Options, severity: Severity) -> Vec<&'static str> {
    let (_, diags) = translate(text, options);
    let mut all: Vec<&'static str> = diags.iter().filter(|d| d.severity == severity).map(|d| d.code.id).collect();
    all.dedup();
    all
}

#[track_caller]
fn errors(cases: &[(&str, &str)], wrap: impl Fn(&str) -> String, options: &Options) {
    let mut wrong = Vec::new();
    for (code, text) in cases {
        let found = codes(&wrap(text), options, Severity::Error);
        if found != [*code] {
            wrong.push(format!("{code} wanted, {found:?} found: {text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Statements of a pixel shader.
#[test]
fn each_message_about_statements_and_expressions_stands_alone() {
    let cases = [
        ("AQ2006", "float4 c = tex2D(smp, float2(0, 0));"),
        ("AQ2006", "sampler2D old;"),
        ("AQ3038", "Texture2D t = tex; if (cb > 0) t = tex2; float4 c = t.Load(0);"),
        ("AQ3001", "x = 1;"),
        ("AQ3001", "float y = foo(1);"),
        ("AQ3001", "Foo f; f.x = 1;"),
        ("AQ3001", "for (int i = 0; i < 2; i++) {} i = 3;"),
        ("AQ3002", "int a = 1; float a = 2;"),
        ("AQ3003", "float3 v = float2(1, 2);"),
        ("AQ3003", "float2 a; float2x2 b; a = a + b;"),
        ("AQ3003", "S s = 1;"),
        ("AQ3003", "float2x3 m; float2 v = mul(m, float2(1, 2));"),
        ("AQ3004", "float d = two(1);"),
        ("AQ3004", "float d = sin(s0);"),
        ("AQ3004", "int n = countbits(1.5);"),
        ("AQ3005", "int n = amb(1, 2);"),
        ("AQ3006", "float3 v = float3(1, 2);"),
        ("AQ3007", "k = 1;"),
        ("AQ3007", "1 = 2;"),
        ("AQ3007", "cb = 2;"),
        ("AQ3007", "const int z = 1; z++;"),
        ("AQ3007", "ro[0] = 1;"),
        ("AQ3008", "float2 v; float y = v.z;"),
        ("AQ3008", "float4 v; float2 y = v.xg;"),
        ("AQ3008", "float2x2 m; float y = m._m02;"),
        ("AQ3009", "float4 v; v.xx = float2(1, 2);"),
        ("AQ3010", "float4 v; v[4] = 1;"),
        ("AQ3010", "int a[3]; a[3] = 1;"),
        ("AQ3013", "int n = 3; int a[n];"),
        ("AQ3014", "int a[0];"),
        ("AQ3014", "int a[];"),
        ("AQ3015", "float f = 1.5; int i = f << 1;"),
        ("AQ3015", "S a, b; bool e = a == b;"),
        ("AQ3015", "bool b = true; b++;"),
        ("AQ3016", "float3 v = { 1, 2 };"),
        ("AQ3016", "int a[2] = { 1, 2, 3 };"),
        ("AQ3017", "S s; s.nothing = 1;"),
        ("AQ3017", "float4 c = tex.Smaple(smp, float2(0, 0));"),
        ("AQ3031", "float4 c = GetRenderTargetSampleCount();"),
        ("AQ3033", "float2 v; bool2 b = v && v;"),
        ("AQ3033", "float2 v; float2 b = (v > 0) ? v : v;"),
        ("AQ3034", "float2 v; if (v) {}"),
        ("AQ3034", "while (s0) {}"),
        ("AQ3035", "break;"),
        ("AQ3035", "switch (1) { default: continue; }"),
        ("AQ3036", "switch (1) { case 1: break; case 1: break; }"),
        ("AQ3037", "int n; switch (1) { case n: break; }"),
        ("AQ3039", "float y = smp + two;"),
        ("AQ3051", "string s;"),
        ("AQ3058", "float4 c = tex.Sample(smp, float2(0, 0), int2(9, 0));"),
        ("AQ3059", "float4 c = tex.Sample(cmp, float2(0, 0));"),
        ("AQ3060", "int n = 4; n = n / 0;"),
        ("AQ3060", "int n = 4 % 0;"),
        ("AQ3061", "float y = nothing();"),
        ("AQ3061", "void v;"),
    ];
    let wrap = |body: &str| {
        format!(
            "struct S {{ float x; int y; }}; static S s0; static const int k = 1; cbuffer C {{ float cb; }};
             StructuredBuffer<int> ro; Texture2D tex, tex2; SamplerState smp; SamplerComparisonState cmp;
             float two(float a, float b) {{ return a + b; }} int amb(int a, float b) {{ return 1; }} int amb(float a, int b) {{ return 2; }}
             void nothing() {{}}
             float4 main() : SV_Target {{ {body} return 0; }}"
        )
    };
    errors(&cases, wrap, &Options::for_entry("main", Stage::Fragment));
}

/// Whole files.
#[test]
fn each_message_about_declarations_stands_alone() {
    let main = " float4 main() : SV_Target { return 0; }";
    let cases = [
        ("AQ3002", "int f() { return 1; } int f() { return 2; }"),
        ("AQ3002", "struct S { int a; }; struct S { int b; };"),
        (
            "AQ3011",
            "int f(); int g() { return f(); } int f() { return g(); } float4 main2() : SV_Target { return f(); }",
        ),
        ("AQ3012", "int f() { }"),
        ("AQ3015", "row_major float3 v;"),
        ("AQ3017", "struct S { int a; }; int f() { S s; return s.b; }"),
        ("AQ3019", "[numthreads(0, 1, 1)] void cs() {}"),
        ("AQ3026", "Texture2D t : register(s0);"),
        ("AQ3040", "template<typename T> struct B { T v; }; static B<int, int> b;"),
        ("AQ3047", "static float16_t h;"),
        ("AQ3052", "interface I { int f(); };"),
        ("AQ3055", "struct S { float a : 3; };"),
        ("AQ3056", "cbuffer C { Texture2D t; };"),
        ("AQ3057", "Texture2D<bool> t;"),
        ("AQ3062", "struct S { S s; };"),
        ("AQ3063", "enum E { A = sin(1.0) > 2 ? 1 : cb }; "),
        ("AQ4011", "static int a[2000000];"),
    ];
    let options = |name: &str| Options::for_entry(name, Stage::Fragment);
    let mut wrong = Vec::new();
    for (code, text) in cases {
        let entry = if text.contains("main2") { "main2" } else { "main" };
        let found = codes(&format!("{text}{main}"), &options(entry), Severity::Error);
        if !found.contains(&code) || found.len() > 2 {
            wrong.push(format!("{code} wanted, {found:?} found: {text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_message_about_entry_points_stands_alone() {
    let fragment = Options::for_entry("main", Stage::Fragment);
    let vertex = Options::for_entry("main", Stage::Vertex);
    let compute = Options::for_entry("main", Stage::Compute);
    let cases = [
        ("AQ3020", &compute, "void main() {}"),
        ("AQ3021", &fragment, "float4 mian() : SV_Target { return 0; }"),
        ("AQ3022", &fragment, "float4 main() { return 0; }"),
        ("AQ3022", &fragment, "float4 main(float2 uv) : SV_Target { return 0; }"),
        ("AQ3023", &fragment, "float4 main(float2 a : T0, float2 b : T) : SV_Target { return 0; }"),
        ("AQ3024", &fragment, "float4 main() : SV_Traget { return 0; }"),
        ("AQ3024", &vertex, "float4 main() : SV_Target { return 0; }"),
        ("AQ3025", &fragment, "float4 main([[vk::location(2)]] float2 a : A, float2 b : B) : SV_Target { return 0; }"),
        ("AQ3030", &vertex, "float4 main(float4 p : P) : SV_Position { clip(p); return p; }"),
        ("AQ3032", &vertex, "float4 main(float4 p : P) : SV_Position { return ddx(p); }"),
        (
            "AQ3032",
            &compute,
            "Texture2D<float4> t; SamplerState s; RWBuffer<float4> o; [numthreads(1,1,1)] void main() { o[0] = t.Sample(s, 0); }",
        ),
        ("AQ3049", &fragment, "groupshared float g; float4 main() : SV_Target { return g; }"),
        ("AQ3064", &vertex, "float4 main(float4 p : P) : SV_Position { discard; return p; }"),
        ("AQ3065", &fragment, "float4 main(float4 t[1025] : T) : SV_Target { return 0; }"),
        ("AQ3065", &fragment, "struct E {}; float4 main(E t[1024][1024] : T) : SV_Target { return 0; }"),
        ("AQ3065", &fragment, "float4 main(Texture2D t) : SV_Target { return 0; }"),
    ];
    let mut wrong = Vec::new();
    for (code, options, text) in cases {
        let found = codes(text, options, Severity::Error);
        if found != [code] {
            wrong.push(format!("{code} wanted, {found:?} found: {text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn warnings_are_given_and_the_shader_translates() {
    let cases = [
        ("AQ3201", "float4 v = 1; float2 w = v;"),
        ("AQ3202", "float f = 1.5; f += 1; int i = f;"),
        ("AQ3207", "uint n = 2; n = 1 << n;"),
        ("AQ3208", "uint n = 2; n = -n;"),
        ("AQ3215", "return 0; float z = 1;"),
    ];
    let mut wrong = Vec::new();
    for (code, body) in cases {
        let text = format!("float4 main() : SV_Target {{ {body} return 0; }}");
        let (module, diags) = translate(&text, &Options::for_entry("main", Stage::Fragment));
        if module.is_none() || !diags.iter().any(|d| d.code.id == code) {
            let found: Vec<&str> = diags.iter().map(|d| d.code.id).collect();
            wrong.push(format!("{code} wanted, {found:?} found: {body}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is broken at random must be refused with messages, on a small stack.
#[test]
fn f1_7_damaged_sources_do_no_harm() {
    let base = include_str!("run.rs");
    let work = move || {
        // The shaders of these tests, cut and shuffled.
        let bytes: Vec<char> = base.chars().collect();
        let mut seed = 12345u64;
        let mut next = |n: usize| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as usize % n.max(1)
        };
        for _ in 0..400 {
            let start = next(bytes.len());
            let length = next(600);
            let mut piece: Vec<char> = bytes[start..(start + length).min(bytes.len())].to_vec();
            for _ in 0..next(6) {
                let at = next(piece.len());
                if at < piece.len() {
                    piece[at] =
                        ['(', ')', '{', '}', '<', '>', ';', ',', '.', '[', ']', '=', '?', ':', '1', 'x'][next(16)];
                }
            }
            let text: String = piece.into_iter().collect();
            translate(&text, &Options::for_entry("main", Stage::Compute));
        }
        for deep in ["(", "{", "[", "-", "a?", "f(", "x<", "struct S{", "if(1)", "vector<", "a.b[", "!"] {
            let text = format!("void main() {{ int a = {}", deep.repeat(5000));
            translate(&text, &Options::for_entry("main", Stage::Compute));
            translate(&deep.repeat(5000), &Options::for_entry("main", Stage::Compute));
        }
    };
    let thread = std::thread::Builder::new().stack_size(16 << 20).spawn(work).expect("a thread");
    assert!(thread.join().is_ok());
}

/// AQ3230 is about paths that there are: a switch with a default whose cases all return has no end.
#[test]
fn f3_a_switch_that_always_returns_has_no_end() {
    let warned = |body: &str| {
        let text = format!("float f(int y) {{ {body} }}\nfloat4 main(int i : I) : SV_Target {{ return f(i); }}");
        let options = Options::for_entry("main", Stage::Fragment);
        codes(&text, &options, Severity::Warning).contains(&"AQ3230")
    };
    assert!(!warned("switch (y) { case 1: return 1; break; default: return 2; }"));
    assert!(!warned("switch (y) { default: return 2; case 1: case 2: return 1; }"));
    assert!(warned("switch (y) { case 1: break; default: return 2; }"));
    assert!(warned("switch (y) { case 1: return 3; }"));
    assert!(warned("switch (y) { case 1: return 3; default: y = 1; }"));
}

/// Structs of two structs each are exponentially large: what is counted of them is counted once, and their members are bounded
/// (F4, F1.7).
#[test]
fn f4_structs_that_double_end_in_a_limit() {
    let doubled = |levels: usize| {
        let mut text = String::from("struct S0 { float x; };\n");
        (1..=levels).for_each(|i| text.push_str(&format!("struct S{i} {{ S{} a, b; }};\n", i - 1)));
        text + &format!("float4 main(S{levels} i : I) : SV_Target {{ S{levels} copy = i; return 0; }}")
    };
    let options = Options::for_entry("main", Stage::Fragment);
    assert_eq!(codes(&doubled(2), &options, Severity::Error), [""; 0]);
    assert_eq!(codes(&doubled(13), &options, Severity::Error), ["AQ3065"]);
    assert_eq!(codes(&doubled(17), &options, Severity::Error)[0], "AQ4009");
    assert_eq!(codes(&doubled(60), &options, Severity::Error)[0], "AQ4009");
    // S14 has 3 * 2^14 - 1 structs and members, S15 twice as many; structs without members count, too.
    let local = |levels: usize| {
        doubled(levels).replace(" i : I", "").replace(&format!("main(S{levels}"), "main(").replace(" = i;", ";")
    };
    assert_eq!(codes(&local(14), &options, Severity::Error), [""; 0]);
    assert_eq!(codes(&local(15), &options, Severity::Error), ["AQ4009"]);
    assert_eq!(codes(&doubled(60).replace("float x;", ""), &options, Severity::Error)[0], "AQ4009");
}

/// A struct is not in itself, through an array either.
#[test]
fn a4_5_a_struct_cannot_hold_itself_through_an_array() {
    let text = "struct S { S a[2]; float x; };\nfloat4 main() : SV_Target { S s; return s.x; }";
    assert_eq!(codes(text, &Options::for_entry("main", Stage::Fragment), Severity::Error), ["AQ3062"]);
}

/// An annotation is what begins like one; what does not is no reason to pass over the rest of a file (A6.6, F1.6).
#[test]
fn a6_6_annotations_are_dropped_and_nothing_else() {
    let options = Options::for_entry("main", Stage::Fragment);
    let main = "float4 main() : SV_Target { return nowhere; }";
    let said = |head: &str| codes(&format!("{head}\n{main}"), &options, Severity::Error);
    assert_eq!(
        said("float k < float UIMin = 0; string name = \"a > b\"; float2 v[2] = {{1, 2}, {3, 4}}; > = 0.5;"),
        ["AQ3001"]
    );
    assert_eq!(said("float k < > = 0.5;"), ["AQ3001"]);
    assert_eq!(said("int a < b;"), ["AQ2002", "AQ3001"]);
    // One that is not closed takes the file with it, and says so.
    assert_eq!(said("float k < float UIMin = 0;")[0], "AQ2002");
}

/// A given offset is one that the rule could have given (C2.3 to C2.6).
#[test]
fn c2_10_given_offsets_keep_the_rules() {
    let options = Options::for_entry("main", Stage::Fragment);
    let with = |members: &str| {
        let text = format!(
            "struct P {{ float r, i; }};\ncbuffer C {{ {members} }};\nfloat4 main() : SV_Target {{ return 0; }}"
        );
        codes(&text, &options, Severity::Error)
    };
    for good in ["float2 a; [[vk::offset(16)]] P b;", "float3 a : packoffset(c0.y);", "[[vk::offset(12)]] float a;"] {
        assert_eq!(with(good), [""; 0], "{good}");
    }
    for bad in ["float2 a; [[vk::offset(8)]] P b;", "float4 a : packoffset(c0.y);", "[[vk::offset(4)]] float a[2];"] {
        assert_eq!(with(bad), ["AQ3044"], "{bad}");
    }
}
