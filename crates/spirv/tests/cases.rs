//! Text cases: `cases/NAME.ir` with the expected disassembly `NAME.spvasm` beside it. `UPDATE_EXPECT=1` writes what comes
//! out; read the difference before it is committed. Each module is also put before `spirv-val`, where that is installed;
//! where it is not, the test says so.
//!
//! A case's first line may hold options: `// options: vulkan1.3 float_controls no_names`.

use aquatint_base::{Diags, Limits, SourceId};
use aquatint_ir::Module;
use aquatint_spirv::{Environment, Options};
use rspirv::binary::Disassemble;
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
    let mut options = Options::default();
    for word in line.split_whitespace() {
        match word {
            "float_controls" => options.float_controls = true,
            "no_names" => options.names = false,
            other => options.environment = Environment::from_name(other).expect("an option"),
        }
    }
    options
}

fn module(text: &str, path: &Path) -> Module {
    let mut diags = Diags::new();
    let module = aquatint_ir::text::parse(text, SourceId(0), &Limits::default(), &mut diags);
    let valid = module.as_ref().is_some_and(|m| aquatint_ir::verify::verify(m, &mut diags));
    let found: Vec<String> = diags
        .iter()
        .map(|d| {
            let excerpt = d.labels.first().and_then(|l| l.excerpt.as_ref());
            format!("{} {} at {:?} {excerpt:?}", d.code, d.message, d.span())
        })
        .collect();
    assert!(valid, "{}:\n{}", path.display(), found.join("\n"));
    module.expect("a valid module")
}

/// What a case writes: the words of each entry point, or its messages.
fn outputs(text: &str, path: &Path) -> Vec<Result<Vec<u32>, String>> {
    let module = module(text, path);
    let write = |entry: &aquatint_ir::EntryPoint| {
        let mut diags = Diags::new();
        let words = aquatint_spirv::write(&module, module.name(entry.name), &options(text), &mut diags);
        assert_eq!(words.is_none(), diags.has_errors(), "an output or an error, {}", path.display());
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
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut differences = Vec::new();
    for path in cases() {
        let text = std::fs::read_to_string(&path).expect("a case");
        let found: String = outputs(&text, &path).iter().map(disassembly).collect();
        let expected = path.with_extension("spvasm");
        if update {
            std::fs::write(&expected, &found).expect("the case can be written");
        } else if std::fs::read_to_string(&expected).unwrap_or_default() != found {
            differences.push(format!("{}: UPDATE_EXPECT=1 writes this\n{found}", expected.display()));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn cases_are_valid() {
    if Command::new("spirv-val").arg("--version").stdout(Stdio::null()).status().is_err() {
        return println!("NOT CHECKED: spirv-val is not installed");
    }
    let mut failures = Vec::new();
    for path in cases() {
        let text = std::fs::read_to_string(&path).expect("a case");
        let environment = options(&text).environment.name();
        for words in outputs(&text, &path).into_iter().flatten() {
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
                failures.push(format!("{}: {said}", path.display()));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn the_same_module_gives_the_same_words() {
    for path in cases() {
        let text = std::fs::read_to_string(&path).expect("a case");
        assert_eq!(outputs(&text, &path), outputs(&text, &path), "{}", path.display());
    }
}
