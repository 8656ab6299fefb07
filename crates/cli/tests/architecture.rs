//! The map in ARCHITECTURE.md against what is there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Crate folder to the crates that it depends on, from the manifests. Development dependencies do not count.
fn manifests() -> BTreeMap<String, BTreeSet<String>> {
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        let mut section = String::new();
        let mut needs = BTreeSet::new();
        for line in read(&folder.join("Cargo.toml")).lines() {
            if line.starts_with('[') {
                section = line.to_owned();
            } else if section == "[dependencies]"
                && let Some(name) = line.split(['.', ' ', '=']).next()
                && let Some(short) = name.strip_prefix("aquatint-").or((name == "aquatint").then_some("aquatint"))
            {
                needs.insert(short.to_owned());
            }
        }
        all.insert(folder.file_name().unwrap().to_string_lossy().into_owned(), needs);
    }
    all
}

/// The table of crates in ARCHITECTURE.md.
fn table() -> BTreeMap<String, BTreeSet<String>> {
    let text = read(&root().join("ARCHITECTURE.md"));
    let section = text.split("## Crates").nth(1).and_then(|t| t.split("\n## ").next()).expect("a section on crates");
    section
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            let needs = cells[2].split(", ").filter(|n| *n != "–").map(str::to_owned).collect();
            (cells[0].trim_matches('`').to_owned(), needs)
        })
        .collect()
}

#[test]
fn the_table_of_crates_is_that_of_the_manifests() {
    assert_eq!(table(), manifests());
}

#[test]
fn no_language_crate_names_another_and_the_core_names_none() {
    let languages = ["d3d9", "msl", "spirv", "exec"];
    for (name, needs) in manifests() {
        let core = ["base", "ir", "passes"].contains(&name.as_str());
        if languages.contains(&name.as_str()) || core {
            for other in languages.iter().chain(&["aquatint", "cli"]) {
                assert!(!needs.contains(*other), "{name} names {other}");
            }
        }
    }
}

fn sources(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, all);
        } else if path.extension().is_some_and(|e| e == "rs") {
            all.push(path);
        }
    }
}

fn crate_sources(names: &[&str]) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for name in names {
        sources(&root().join("crates").join(name).join("src"), &mut all);
    }
    assert!(!all.is_empty());
    all
}

#[test]
fn every_source_file_says_what_it_holds() {
    let names: Vec<String> = manifests().into_keys().collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    for path in crate_sources(&names) {
        assert!(read(&path).starts_with("//!"), "{} does not begin with `//!`", path.display());
    }
}

#[test]
fn nothing_below_the_program_does_io_or_reads_a_clock() {
    let forbidden = [
        "std::fs",
        "std::env",
        "std::net",
        "std::process",
        "std::thread",
        "Instant::now",
        "SystemTime",
        "println!",
        "eprintln!",
    ];
    for path in crate_sources(&["base", "ir", "passes", "d3d9", "msl", "spirv", "exec", "aquatint"]) {
        let text = read(&path);
        // Unit tests stand last in a file and may do what they like.
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
            for word in forbidden {
                assert!(!line.contains(word), "{} uses {word}: {line}", path.display());
            }
        }
    }
}

#[test]
fn the_translator_has_at_most_six_outside_dependencies() {
    let mut outside = BTreeSet::new();
    for name in ["base", "ir", "passes", "d3d9", "msl", "spirv"] {
        let mut section = String::new();
        for line in read(&root().join("crates").join(name).join("Cargo.toml")).lines() {
            if line.starts_with('[') {
                section = line.to_owned();
            } else if section == "[dependencies]"
                && let Some(dependency) = line.split(['.', ' ', '=']).next()
                && !dependency.is_empty()
                && !dependency.starts_with("aquatint")
                && !dependency.starts_with('#')
            {
                outside.insert(dependency.to_owned());
            }
        }
        assert!(!root().join("crates").join(name).join("build.rs").exists(), "{name} has a build script");
    }
    assert!(outside.len() <= 6, "{outside:?}");
}
