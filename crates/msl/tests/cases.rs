//! Text cases: `cases/NAME.ir` with the expected `NAME.metal` beside it. `UPDATE_EXPECT=1` writes what comes out; read
//! the difference before it is committed. Each text is also compiled, against a stand-in for Metal's library, where clang
//! is installed; where it is not, the test says so.
//!
//! A case's first line may hold options: `// options: direct3d9 strict entry=NAME version=3.1`.

use aquatint_base::{Diags, Limits, SourceId};
use aquatint_msl::{LanguageVersion, Options};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder of cases")
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "ir"))
        .collect();
    found.sort();
    found
}

fn options(text: &str) -> Options {
    let line = text.lines().next().and_then(|l| l.strip_prefix("// options:")).unwrap_or("");
    let mut options =
        if line.split_whitespace().any(|w| w == "direct3d9") { Options::direct3d9() } else { Options::default() };
    for word in line.split_whitespace() {
        match word.split_once('=') {
            None if word == "direct3d9" => {}
            None if word == "strict" => options.strict = true,
            Some(("entry", name)) => options.entry_name = Some(name.to_owned()),
            Some(("version", "3.1")) => options.language_version = LanguageVersion::V3_1,
            _ => panic!("unknown option {word}"),
        }
    }
    options
}

fn module(text: &str, path: &Path) -> aquatint_ir::Module {
    let mut diags = Diags::new();
    let module = aquatint_ir::text::parse(text, SourceId(0), &Limits::default(), &mut diags);
    let valid = module.as_ref().is_some_and(|m| aquatint_ir::verify::verify(m, &mut diags));
    let found: Vec<String> = diags
        .iter()
        .map(|d| {
            format!(
                "{} {} at {:?} {:?}",
                d.code,
                d.message,
                d.span(),
                d.labels.first().and_then(|l| l.excerpt.as_ref())
            )
        })
        .collect();
    assert!(valid, "{}:\n{}", path.display(), found.join("\n"));
    module.expect("a valid module")
}

/// What a case writes: the text of each entry point, or the diagnostics.
fn output(text: &str, path: &Path) -> String {
    let module = module(text, path);
    let options = options(text);
    let mut all = String::new();
    for entry in &module.entry_points {
        let mut diags = Diags::new();
        match aquatint_msl::write(&module, module.name(entry.name), &options, &mut diags) {
            Some(text) => all.push_str(&text),
            None => assert!(diags.has_errors(), "no text and no error"),
        }
        for d in &diags {
            all.push_str(&format!("// {} {}: {}\n", d.severity.word(), d.code, d.message));
        }
    }
    all
}

#[test]
fn cases_are_as_expected() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut wrong = Vec::new();
    for path in cases() {
        let text = std::fs::read_to_string(&path).expect("a readable case");
        let got = output(&text, &path);
        let expected_path = path.with_extension("metal");
        let expected = std::fs::read_to_string(&expected_path).unwrap_or_default();
        if update {
            std::fs::write(&expected_path, &got).expect("a writable expectation");
        } else if got != expected {
            wrong.push(format!("{}\n--- expected\n{expected}\n--- got\n{got}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}\nrun with UPDATE_EXPECT=1 to accept", wrong.join("\n"));
}

#[test]
fn cases_compile_against_the_stand_in() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    if Command::new("clang").arg("--version").output().is_err() {
        eprintln!("NOT CHECKED: clang is not installed, so no output was compiled");
        return;
    }
    // What has a wrong swizzle or a wrong count of lanes must be refused, or the rest proves nothing.
    for bad in ["float4 f(float2 a) { return float4(a.xyz, 1.0f); }", "float4 f(float2 a) { return float4(a, 1.0f); }"]
    {
        let text = format!("#include <metal_stdlib>\nusing namespace metal;\n{bad}\n");
        assert!(compile(&folder, &text).is_some(), "the stand-in accepts {bad}");
    }
    let mut wrong = Vec::new();
    for path in cases() {
        let text = std::fs::read_to_string(&path).expect("a readable case");
        let got = output(&text, &path);
        if got.contains("#include")
            && let Some(errors) = compile(&folder, &got)
        {
            wrong.push(format!("{}\n{errors}\n{got}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Parses and type-checks a text; what clang says if it refuses.
fn compile(folder: &Path, text: &str) -> Option<String> {
    let mut command = Command::new("clang");
    command.args(["-x", "c++", "--target=aarch64-linux-gnu", "-march=armv8.2-a+fp16", "-std=c++17", "-fsyntax-only"]);
    command.args(["-Wall", "-Werror", "-Wno-unknown-attributes", "-Wno-unused-function", "-Wno-unused-variable"]);
    command.args([
        "-Wno-unused-but-set-variable",
        "-Wno-unknown-pragmas",
        "-DAQUATINT_CHECK_LAYOUT",
        "-ferror-limit=10",
    ]);
    command.arg("-I").arg(folder.join("stand_in")).arg("-").stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("clang starts");
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("clang reads");
    let result = child.wait_with_output().expect("clang ends");
    (!result.status.success()).then(|| String::from_utf8_lossy(&result.stderr).into_owned())
}

#[test]
fn the_same_module_gives_the_same_text() {
    for path in cases() {
        let text = std::fs::read_to_string(&path).expect("a readable case");
        assert_eq!(output(&text, &path), output(&text, &path), "{}", path.display());
    }
}
