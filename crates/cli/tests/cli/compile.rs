//! `aquatint compile`.

use super::{Dir, PLAIN, TINT};
use serde_json::Value;

const MAGIC: [u8; 4] = 0x0723_0203_u32.to_le_bytes();

#[test]
fn the_extension_of_the_output_tells_the_target() {
    let dir = Dir::with(&[("tint.asm", TINT)]);
    for output in ["tint.metal", "tint.spv", "tint.spvasm", "tint.ir"] {
        dir.run(&["compile", "tint.asm", "-o", output]).silent();
    }
    assert!(dir.text("tint.metal").contains("fragment main0_Output main0"));
    assert!(dir.bytes("tint.spv").starts_with(&MAGIC));
    assert!(dir.text("tint.spvasm").contains("OpEntryPoint Fragment"));
    dir.run(&["cat", "tint.ir"]).silent();
}

#[test]
fn standard_input_and_output() {
    let dir = Dir::new();
    let ran = dir.run_with_input(&["compile", "-"], TINT.as_bytes()).silent();
    assert!(ran.text().contains("#include <metal_stdlib>"));
    let spirv = dir.run_with_input(&["compile", "-", "--to", "spirv", "-o", "-"], TINT.as_bytes()).silent();
    assert!(spirv.out.starts_with(&MAGIC));
    let bytes = dir.run_with_input(&["asm", "-", "-o", "-"], TINT.as_bytes()).silent().out;
    let again = dir.run_with_input(&["compile", "-"], &bytes).silent();
    assert_eq!(again.text(), ran.text(), "assembly and its bytecode are one shader");
}

#[test]
fn spirv_is_valid_where_the_validator_is_installed() {
    let dir = Dir::with(&[("tint.asm", TINT)]);
    for environment in ["vulkan1.1", "vulkan1.2", "vulkan1.3"] {
        dir.run(&["compile", "tint.asm", "--target-env", environment, "-o", "tint.spv"]).silent();
        let file = dir.0.join("tint.spv");
        match std::process::Command::new("spirv-val").args(["--target-env", environment]).arg(file).status() {
            Ok(status) => assert!(status.success(), "spirv-val {environment}"),
            Err(_) => eprintln!("SKIPPED: spirv-val is not installed"),
        }
    }
    // The version word of SPIR-V 1.6, which Vulkan 1.3 takes.
    assert_eq!(dir.bytes("tint.spv")[4..8], 0x0001_0600_u32.to_le_bytes());
}

#[test]
fn a_compile_that_fails_leaves_the_old_file() {
    let dir = Dir::with(&[("bad.asm", "ps_2_0\nfrob r0, r1\n"), ("out.metal", "old")]);
    dir.run(&["compile", "bad.asm", "-o", "out.metal"]).code(1);
    assert_eq!(dir.text("out.metal"), "old");
    assert_eq!(dir.names(""), ["bad.asm", "out.metal"], "nothing temporary is left");
}

#[test]
fn an_output_replaces_the_old_file_and_leaves_nothing_temporary() {
    let dir = Dir::with(&[("tint.asm", TINT), ("out.metal", "old")]);
    dir.run(&["compile", "tint.asm", "-o", "out.metal"]).silent();
    assert!(dir.text("out.metal").contains("fragment"));
    assert_eq!(dir.names(""), ["out.metal", "tint.asm"]);
}

#[test]
fn exit_codes() {
    let dir = Dir::with(&[("tint.asm", TINT), ("bad.bin", "nothing"), ("file", "")]);
    dir.run(&["compile", "bad.bin"]).code(1);
    dir.run(&["compile", "tint.asm", "--no-such-option"]).code(2);
    dir.run(&["compile", "tint.asm", "--to", "dxil"]).code(2);
    dir.run(&["compile", "tint.asm", "tint.asm"]).code(2);
    dir.run(&["compile"]).code(2);
    dir.run(&["compile", "missing.bin"]).code(3);
    dir.run(&["compile", "tint.asm", "-o", "file/below/out.metal"]).code(3);
    let reflect = dir.run(&["compile", "tint.asm", "--reflect", "-"]).code(2);
    assert!(reflect.err.contains("standard output"));
    dir.run(&["compile", "--help"]).silent();
}

