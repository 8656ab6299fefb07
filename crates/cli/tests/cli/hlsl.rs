//! `aquatint compile` of HLSL.

use super::Dir;

const LIT: &str = "#include \"inc/tone.hlsli\"\ncbuffer Frame : register(b0) { float3 tint; };\nTexture2D<float4> albedo;\n\
                   SamplerState linearSampler;\n\
                   float4 shade(float2 uv : TEXCOORD0) : SV_Target {\n    \
                   float3 c = albedo.Sample(linearSampler, uv).rgb * tint;\n    \
                   return float4(tone(c), OPACITY);\n}\n\
                   float4 place(float3 p : POSITION) : SV_Position { return float4(p, 1); }\n";
const TONE: &str = "#pragma once\nfloat3 tone(float3 c) { return c / (1 + c); }\n";

fn dir() -> Dir {
    Dir::with(&[("lit.hlsl", LIT), ("inc/tone.hlsli", TONE)])
}

#[test]
fn each_entry_point_reaches_each_target() {
    let dir = dir();
    let metal = dir.run(&["compile", "lit.hlsl", "-T", "ps_6_0", "-E", "shade", "-D", "OPACITY=0.5"]).silent();
    assert!(metal.text().contains("fragment ") && metal.text().contains("packed_float3 tint"), "{}", metal.text());
    for target in ["spv", "metal", "ir"] {
        let out = format!("place.{target}");
        dir.run(&["compile", "lit.hlsl", "-T", "vs_6_0", "-E", "place", "-D", "OPACITY=1", "-o", &out]).silent();
        assert!(dir.has(&out));
    }
}

#[test]
fn included_files_are_found_beside_and_on_the_path_and_messages_lie_in_them() {
    let dir = Dir::with(&[("a/lit.hlsl", LIT), ("b/inc/tone.hlsli", "float3 tone(float3 c) { return c.xyw; }\n")]);
    let args = ["compile", "a/lit.hlsl", "-T", "ps_6_0", "-E", "shade", "-D", "OPACITY=1", "--error-format", "short"];
    let missing = dir.run(&args).code(1);
    assert!(missing.err.contains("AQ1102"), "{}", missing.err);
    let found = dir.run(&[&args[..], &["-I", "b"]].concat()).code(1);
    assert!(found.err.contains("tone.hlsli:1:") && found.err.contains("AQ3008"), "{}", found.err);
}

#[test]
fn several_mistakes_are_reported_in_one_run() {
    let text = "float4 main(float2 uv : TEXCOORD0) : SV_Target {\n    float d = uv.z;\n    float3 c = nowhere + 1;\n    \
                return float2(1, 2);\n}\n";
    let dir = Dir::with(&[("bad.hlsl", text)]);
    let bad = dir.run(&["compile", "bad.hlsl", "-T", "ps_6_0", "-E", "main", "--error-format", "short"]).code(1);
    for (line, code) in [(2, "AQ3008"), (3, "AQ3001"), (4, "AQ3003")] {
        let place = format!("bad.hlsl:{line}:");
        assert!(bad.err.lines().any(|l| l.starts_with(&place) && l.contains(code)), "{}", bad.err);
    }
    let piped = dir.run_with_input(&["compile", "-", "--from", "hlsl", "-T", "ps_6_0", "-E", "main"], text.as_bytes());
    piped.code(1);
    dir.run(&["compile", "bad.hlsl", "-T", "xs_1"]).code(2);
}
