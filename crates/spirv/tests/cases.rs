//! Text cases: `cases/NAME.ir` with the expected disassembly `NAME.spvasm` beside it. `UPDATE_EXPECT=1` writes what comes
//! out; read the difference before it is committed. Each module is also put before `spirv-val`, where that is installed;
//! where it is not, the test says so.
//!
//! A case's first line may hold options: `// options: vulkan1.3 float_controls no_names`.

use aquatint_base::Diags;
use aquatint_spirv::{Environment, Options};
use aquatint_testkit::{Case, CaseFile, Found, module};
use rspirv::binary::Disassemble;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The cases, each with its expected `.spvasm` beside it.
fn cases() -> Vec<CaseFile> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let read = |path: &PathBuf| CaseFile::read_beside(path, "spvasm");
    let files = CaseFile::folder(&folder, "ir").and_then(|paths| paths.iter().map(read).collect());
    files.unwrap_or_else(|why| panic!("{why}"))
}

fn options(case: &Case) -> Options {
    let mut options = Options::default();
    for word in case.options() {
        match word {
            "float_controls" => options.float_controls = true,
            "no_names" => options.names = false,
            other => options.environment = Environment::from_name(other).expect("an option"),
        }
    }
    options
}

/// What a case writes: the words of each entry point, or its messages.
fn outputs(case: &Case) -> Vec<Result<Vec<u32>, String>> {
    let module = module::parse(&case.name, &case.input).unwrap_or_else(|why| panic!("{why}"));
    let write = |entry: &aquatint_ir::EntryPoint| {
        let mut diags = Diags::new();
        let words = aquatint_spirv::write(&module, module.name(entry.name), &options(case), &mut diags);
        assert_eq!(words.is_none(), diags.has_errors(), "an output or an error, {}", case.title());
        let messages = diags.iter().map(|d| format!("; {} {}: {}\n", d.severity.word(), d.code, d.message));
        words.ok_or_else(|| messages.collect())
    };
    module.entry_points.iter().map(write).collect()
}

fn disassembly(output: &Result<Vec<u32>, String>) -> String {
    match output {
        Ok(words) => format!("{}\n", rspirv::dr::load_words(words).expect("a module").disassemble()),
        Err(messages) => messages.clone(),
    }
}

#[test]
fn cases_are_as_expected() {
    let found = |case: &Case| Ok(Found::text(outputs(case).iter().map(disassembly).collect::<String>()));
    let wrong: Vec<String> = cases().into_iter().filter_map(|file| file.check(found).err()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn cases_are_valid() {
    if Command::new("spirv-val").arg("--version").stdout(Stdio::null()).status().is_err() {
        return println!("NOT CHECKED: spirv-val is not installed");
    }
    let mut failures = Vec::new();
    for case in cases().iter().flat_map(|file| &file.cases) {
        let environment = options(case).environment.name();
        for words in outputs(case).into_iter().flatten() {
            let mut child = Command::new("spirv-val")
                .args(["--target-env", environment, "-"])
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("spirv-val");
            let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
            child.stdin.take().expect("a pipe").write_all(&bytes).expect("spirv-val reads");
            let output = child.wait_with_output().expect("spirv-val ends");
            if !output.status.success() {
                let said = String::from_utf8_lossy(&[output.stderr, output.stdout].concat()).into_owned();
                failures.push(format!("{}: {said}", case.title()));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn the_same_module_gives_the_same_words() {
    for case in cases().iter().flat_map(|file| &file.cases) {
        assert_eq!(outputs(case), outputs(case), "{}", case.title());
    }
}
