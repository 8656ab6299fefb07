//! Many shaders at once: which of the corpus translate. Skipped where the corpus is not there.

use crate::sema::options::Options;
use aquatint_ir::Stage;
use std::path::{Path, PathBuf};

fn files(dir: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    let mut all: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    all.sort();
    for path in all {
        if path.is_dir() {
            files(&path, out);
        } else if path.extension().is_some_and(|e| e == "hlsl") {
            out.push(path);
        }
    }
}

/// A developer's tool: prints what keeps the files of `AQUATINT_HLSL_BULK` from translating.
#[test]
fn bulk() {
    let Ok(dir) = std::env::var("AQUATINT_HLSL_BULK") else { return };
    let mut all = Vec::new();
    files(Path::new(&dir), &mut all);
    let mut good = 0;
    let mut counts: std::collections::BTreeMap<String, Vec<String>> = Default::default();
    for path in &all {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let stage = if text.contains("_6_x") || text.contains("numthreads") || text.contains("cs_6") {
            Stage::Compute
        } else if text.contains("vs_") || name.contains(".vs.") {
            Stage::Vertex
        } else {
            Stage::Fragment
        };
        let ends = |s: &str| path.file_stem().is_some_and(|n| n.to_string_lossy().ends_with(s));
        let entries = [
            (
                "main",
                if ends("VS") || name.contains(".vs") || name.contains(".vert") {
                    Stage::Vertex
                } else if ends("CS") || name.contains(".cs") || name.contains(".comp") {
                    Stage::Compute
                } else {
                    stage
                },
            ),
            ("VSMain", Stage::Vertex),
            ("PSMain", Stage::Fragment),
            ("CSMain", Stage::Compute),
            ("VS", Stage::Vertex),
            ("PS", Stage::Fragment),
        ];
        let (entry, stage) =
            entries.into_iter().find(|e| text.contains(&format!(" {}(", e.0))).unwrap_or(("main", stage));
        let full = path.to_string_lossy().into_owned();
        println!("AT {full}");
        let (module, diags) =
            super::translate_file(&full, &text, &Options { native16: true, ..Options::for_entry(entry, stage) });
        let key = match module {
            Some(module) => match aquatint_ir::verify::check(&module) {
                Ok(()) => {
                    let mut diags = aquatint_base::Diags::new();
                    let written =
                        aquatint_spirv::write(&module, entry, &aquatint_spirv::Options::default(), &mut diags);
                    if written.is_some() {
                        good += 1;
                        continue;
                    }
                    format!("spirv: {}", diags.iter().map(|d| d.message.clone()).next().unwrap_or_default())
                }
                Err(faults) => format!("verifier {}", faults[0].message),
            },
            None => super::messages(&text, &diags).iter().find(|m| m.contains("error")).cloned().unwrap_or_default(),
        };
        let short: String = key.split_once(": ").map_or(key.clone(), |k| k.1.to_owned()).chars().take(110).collect();
        counts.entry(short).or_default().push(format!("{name}:{key}").chars().take(60).collect());
    }
    let mut list: Vec<_> = counts.into_iter().collect();
    list.sort_by_key(|l| std::cmp::Reverse(l.1.len()));
    for (message, where_) in list.iter().take(400) {
        println!("{:4} {message}   [{}]", where_.len(), where_[0]);
    }
    println!("{good} of {}", all.len());
}
