//! Text cases: `cases/NAME.ir` with the expected `NAME.metal` beside it. `UPDATE_EXPECT=1` writes what comes out; read
//! the difference before it is committed. That each text is Metal is checked in `tests/metal-cpu`.
//!
//! A case's first line may hold options: `// options: direct3d9 strict entry=NAME version=3.1`.

use aquatint_base::Diags;
use aquatint_msl::{LanguageVersion, Options};
use aquatint_testkit::{Case, CaseFile, Found, module};
use std::path::{Path, PathBuf};

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
fn the_same_module_gives_the_same_text() {
    for case in cases().iter().flat_map(|file| &file.cases) {
        assert_eq!(output(case), output(case), "{}", case.title());
    }
}