#[test]
fn a_directory_is_compiled_on_all_cores() {
    let dir = Dir::with(&[
        ("in/a/water.pso", TINT),
        ("in/a/water.vso", "vs_2_0\ndcl_position v0\nmov oPos, v0\n"),
        ("in/b.asm", PLAIN),
        ("in/readme.txt", "no shader"),
        ("in/hlsl.fx", "struct A { float4 p; };"),
    ]);
    let ran = dir.run(&["compile", "in", "-o", "out"]).code(0);
    assert_eq!(dir.names("out"), ["a", "b.metal"]);
    // Two inputs that would meet keep their extensions.
    assert_eq!(dir.names("out/a"), ["water.pso.metal", "water.vso.metal"]);
    assert!(ran.err.contains("3 translated, 2 passed over"), "{}", ran.err);

    dir.put("in/broken.asm", b"ps_2_0\nfrob r0\n");
    let ran = dir.run(&["compile", "in", "--to", "spirv", "-o", "out2", "--reflect", "out2"]).code(1);
    assert!(dir.bytes("out2/b.spv").starts_with(&MAGIC), "the others are written");
    assert!(dir.has("out2/b.spv.json") && !dir.has("out2/broken.spv"));
    assert!(ran.err.contains("3 translated, 1 failed, 2 passed over"), "{}", ran.err);
    dir.run(&["compile", "in", "missing.asm", "-o", "out3"]).code(3);
    dir.run(&["compile", "in", "-o", "in/b.asm"]).code(2);
}

fn reflect(shader: &str, options: &[&str]) -> Value {
    let dir = Dir::with(&[("x.asm", shader)]);
    let mut arguments = vec!["compile", "x.asm", "-o", "x.metal", "--reflect", "-"];
    arguments.extend(options);
    let ran = dir.run(&arguments).code(0);
    serde_json::from_str(ran.text()).expect("JSON")
}

#[test]
fn reflection_lists_what_a_renderer_must_know() {
    let json = reflect(TINT, &["--shift-t", "100"]);
    // Sheet 4.2: the registers read and not defined, in order, packed; a vec4 is 16 bytes.
    let registers = &json["uniforms"]["floats"]["registers"];
    assert_eq!(registers[0], serde_json::json!({ "register": 3, "packed": 0, "offset": 0 }));
    assert_eq!(registers[1], serde_json::json!({ "register": 5, "packed": 1, "offset": 16 }));
    assert_eq!(registers.as_array().map(Vec::len), Some(2));
    assert_eq!(json["uniforms"]["bytes"], 32);
    assert_eq!(json["defs"]["floats"][0]["register"], 4);
    assert_eq!(json["defs"]["floats"][0]["bits"][0], "3E800000");
    assert_eq!(json["stage"], "fragment");
    assert_eq!(json["shader"], "ps_2_0");
    // Metal reserves `main` (sheet D1.2).
    assert_eq!(json["entry"]["msl"], "main0");
    // TEXCOORD0 is location 1: NORMAL0 comes first (sheet 3.1).
    assert_eq!(json["inputs"][0]["usage"], "texcoord");
    assert_eq!(json["inputs"][0]["location"], 1);
    assert_eq!(json["outputs"][0]["location"], 0);
    let sampler = &json["samplers"][0];
    assert_eq!((&sampler["register"], &sampler["kind"]), (&Value::from(0), &Value::from("2d")));
    assert_eq!(sampler["spirv"]["texture_binding"], 100);
    assert_eq!(sampler["msl"]["texture"], 0);
    assert_eq!(json["driver_block"], Value::Null);
    assert_eq!(json["flags"]["uses_kill"], false);
    assert_eq!(json["counts"]["texture_slots"], 1);
}

