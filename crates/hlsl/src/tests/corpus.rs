//! Shaders of real engines, from the corpus at test time: how many of each source reach SPIR-V. `corpus.accepted` holds the numbers
//! that were reached; they may only rise.

use crate::include::{Disk, FileIncludes};
use crate::options::Profile;
use crate::sema::options::EntryRequest;
use crate::{CompileOptions, compile};
use aquatint_base::{Diags, Source, Sources};
use aquatint_testkit::bless;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The file system, which the crate itself does not touch.
#[derive(Debug)]
struct Files;

impl Disk for Files {
    fn canonical(&self, path: &Path) -> Option<PathBuf> {
        path.canonicalize().ok()
    }

    fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }

    fn read(&self, path: &Path) -> Result<Vec<u8>, String> {
        std::fs::read(path).map_err(|error| error.to_string())
    }
}

/// Whether an entry point is translated, verifies, and is written as SPIR-V; the first message if not.
fn reaches_spirv(path: &Path, entry: &str, stage: &str) -> Result<(), String> {
    let text = std::fs::read(path).map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&text);
    let profile = Profile::of_name(&format!("{stage}_6_0")).ok_or("no such profile")?;
    let mut options = CompileOptions::default();
    options.preprocess.target = profile.model;
    options.preprocess.stage = profile.number;
    options.sema.entries = vec![EntryRequest { name: entry.to_owned(), stage: profile.stage }];
    let (mut sources, mut diags) = (Sources::new(), Diags::new());
    let main = sources.add(Source::text(path.display().to_string(), text.as_ref()));
    let mut includes = FileIncludes { disk: Some(Arc::new(Files)), ..FileIncludes::default() };
    let said = |diags: &Diags| {
        let error = diags.iter().find(|d| d.severity == aquatint_base::Severity::Error);
        error.map_or_else(|| "nothing was said".to_owned(), |d| format!("{}: {}", d.code.id, d.message))
    };
    let Some(module) = compile(main, &mut sources, &options, &mut includes, &mut diags) else {
        return Err(said(&diags));
    };
    if let Err(faults) = aquatint_ir::verify::check(&module) {
        return Err(format!("the module breaks a rule: {}", faults[0].message));
    }
    let written = aquatint_spirv::write(&module, entry, &aquatint_spirv::Options::default(), &mut diags);
    written.map(|_| ()).ok_or_else(|| said(&diags))
}

#[test]
fn shaders_of_real_engines_reach_spirv() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus/hlsl"));
    let Ok(manifest) = std::fs::read_to_string(root.join("MANIFEST.tsv")) else {
        return println!("skipped: the shaders of real engines are not at {}", root.display());
    };
    let verbose = std::env::var_os("AQUATINT_HLSL_CORPUS").is_some();
    let mut table: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for line in manifest.lines().skip(1) {
        let &[path, source, stage, entry, _, "1", ..] = line.split('\t').collect::<Vec<_>>().as_slice() else {
            continue;
        };
        if !matches!(stage, "vs" | "ps" | "cs") {
            continue;
        }
        let row = table.entry(source).or_default();
        row.1 += 1;
        // A mark behind the name says that it was guessed.
        match reaches_spirv(&root.join(path), entry.trim_end_matches('?'), stage) {
            Ok(()) => row.0 += 1,
            Err(why) if verbose => println!("{path} {entry}: {why}"),
            Err(_) => {}
        }
    }
    let text: String = table.iter().map(|(source, (good, all))| format!("{source} {good} of {all}\n")).collect();
    print!("{text}");
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src/tests/corpus.accepted"));
    if bless::is_asked() {
        return bless::replace(path, &text).expect("the numbers can be written");
    }
    let known = std::fs::read_to_string(path).expect("the numbers");
    assert_eq!(known.lines().count(), table.len(), "a row a source: {}", bless::HINT);
    for line in known.lines() {
        let &[source, good, ..] = line.split(' ').collect::<Vec<_>>().as_slice() else { panic!("{line}") };
        let found = table.get(source).map_or(0, |row| row.0);
        assert!(found >= good.parse().expect("a number"), "{source}: {found} now, {good} before");
    }
}
