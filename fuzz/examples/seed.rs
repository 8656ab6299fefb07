//! Fills `corpus/TARGET` with seeds: what the repository's own cases hold, and where the corpus of real shaders lies beside the
//! repository (`../shared/corpus/d3d9`), the small files of that too. Run it in `fuzz/`; git ignores what it writes.

use aquatint_base::{Diags, SourceId};
use aquatint_d3d9::disassemble::{Options, Style, disassemble};
use aquatint_d3d9::effect::EmbeddedKind;
use aquatint_d3d9::tokens::{DecodeOptions, decode};
use aquatint_d3d9::{ctab, effect, lower};
use aquatint_ir::text;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Longer seeds make slow runs, and say nothing that the shorter do not.
const BYTES: usize = 6 << 10;
/// Effects hold many shaders.
const EFFECT_BYTES: usize = 24 << 10;

/// Seeds by target.
#[derive(Default)]
struct Seeds {
    all: BTreeMap<&'static str, std::collections::BTreeSet<Vec<u8>>>,
}

impl Seeds {
    fn add(&mut self, target: &'static str, bytes: impl Into<Vec<u8>>) {
        let bytes = bytes.into();
        let limit = if target == "effect" { EFFECT_BYTES } else { BYTES };
        if bytes.len() <= limit {
            self.all.entry(target).or_default().insert(bytes);
        }
    }

    /// A stream, the tables in it, its texts and its module.
    fn stream(&mut self, bytes: &[u8]) {
        for comment in ctab::leading_comments(bytes) {
            match &comment.four_cc {
                b"CTAB" => self.add("ctab", comment.payload),
                b"PRES" => {
                    self.add("preshader", comment.payload);
                    for inner in ctab::leading_comments(comment.payload).filter(|inner| &inner.four_cc == b"CTAB") {
                        self.add("ctab", inner.payload);
                    }
                }
                _ => {}
            }
        }
        if bytes.len() > BYTES {
            return;
        }
        self.add("tokens", bytes);
        // Another choice of options.
        self.add("tokens", [bytes, &[bytes.len() as u8 ^ bytes.iter().fold(0, |a, &b| a ^ b)]].concat());
        self.add("disassemble", bytes);
        let Some(shader) = decode(bytes, SourceId(0), &DecodeOptions::default(), &mut Diags::new()) else { return };
        for (style, exact) in [(Style::Fxc, false), (Style::Fxc, true), (Style::Compact, false)] {
            self.add("assemble", disassemble(&shader, &Options { style, exact }));
        }
        if let Some(lowered) = lower::lower(&shader, &lower::Options::default(), &mut Diags::new()) {
            self.module(&text::print(&lowered.module));
        }
    }

    fn module(&mut self, text: &str) {
        self.add("ir_text", text);
        self.add("meaning", text);
    }

    fn effect(&mut self, bytes: &[u8]) {
        self.add("effect", bytes);
        let Some(found) = effect::parse(bytes, SourceId(0), &mut Diags::new()) else { return };
        for shader in found.shaders() {
            self.stream(found.bytes(shader.range));
        }
        for resource in &found.resources {
            match resource.content {
                effect::Content::Expression(_) | effect::Content::Selector { .. } => {
                    self.add("preshader", found.bytes(resource.data.clone()));
                }
                _ => {}
            }
        }
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut all, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { folders.push(path) } else { all.push(path) }
        }
    }
    all.sort();
    all
}

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The section of that name of a golden case.
fn section<'a>(case: &'a str, name: &str) -> Option<&'a str> {
    let start = case.find(&format!("\n[{name}]\n"))? + name.len() + 4;
    let rest = case.get(start..)?;
    Some(rest.split("\n[").next().unwrap_or(rest))
}

fn golden(seeds: &mut Seeds, case: &str) {
    for stage in ["vs", "ps"] {
        if let Some(text) = section(case, stage) {
            seeds.add("assemble", text.trim_start());
        }
        if let Some(words) = section(case, &format!("{stage}.words")) {
            let words = words.split_whitespace().filter_map(|word| u32::from_str_radix(word, 16).ok());
            seeds.stream(&words.flat_map(u32::to_le_bytes).collect::<Vec<u8>>());
        }
    }
}

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut seeds = Seeds::default();
    for path in files(&root.join("tests/golden/d3d9")) {
        if path.extension().is_some_and(|e| e == "case") {
            golden(&mut seeds, &String::from_utf8_lossy(&read(&path)));
        }
    }
    for folder in ["crates/ir/tests", "crates/passes/src", "crates/msl/tests", "crates/spirv/tests"] {
        for path in files(&root.join(folder)) {
            if path.extension().is_some_and(|e| e == "ir" || e == "case") {
                let text = String::from_utf8_lossy(&read(&path)).into_owned();
                // Some files hold several modules.
                for part in text.split("// case: ").flat_map(|part| part.split("// ---- ")) {
                    if let Some(start) = part.find("module") {
                        seeds.module(&part[start..]);
                    }
                }
            }
        }
    }
    let corpus = root.join("../shared/corpus/d3d9");
    if !corpus.is_dir() {
        eprintln!("SKIPPED: no corpus at {}: seeds are those of the repository alone", corpus.display());
    }
    for path in files(&corpus) {
        let bytes = read(&path);
        match path.extension().and_then(|e| e.to_str()) {
            Some("bin" | "fxc" | "ps") => seeds.stream(&bytes),
            Some("fxb") => seeds.effect(&bytes),
            Some("xnb" | "o" | "mgfxo") => {
                for found in effect::embedded(&bytes) {
                    match found.kind {
                        EmbeddedKind::Effect => seeds.effect(&bytes),
                        EmbeddedKind::Dxbc { level_9 } => {
                            seeds.add("tokens", &bytes[found.range.clone()]);
                            seeds.add("disassemble", &bytes[found.range]);
                            level_9.into_iter().for_each(|range| seeds.stream(&bytes[range]));
                        }
                    }
                }
            }
            _ => {}
        }
    }
    for folder in ["hlsl", "glslang/hlsl", "dxc"] {
        for path in files(&root.join("../shared/corpus").join(folder)) {
            if path.extension().is_some_and(|e| ["hlsl", "hlsli", "fx", "fxh", "frag"].iter().any(|x| e == *x)) {
                let bytes = read(&path);
                if bytes.contains(&b'#') {
                    seeds.add("hlsl_preprocess", bytes.as_slice());
                }
                seeds.add("hlsl", bytes);
            }
        }
    }
    for (target, all) in &seeds.all {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
        std::fs::create_dir_all(&folder).expect("corpus/ can be written");
        for (number, seed) in all.iter().enumerate() {
            std::fs::write(folder.join(format!("seed-{number:05}")), seed).expect("corpus/ can be written");
        }
        println!("{target}: {} seeds, {} bytes", all.len(), all.iter().map(Vec::len).sum::<usize>());
    }
}
