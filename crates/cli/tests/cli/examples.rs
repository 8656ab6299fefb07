//! The shaders in `examples/` at the root: what is shipped is what the program makes, and it works.

use super::{Dir, run};
use std::path::PathBuf;

fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

#[test]
fn bytecode_is_what_the_assembler_makes_of_the_text() {
    let dir = Dir::new();
    let out = dir.0.join("x.bin");
    let out = out.to_str().expect("a path");
    for name in ["ocean.ps", "combiner.ps", "torus.vs", "torus.ps"] {
        let (text, table) = (format!("examples/{name}.asm"), format!("examples/{name}.json"));
        let mut arguments = vec!["asm", &text, "-o", out];
        if root().join(&table).exists() {
            arguments.extend(["--ctab", &table]);
        }
        run(&root(), &arguments, b"").silent();
        let shipped = std::fs::read(root().join(format!("examples/{name}.bin"))).expect("shipped bytecode");
        assert!(dir.bytes("x.bin") == shipped, "examples/{name}.bin is not what its text gives");
    }
}

#[test]
fn pictures_are_drawn_without_a_warning() {
    let dir = Dir::new();
    let out = dir.0.join("x.png");
    let out = out.to_str().expect("a path");
    let pictures: [&[&str]; 3] = [
        &["--ps", "examples/ocean.ps.asm"],
        &["--ps", "examples/combiner.ps.bin", "--tex", "0=gradient", "--tex", "1=noise"],
        &[
            "--vs",
            "examples/torus.vs.bin",
            "--ps",
            "examples/torus.ps.bin",
            "--mesh",
            "torus",
            "--camera",
            "--constants",
            "examples/torus.json",
            "--tex",
            "0=checker",
            "--tex",
            "1=noise",
        ],
    ];
    for options in pictures {
        let arguments = [&["render", "--size", "48x32", "-o", out], options].concat();
        run(&root(), &arguments, b"").silent();
    }
}

#[test]
fn all_of_them_translate() {
    let dir = Dir::new();
    let out = dir.0.join("out");
    for target in ["msl", "spirv"] {
        let arguments = ["compile", "examples", "--to", target, "-o", out.to_str().expect("a path")];
        let ran = run(&root(), &arguments, b"").code(0);
        // Four texts, four bytecodes.
        assert!(ran.err.contains("8 translated"), "{}", ran.err);
    }
}
