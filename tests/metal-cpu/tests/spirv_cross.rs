//! Metal that is known to be good compiles: the references of SPIRV-Cross, each a vertex, fragment or kernel function.
//!
//! `spirv-cross-refused.txt` lists each that does not, with the reason; it may only get shorter. Those whose features are outside
//! (ray tracing, mesh shaders, tessellation, imageblocks) are counted, with the feature that they use.

use aquatint_metal_cpu::clang::{CompileOptions, Severity, compile, find};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus/spirv-cross-msl/reference");
const REFUSED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/spirv-cross-refused.txt");

/// What is outside, and words that show its use.
const OUTSIDE: [(&str, &[&str]); 4] = [
    ("ray tracing", &["raytracing"]),
    ("mesh shaders", &["[[mesh]]", "[[object", "mesh_grid_properties", "object_data _"]),
    ("tessellation", &["[[patch(", "[[patch_id]]", "TessellationFactors", "patch_control_point"]),
    ("imageblocks", &["imageblock<"]),
];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("the corpus can be read");
    for entry in entries.map(|entry| entry.expect("the corpus can be read").path()) {
        if entry.is_dir() {
            files(&entry, found);
        } else {
            found.push(entry);
        }
    }
}

/// The language version that SPIRV-Cross names in a file's name. Files without one use what macOS 12 has.
fn language_version(name: &str) -> u32 {
    [(".msl4.", 320), (".msl32.", 320), (".msl31.", 310), (".msl3.", 300)]
        .into_iter()
        .find(|(word, _)| name.contains(word))
        .map_or(240, |(_, version)| version)
}

enum Outcome {
    Outside(&'static str),
    Compiles,
    Refused(String),
}

fn outcome(path: &Path) -> Outcome {
    let text = std::fs::read_to_string(path).expect("the corpus can be read");
    if let Some((feature, _)) = OUTSIDE.iter().find(|(_, words)| words.iter().any(|word| text.contains(word))) {
        return Outcome::Outside(feature);
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let options = CompileOptions { language_version: language_version(&name), ..CompileOptions::default() };
    match compile(&text, &options) {
        Ok(_) => Outcome::Compiles,
        Err(messages) => {
            let error = messages.iter().find(|message| message.severity == Severity::Error);
            Outcome::Refused(
                error.map_or(String::new(), |error| format!("{}:{}: {}", error.line, error.column, error.text)),
            )
        }
    }
}

/// The corpus's outcomes by path, on as many threads as there are processors.
fn outcomes(root: &Path) -> BTreeMap<String, Outcome> {
    let mut all = Vec::new();
    files(root, &mut all);
    let (rest, done) = (Mutex::new(all), Mutex::new(BTreeMap::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                loop {
                    let Some(path) = rest.lock().expect("no thread failed").pop() else { break };
                    let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
                    let outcome = outcome(&path);
                    done.lock().expect("no thread failed").insert(name, outcome);
                }
            });
        }
    });
    done.into_inner().expect("no thread failed")
}

#[test]
fn known_good_metal_compiles() {
    let root = Path::new(CORPUS);
    if !root.is_dir() || find().is_none() {
        eprintln!("skipped: known good Metal is not compiled, since {CORPUS} or clang is absent");
        return;
    }
    let list = std::fs::read_to_string(REFUSED).expect("the list of refusals is there");
    let listed: BTreeMap<&str, &str> =
        list.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(": ")).collect();

    // Rows of the table: compiled, refused, outside.
    let mut table: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    let mut outside: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (name, outcome) in outcomes(root) {
        let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
        let row = table.entry(folder.to_owned()).or_default();
        match outcome {
            Outcome::Compiles => {
                row[0] += 1;
                if listed.contains_key(name.as_str()) {
                    wrong.push(format!("{name}: compiles now; take it off the list"));
                }
            }
            Outcome::Refused(error) => {
                row[1] += 1;
                if !listed.contains_key(name.as_str()) {
                    wrong.push(format!("{name}: {error}"));
                }
            }
            Outcome::Outside(feature) => {
                row[2] += 1;
                *outside.entry(feature).or_default() += 1;
            }
        }
    }
    let mut total = [0; 3];
    println!("{:48} {:>8} {:>8} {:>8}", "folder", "compiled", "refused", "outside");
    for (folder, row) in &table {
        println!("{folder:48} {:8} {:8} {:8}", row[0], row[1], row[2]);
        (0..3).for_each(|column| total[column] += row[column]);
    }
    println!("{:48} {:8} {:8} {:8}   outside: {outside:?}", "all", total[0], total[1], total[2]);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(total[0] * 100 >= (total[0] + total[1]) * 95, "fewer than 95 % compile");
}
