//! All containers of the corpus.

use super::builder::*;
use aquatint_base::{Diags, SourceId};
use aquatint_d3d9::ctab::{self, RegisterSet};
use aquatint_d3d9::effect::{self, Effect, EmbeddedKind, Stage};
use aquatint_d3d9::preshader;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub fn containers(extension: &str) -> Option<Vec<PathBuf>> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus/d3d9/containers");
    if !Path::new(root).is_dir() {
        eprintln!("skipped: no corpus at {root}");
        return None;
    }
    let (mut files, mut folders) = (Vec::new(), vec![PathBuf::from(root)]);
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    Some(files)
}

/// Every shader has a version word and an end token, and its samplers and constants bind.
fn check_shaders(fx: &Effect, totals: &mut [usize; 5]) -> BTreeSet<usize> {
    let mut distinct = BTreeSet::new();
    for shader in fx.shaders() {
        let stream = fx.bytes(shader.range.clone());
        let version = if shader.stage == Stage::Vertex { [0xFE, 0xFF] } else { [0xFF, 0xFF] };
        assert_eq!(stream[2..4], version, "{}", shader.name);
        assert_eq!(stream[stream.len() - 4..], [0xFF, 0xFF, 0, 0], "{}", shader.name);
        totals[0] += 1;
        distinct.insert(shader.range.start);
        let mut diags = Diags::new();
        let table = ctab::of_stream(stream, 0, SourceId(0), &mut diags).unwrap();
        let samplers: usize = fx.sampler_bindings(&table).len();
        let mut wanted = 0;
        for constant in &table.constants {
            if constant.set == RegisterSet::Sampler {
                wanted += usize::from(constant.count);
            } else {
                assert!(fx.upload(&table, constant).is_some(), "{}: {}", shader.name, constant.name);
                totals[2] += 1;
            }
        }
        assert_eq!(samplers, wanted, "{}", shader.name);
        totals[1] += samplers;
        for comment in ctab::leading_comments(stream).filter(|comment| &comment.four_cc == b"PRES") {
            let found = preshader::parse(comment.payload, 0, SourceId(0), &mut diags).unwrap();
            let table = found.inputs.unwrap();
            for constant in &table.constants {
                assert!(fx.upload(&table, constant).is_some(), "{}: {}", shader.name, constant.name);
            }
            totals[3] += 1;
        }
        assert!(diags.is_empty());
    }
    totals[4] += distinct.len();
    distinct
}

#[test]
fn corpus_effects() {
    let Some(files) = containers("fxb") else { return };
    assert_eq!(files.len(), 45);
    let mut totals = [0; 5];
    for file in &files {
        let bytes = std::fs::read(file).unwrap();
        let fx = good(&bytes);
        let distinct = check_shaders(&fx, &mut totals);
        // Nothing is missed: each version word of a shader in the file begins one that is listed.
        let words = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        let versions = [0xFFFF_0200, 0xFFFF_0300, 0xFFFE_0200, 0xFFFE_0300, 0xFFFE_0101, 0xFFFF_0201, 0xFFFE_0201];
        let streams: BTreeSet<usize> = (0..bytes.len() - 8)
            .step_by(4)
            // A constant table repeats the version word.
            .filter(|&at| versions.contains(&words(at)) && !(at >= 12 && &bytes[at - 12..at - 8] == b"CTAB"))
            .collect();
        assert_eq!(distinct, streams, "{}", file.display());
        let text = effect::print(&fx, &mut |bytes| format!("// {} bytes", bytes.len()));
        assert!(fx.parameters.iter().all(|parameter| text.contains(fx.name(parameter.ty))));
    }
    let [listed, samplers, constants, preshaders, distinct] = totals;
    eprintln!(
        "{} effects: {distinct} shaders listed {listed} times, {samplers} samplers and {constants} constants bound, \
        {preshaders} preshaders",
        files.len()
    );
}

#[test]
fn corpus_xnb_and_level_9() {
    let (Some(xnb), Some(objects), Some(mono)) = (containers("xnb"), containers("o"), containers("mgfxo")) else {
        return;
    };
    let mut totals = [0; 5];
    let (mut effects, mut blobs, mut streams, mut chunks) = (0, [0; 3], [0; 3], [0; 3]);
    for (kind, files) in [xnb, objects, mono].into_iter().enumerate() {
        for file in files {
            let bytes = std::fs::read(&file).unwrap();
            chunks[kind] += bytes.windows(4).filter(|window| window == b"Aon9").count();
            for found in effect::embedded(&bytes) {
                match found.kind {
                    EmbeddedKind::Effect => {
                        assert!(!check_shaders(&good(&bytes), &mut totals).is_empty(), "{}", file.display());
                        effects += 1;
                    }
                    EmbeddedKind::Dxbc { level_9 } => {
                        blobs[kind] += 1;
                        let Some(range) = level_9 else { continue };
                        let stream = &bytes[range];
                        assert!(matches!(stream[1..4], [2, 0xFE | 0xFF, 0xFF]), "{}", file.display());
                        assert_eq!(stream[stream.len() - 4..], [0xFF, 0xFF, 0, 0], "{}", file.display());
                        streams[kind] += 1;
                    }
                }
            }
        }
    }
    eprintln!("{effects} XNA effects; DXBC blobs and level 9 streams in .xnb, .o, .mgfxo: {blobs:?} {streams:?}");
    assert_eq!(effects, 10);
    assert_eq!(streams, chunks, "every Aon9 chunk is listed");
}
