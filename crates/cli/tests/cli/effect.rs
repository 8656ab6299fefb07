//! `aquatint effect`, on an effect built here by sheet 5.4.

use super::{Dir, PLAIN};

/// Builds an fx_2_0 effect with a parameter `float4 g_Color = {1, 2, 3, 4}` and the technique `Main`, whose pass `P0` has the
/// two shaders and `CullMode = 1`.
fn effect(vertex: &[u8], pixel: &[u8]) -> Vec<u8> {
    let mut data = vec![0_u32];
    let mut place = |words: &[u32]| {
        let at = 4 * data.len() as u32;
        data.extend(words);
        at
    };
    let text = |text: &str| {
        let mut bytes = text.as_bytes().to_vec();
        bytes.push(0);
        let length = bytes.len() as u32;
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        let mut words = vec![length];
        words.extend(bytes.chunks(4).map(|w| u32::from_le_bytes(w.try_into().expect("four bytes"))));
        words
    };
    let color = place(&text("g_Color"));
    // Type float (3), class vector (1), name, semantic, elements, columns, rows.
    let color_type = place(&[3, 1, color, 0, 0, 4, 1]);
    let color_value = place(&[1.0_f32, 2.0, 3.0, 4.0].map(f32::to_bits));
    let (main, pass) = (place(&text("Main")), place(&text("P0")));
    // Types vertexshader (16), pixelshader (15), int (2); states are typed class 4 and 2.
    let vertex_type = place(&[16, 4, 0, 0, 0]);
    let pixel_type = place(&[15, 4, 0, 0, 0]);
    let int_type = place(&[2, 2, 0, 0, 0, 1, 1]);
    let (vertex_object, pixel_object, cull) = (place(&[1]), place(&[2]), place(&[1]));

    // Parameters, techniques, (shaders), objects with the empty one.
    let mut structure = vec![1, 1, 2, 3];
    structure.extend([color_type, color_value, 0, 0]);
    structure.extend([main, 0, 1]);
    structure.extend([pass, 0, 3]);
    structure.extend([146, 0, vertex_type, vertex_object]);
    structure.extend([147, 0, pixel_type, pixel_object]);
    structure.extend([8, 0, int_type, cull]);
    // No small objects, two resources: technique, pass, element, state, usage, size, bytes.
    structure.extend([0, 2]);
    for (state, shader) in [(1, pixel), (0, vertex)] {
        structure.extend([0, 0, u32::MAX, state, 0, shader.len() as u32]);
        structure.extend(shader.chunks(4).map(|w| u32::from_le_bytes(w.try_into().expect("four bytes"))));
    }
    let mut file = vec![0xFEFF_0901, 4 * data.len() as u32];
    file.extend(&data);
    file.extend(structure);
    file.iter().flat_map(|word: &u32| word.to_le_bytes()).collect()
}

fn prepared() -> Dir {
    let dir = Dir::with(&[("vs.asm", "vs_2_0\ndcl_position v0\nmov oPos, v0\n"), ("ps.asm", PLAIN)]);
    for stage in ["vs", "ps"] {
        dir.run(&["asm", &format!("{stage}.asm"), "-o", &format!("{stage}.bin")]).silent();
    }
    dir.put("x.fxb", &effect(&dir.bytes("vs.bin"), &dir.bytes("ps.bin")));
    dir
}

#[test]
fn list_names_techniques_passes_and_shaders() {
    let ran = prepared().run(&["effect", "list", "x.fxb"]).silent();
    for part in ["1 parameter, 1 technique", "technique Main: P0", "Main/P0/vs", "vs_2_0", "Main/P0/ps", "ps_2_0"] {
        assert!(ran.text().contains(part), "'{part}' in:\n{}", ran.text());
    }
}

#[test]
fn show_prints_parameters_states_and_disassembly() {
    let ran = prepared().run(&["effect", "show", "x.fxb"]).silent();
    for part in ["float4 g_Color", "technique Main", "pass P0", "mov oPos, v0", "mov oC0, r0"] {
        assert!(ran.text().contains(part), "'{part}' in:\n{}", ran.text());
    }
}

#[test]
fn extract_writes_shaders_and_what_surrounds_them() {
    let dir = prepared();
    let ran = dir.run(&["effect", "extract", "x.fxb", "-o", "out/deep"]).code(0);
    assert!(ran.err.contains("2 shaders"), "{}", ran.err);
    assert_eq!(dir.names("out/deep"), ["Main_P0_ps.bin", "Main_P0_vs.bin", "effect.json"]);
    assert_eq!(dir.bytes("out/deep/Main_P0_vs.bin"), dir.bytes("vs.bin"));
    assert_eq!(dir.bytes("out/deep/Main_P0_ps.bin"), dir.bytes("ps.bin"));
    let json: serde_json::Value = serde_json::from_str(&dir.text("out/deep/effect.json")).expect("JSON");
    assert_eq!(json["parameters"][0]["name"], "g_Color");
    assert_eq!(json["parameters"][0]["value"], serde_json::json!([1.0, 2.0, 3.0, 4.0]));
    let pass = &json["techniques"][0]["passes"][0];
    assert_eq!(pass["name"], "P0");
    assert_eq!(pass["states"][2], serde_json::json!({ "state": "CullMode", "value": 1 }));
    assert_eq!(json["shaders"][0]["file"], "Main_P0_vs.bin");
    dir.run(&["compile", "out/deep", "-o", "metal"]).code(0);
    assert_eq!(dir.names("metal"), ["Main_P0_ps.metal", "Main_P0_vs.metal"]);
}

#[test]
fn an_effect_lies_in_wrappers_and_is_no_shader() {
    let dir = prepared();
    // XNA: BCF00BCF, the size of the wrapper, then the effect (sheet 5.4).
    let mut wrapped = [0xBCF0_0BCF_u32, 16, 0, 0].iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<_>>();
    wrapped.extend(dir.bytes("x.fxb"));
    dir.put("xna.fxb", &wrapped);
    assert!(dir.run(&["effect", "list", "xna.fxb"]).silent().text().contains("Main/P0/vs"));
    assert!(dir.run(&["info", "x.fxb"]).silent().text().contains("Main/P0/vs"));
    let compile = dir.run(&["compile", "x.fxb"]).code(1);
    assert!(compile.err.contains("AQ0008") && compile.err.contains("effect extract"));
    assert!(dir.run(&["disasm", "x.fxb"]).code(1).err.contains("effect show"));
    dir.run(&["effect", "list", "vs.bin"]).code(1);
    dir.put("x.mgfxo", b"MGFX\x08\x00\x00\x00#version 110\n");
    assert!(dir.run(&["effect", "list", "x.mgfxo"]).code(1).err.contains("GLSL"));
    dir.run(&["effect", "list", "missing"]).code(3);
}

#[test]
fn a_damaged_effect_is_reported() {
    let dir = prepared();
    let bytes = dir.bytes("x.fxb");
    for length in [4, 12, bytes.len() / 2, bytes.len() - 4] {
        dir.put("cut.fxb", &bytes[..length]);
        let ran = dir.run(&["effect", "list", "cut.fxb"]);
        assert!(ran.code <= 1 && ran.err.contains("E-FX"), "{length}: {} {}", ran.code, ran.err);
    }
}
