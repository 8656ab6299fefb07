//! Text cases: `cases/NAME.ir` with the expected `NAME.metal` beside it. `UPDATE_EXPECT=1` writes what comes out; read
//! the difference before it is committed. Each text is also compiled, against a stand-in for Metal's library, where clang
//! is installed; where it is not, the test says so.
//!
//! A case's first line may hold options: `// options: direct3d9 strict entry=NAME version=3.1`.

use aquatint_base::Diags;
use aquatint_msl::{LanguageVersion, Options};
use aquatint_testkit::{Case, CaseFile, Found, module};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The cases, each with its expected `.metal` beside it.
fn cases() -> Vec<CaseFile> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let read = |path: &PathBuf| CaseFile::read_beside(path, "metal");
    let files = CaseFile::folder(&folder, "ir").and_then(|paths| paths.iter().map(read).collect());
    files.unwrap_or_else(|why| panic!("{why}"))
}

fn options(case: &Case) -> Options {
    let mut options = match case.options().any(|word| word == "direct3d9") {
        true => Options::direct3d9(),
        false => Options::default(),
    };
    for word in case.options() {
        match word.split_once('=') {
            None if word == "direct3d9" => {}
            None if word == "strict" => options.strict = true,
            Some(("entry", name)) => options.entry_name = Some(name.to_owned()),
            Some(("version", "3.1")) => options.language_version = LanguageVersion::V3_1,
            _ => panic!("{}: unknown option {word}", case.title()),
        }
    }
    options
}

/// What a case writes: the text of each entry point, or the diagnostics.
fn output(case: &Case) -> String {
    let module = module::parse(&case.name, &case.input).unwrap_or_else(|why| panic!("{why}"));
    let options = options(case);
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
    let results = cases().into_iter().map(|file| file.check(|case| Ok(Found::text(output(case)))));
    let wrong: Vec<String> = results.filter_map(Result::err).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
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
    for case in cases().iter().flat_map(|file| &file.cases) {
        let got = output(case);
        if got.contains("#include")
            && let Some(errors) = compile(&folder, &got)
        {
            wrong.push(format!("{}\n{errors}\n{got}", case.title()));
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
    for case in cases().iter().flat_map(|file| &file.cases) {
        assert_eq!(output(case), output(case), "{}", case.title());
    }
}
