//! Real shaders through the lexer and the preprocessor: no panic, and what is printed lexes to the same tokens. Where clang is at
//! hand, its preprocessor has the same tokens.

use aquatint_base::{Diags, Names, Source, Sources};
use aquatint_hlsl::include::{FileIncludes, IncludeHandler};
use aquatint_hlsl::options::{FrontLimits, PreprocessOptions};
use aquatint_hlsl::preprocess::print::print;
use aquatint_hlsl::preprocess::{Context, preprocess};
use aquatint_hlsl::token::TokenKind;
use std::path::{Path, PathBuf};

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus");

fn files(folder: &Path, extensions: &[&str], out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut entries: Vec<_> = entries.flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, extensions, out);
        } else if path.extension().is_some_and(|e| extensions.iter().any(|x| e == *x)) {
            out.push(path);
        }
    }
}

/// The tokens, the codes of the faults, and the printed text.
fn tokens(
    name: &str,
    text: &str,
    includes: &mut dyn IncludeHandler,
) -> (Vec<(TokenKind, String)>, Vec<&'static str>, String) {
    let (mut sources, mut names, mut diags) = (Sources::new(), Names::new(), Diags::new());
    let main = sources.add(Source::text(name, text));
    let limits = FrontLimits::default();
    let context = Context { sources: &mut sources, names: &mut names, diags: &mut diags, limits: &limits, includes };
    let unit = preprocess(main, &PreprocessOptions::default(), context);
    let printed = print(&unit, &sources, &names);
    let tokens = unit.tokens.iter().map(|t| (t.kind, t.text(&names).to_string())).collect();
    (
        tokens,
        diags.iter().filter(|d| d.severity == aquatint_base::Severity::Error).map(|d| d.code.id).collect(),
        printed,
    )
}

fn corpus(folders: &[&str]) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for folder in folders {
        let extensions =
            ["hlsl", "hlsli", "fx", "fxh", "ps", "frag", "vert", "comp", "geom", "tesc", "tese", "shader_test"];
        files(&Path::new(CORPUS).join(folder), &extensions, &mut all);
    }
    if all.is_empty() {
        eprintln!("SKIPPED: there is no corpus of shaders at {CORPUS}");
    }
    all
}

#[test]
fn a3_19_real_shaders_are_read_and_print_to_the_same_tokens() {
    let all = corpus(&["hlsl", "glslang/hlsl", "dxc", "vkd3d", "slang-hlsl", "offload-test-suite"]);
    let mut faults = std::collections::BTreeMap::<&str, usize>::new();
    for path in &all {
        let text = String::from_utf8_lossy(&std::fs::read(path).expect("readable")).into_owned();
        let name = path.display().to_string();
        let (first, codes, printed) = tokens(&name, &text, &mut FileIncludes::default());
        if codes.iter().any(|c| ["AQ1112", "AQ1109", "AQ1105", "AQ1001"].contains(c)) {
            eprintln!("{name} {codes:?}");
        }
        codes.iter().for_each(|code| *faults.entry(code).or_default() += 1);
        // What starts a line with `#` in the middle of nowhere is no shader.
        if codes.is_empty() {
            let (second, again, _) = tokens("printed", &printed, &mut FileIncludes::virtual_only::<&str, &str>([]));
            assert_eq!((first, again), (second, vec![]), "{name}");
        }
    }
    eprintln!("{} files, faults {faults:?}", all.len());
}

#[test]
fn a3_4_clang_has_the_same_tokens_of_files_with_many_macros() {
    let all = corpus(&["hlsl", "glslang/hlsl", "dxc", "slang-hlsl"]);
    let mut compared = 0;
    for path in &all {
        let text = String::from_utf8_lossy(&std::fs::read(path).expect("readable")).into_owned();
        if text.matches("#define").count() == 0 || !text.is_ascii() {
            continue;
        }
        let name = path.display().to_string();
        let (ours, codes, _) = tokens(&name, &text, &mut FileIncludes::default());
        if !codes.is_empty() {
            continue;
        }
        let command = std::process::Command::new("clang")
            .args(["-E", "-P", "-undef", "-nostdinc", "-x", "c", "-Wno-everything"])
            .args(["-D__HLSL_VERSION=2021", "-D__SHADER_TARGET_MAJOR=6", "-D__SHADER_TARGET_MINOR=6", "-D__spirv__=1"])
            .arg(path)
            .output();
        let Ok(output) = command else {
            eprintln!("SKIPPED: there is no clang");
            return;
        };
        if !output.status.success() {
            continue;
        }
        let theirs = String::from_utf8_lossy(&output.stdout).into_owned();
        let (theirs, ..) = tokens(&name, &theirs, &mut FileIncludes::default());
        assert_eq!(ours, theirs, "{name}");
        compared += 1;
    }
    assert!(all.is_empty() || compared > 20, "only {compared} files compared");
}