#[test]
fn ints_and_bools_lie_behind_the_floats() {
    let shader = "ps_3_0\nmov r0, c1\nrep i2\nadd r0, r0, c1\nendrep\nif b3\nadd r0, r0, c0\nendif\nmov oC0, r0\n";
    let json = reflect(shader, &[]);
    assert_eq!(
        json["uniforms"]["ints"]["registers"][0],
        serde_json::json!({ "register": 2, "packed": 0, "offset": 32 })
    );
    assert_eq!(
        json["uniforms"]["bools"]["registers"][0],
        serde_json::json!({ "register": 3, "packed": 0, "offset": 48 })
    );
    // Two floats, one int, bools padded to 16 bytes.
    assert_eq!(json["uniforms"]["bytes"], 64);
    let folded = reflect(shader, &["--bool", "3=0"]);
    assert_eq!(folded["uniforms"]["bools"]["count"], 0);
}

#[test]
fn the_drivers_work_changes_code_and_reflection() {
    let json = reflect(PLAIN, &["--fog", "linear"]);
    assert_eq!(json["driver_block"]["bytes"], 304);
    assert_eq!(json["driver_block"]["msl"]["buffer"], 1);
    let dir = Dir::with(&[("plain.asm", PLAIN), ("one.asm", "ps_1_1\ntex t0\nmov r0, t0\n")]);
    let text = |options: &[&str]| {
        let mut arguments = vec!["compile", "plain.asm"];
        arguments.extend(options);
        dir.run(&arguments).silent().text().to_owned()
    };
    assert!(text(&["--alpha-test", "greater=127"]).contains("127.0"));
    assert!(text(&["--alpha-test", "greater=127"]).contains("discard_fragment"));
    assert!(!text(&[]).contains("discard_fragment"));
    assert!(text(&["--clamp"]).contains("saturate"));
    assert!(!text(&["--clamp=1"]).contains("saturate"), "target 1 is not written");
    assert!(text(&["--srgb-write"]).contains("12.92"));
    let one = |option: &str| dir.run(&["compile", "one.asm", "--sampler", option]).code(0).text().to_owned();
    assert!(one("0=cube").contains("texturecube<float>"));
    assert!(one("0=2d").contains("texture2d<float>"));
    assert!(one("0=volume").contains("texture3d<float>"));
}

#[test]
fn options_of_targets_and_passes() {
    let dir = Dir::with(&[("tint.asm", TINT)]);
    let metal = dir.run(&["compile", "tint.asm", "--msl-version", "3.0", "--msl-entry", "waterPS"]).silent();
    assert!(metal.text().starts_with("// aquatint MSL 3.0"));
    assert!(metal.text().contains("fragment waterPS_Output waterPS"));
    let ieee = dir.run(&["compile", "tint.asm", "--float", "ieee", "--to", "ir"]).silent();
    let legacy = dir.run(&["compile", "tint.asm", "--float", "legacy", "--to", "ir"]).silent();
    assert!(legacy.text().contains("fmul.legacy") && !ieee.text().contains("fmul.legacy"));
    // The same product twice, and one that nothing needs.
    dir.put("twice.asm", b"ps_2_0\nmul r0, c0, c1\nmul r1, c0, c1\nadd r0, r0, r1\nmul r2, r0, r1\nmov oC0, r0\n");
    let products =
        |level| dir.run(&["compile", "twice.asm", "--to", "ir", level]).silent().text().matches("fmul.legacy").count();
    assert_eq!(products("-O1"), 1);
    assert!(products("-O0") > 1);
    let dumps = dir.run(&["compile", "tint.asm", "--print-after", "all"]).code(0);
    assert!(dumps.err.contains("// after fold") && dumps.err.contains("// after dce"));
    let one = dir.run(&["compile", "tint.asm", "--print-after", "fold"]).code(0);
    assert!(one.err.contains("// after fold") && !one.err.contains("// after dce"));
    let times = dir.run(&["compile", "tint.asm", "--time-passes"]).code(0);
    assert!(times.err.contains("changed") && times.err.contains("cse"));
    dir.run(&["compile", "tint.asm", "--stress", "--verify", "--unroll", "8"]).silent();
    let wrong = dir.run(&["compile", "tint.asm", "--print-after", "mem2rag"]).code(2);
    assert!(wrong.err.contains("mem2reg"), "the nearest name is offered: {}", wrong.err);
    let binding = dir.run(&["compile", "tint.asm", "--to", "spirv-asm", "--shift-t", "7", "--shift-s", "9"]).silent();
    assert!(binding.text().contains("Binding 7") && binding.text().contains("Binding 9"));
}
