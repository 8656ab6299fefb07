//! `aquatint asm`, `disasm`, `info`.

use super::{Dir, PLAIN, TINT};

#[test]
fn disassembly_assembles_to_the_same_bytes() {
    let dir = Dir::with(&[("tint.asm", TINT)]);
    dir.run(&["asm", "tint.asm", "-o", "tint.bin"]).silent();
    dir.run(&["disasm", "tint.bin", "-o", "again.asm"]).silent();
    dir.run(&["asm", "again.asm", "-o", "again.bin"]).silent();
    assert_eq!(dir.bytes("again.bin"), dir.bytes("tint.bin"));
    let text = dir.text("again.asm");
    assert!(text.starts_with("    ps_2_0\n    def c4, 0.25, 0, 0, 1\n"), "{text}");
    assert!(text.ends_with("// approximately 5 instruction slots used (1 texture, 4 arithmetic)\n"), "{text}");
    let compact = dir.run(&["disasm", "tint.bin", "--style", "compact"]).silent();
    assert!(compact.text().starts_with("ps_2_0\r\n"));
}

#[test]
fn exact_disassembly_keeps_comments() {
    let dir = Dir::with(&[("plain.asm", PLAIN), ("c.json", r#"{"g_Color": {"register": "c0", "type": "float4"}}"#)]);
    dir.run(&["asm", "plain.asm", "--ctab", "c.json", "-o", "plain.bin"]).silent();
    dir.run(&["disasm", "plain.bin", "--exact", "-o", "exact.asm"]).silent();
    dir.run(&["asm", "exact.asm", "-o", "exact.bin"]).silent();
    assert_eq!(dir.bytes("exact.bin"), dir.bytes("plain.bin"));
}

#[test]
fn bytes_are_those_of_the_sheet() {
    // Sheet 1.2: mov is opcode 1; 1.4: oC0 is register type 8; the END token is 0000FFFF.
    let dir = Dir::with(&[("m.asm", "ps_2_0\nmov oC0, c1\n")]);
    dir.run(&["asm", "m.asm", "-o", "m.bin"]).silent();
    let words: Vec<u32> =
        dir.bytes("m.bin").chunks(4).map(|w| u32::from_le_bytes(w.try_into().expect("four bytes"))).collect();
    assert_eq!(words, [0xFFFF_0200, 0x0200_0001, 0x800F_0800, 0xA0E4_0001, 0x0000_FFFF]);
}

#[test]
fn includes_and_definitions() {
    let dir = Dir::with(&[
        ("src/main.asm", "ps_2_0\n#include \"beside.inc\"\n#include <shared.inc>\nmov r0, REGISTER\nmov oC0, r0\n"),
        ("src/beside.inc", "def c0, 1, 2, 3, VALUE\n"),
        ("lib/shared.inc", "def c1, 0, 0, 0, 0\n"),
    ]);
    let arguments = ["asm", "src/main.asm", "-I", "lib", "-D", "VALUE=4", "-D", "REGISTER=c0", "-o", "x.bin"];
    dir.run(&arguments).silent();
    let text = dir.run(&["disasm", "x.bin"]).silent();
    assert!(text.text().contains("def c0, 1, 2, 3, 4") && text.text().contains("def c1, 0, 0, 0, 0"));
    let missing = dir.run(&["asm", "src/main.asm", "-D", "VALUE=4", "-D", "REGISTER=c0", "-o", "y.bin"]).code(1);
    assert!(missing.err.contains("shared.inc") && !dir.has("y.bin"));
    dir.run(&["compile", "src/main.asm", "-I", "lib", "-D", "VALUE=4", "-D", "REGISTER=c0"]).silent();
}

#[test]
fn strict_assembly_refuses_what_the_native_assembler_refuses() {
    // Sheet 6.6: c# past the file of the version.
    let dir = Dir::with(&[("x.asm", "ps_2_0\nmov r0, c40\nmov oC0, r0\n")]);
    dir.run(&["asm", "x.asm", "--strict", "-o", "x.bin"]).code(1);
    assert!(!dir.has("x.bin"));
}

#[test]
fn several_errors_a_run_each_with_its_line() {
    let dir = Dir::with(&[("x.asm", "ps_2_0\nfrob r0\nmov r0, c0\nmov r1\n")]);
    let ran = dir.run(&["asm", "x.asm", "-o", "x.bin", "--error-format", "short"]).code(1);
    assert!(ran.err.contains("x.asm:2:") && ran.err.contains("x.asm:4:"), "{}", ran.err);
}

#[test]
fn info_says_what_a_shader_is() {
    let dir = Dir::with(&[
        ("tint.asm", TINT),
        (
            "c.json",
            r#"{"g_Tint": {"register": "c3", "type": "float4", "default": [1, 2, 3, 4]},
                       "g_Map": {"register": "s0", "type": "sampler2D"}}"#,
        ),
    ]);
    dir.run(&["asm", "tint.asm", "--ctab", "c.json", "-o", "tint.bin"]).silent();
    let info = dir.run(&["info", "tint.bin"]).silent();
    for part in ["ps_2_0 (pixel shader)", "5 in 5 slots", "s0 2d", "c3, c5", "float4 g_Tint;", "sampler2D g_Map;"] {
        assert!(info.text().contains(part), "'{part}' in:\n{}", info.text());
    }
    let json: serde_json::Value =
        serde_json::from_str(dir.run(&["info", "tint.bin", "--json"]).silent().text()).expect("JSON");
    assert_eq!(json["uniforms"]["floats"]["registers"][0]["name"], "g_Tint");
    assert_eq!(json["samplers"][0]["name"], "g_Map");
    dir.run(&["info", "c.json"]).code(1);
}

#[test]
fn a_constant_table_file_that_makes_no_sense_is_refused() {
    let dir = Dir::with(&[
        ("plain.asm", PLAIN),
        ("type.json", r#"{"a": {"register": "c0", "type": "float9"}}"#),
        ("key.json", r#"{"a": {"register": "c0", "type": "float", "colour": 1}}"#),
        ("no.json", "{"),
    ]);
    for file in ["type.json", "key.json", "no.json", "missing.json"] {
        dir.run(&["asm", "plain.asm", "--ctab", file, "-o", "x.bin"]).code(3);
    }
}
