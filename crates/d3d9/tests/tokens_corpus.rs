//! Every stream of the corpus through the decoder, the profile rules and both text forms.
//!
//! `AQUATINT_FULL=1` runs the mutation test over every stream; else it takes a sample.

use aquatint_base::{Diags, Severity, SourceId};
use aquatint_d3d9::assemble::{AssembleOptions, assemble};
use aquatint_d3d9::disassemble::{Options, Style, disassemble};
use aquatint_d3d9::tokens::{DecodeOptions, Shader, container, decode, validate};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

fn corpus() -> Option<PathBuf> {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus/d3d9"));
    if path.is_dir() {
        return Some(path);
    }
    eprintln!("SKIPPED: no corpus at {}: nothing was checked", path.display());
    None
}

/// Name and bytes of every stream of the index.
fn streams() -> Vec<(String, Vec<u8>)> {
    let Some(corpus) = corpus() else { return Vec::new() };
    let index = std::fs::read_to_string(corpus.join("index.tsv")).expect("the corpus has an index");
    index
        .lines()
        .skip(1)
        .filter_map(|line| line.split('\t').next())
        .map(|name| (name.to_owned(), std::fs::read(corpus.join(name)).expect("the index lists files that exist")))
        .collect()
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect()
}

fn decoded(bytes: &[u8]) -> Option<Shader> {
    decode(bytes, SourceId(0), &DecodeOptions::default(), &mut Diags::new())
}

/// The streams that no driver runs: a test's negative cases. (file, code, what stands there)
const REFUSED: [(&str, &str, &str); 3] = [
    ("ps_1_4/4d08dbcac40e0de8.bin", "E-WRITE", "texld t0, c0"),
    ("ps_1_4/b7b25a653db78eac.bin", "E-WRITE", "texcrd t0, c0"),
    ("vs_1_1/b417b8e8836d121e.bin", "E-REG", "def ?, 1, 1, 1, 1"),
];

#[test]
fn every_stream_decodes_or_names_the_rule() {
    let all = streams();
    if all.is_empty() {
        return;
    }
    let mut refused = Vec::new();
    for (name, bytes) in &all {
        let mut diags = Diags::new();
        if decode(bytes, SourceId(0), &DecodeOptions::default(), &mut diags).is_none() {
            let first = diags.iter().find(|d| d.severity == Severity::Error).expect("a refusal has a reason");
            assert!(!first.span().is_none() && first.help.is_some(), "{name}: {first:?}");
            refused.push((name.clone(), first.code.id, first.labels[0].excerpt.clone().unwrap_or_default()));
        }
    }
    refused.sort();
    let refused: Vec<_> = refused.iter().map(|(a, b, c)| (a.as_str(), *b, c.as_str())).collect();
    assert_eq!(refused, REFUSED);
    eprintln!("{} of {} streams decode", all.len() - refused.len(), all.len());
}

#[test]
fn profile_faults_of_the_corpus() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut clean = 0;
    for (_, bytes) in &streams() {
        let Some(shader) = decoded(bytes) else { continue };
        let mut diags = Diags::new();
        validate::profile(&shader, false, &mut diags);
        assert!(!diags.has_errors());
        let mut strict = Diags::new();
        validate::profile(&shader, true, &mut strict);
        assert_eq!((strict.errors(), strict.warnings()), (diags.warnings(), 0));
        let codes: std::collections::BTreeSet<_> = diags.iter().map(|d| d.code.id).collect();
        clean += usize::from(codes.is_empty());
        for code in codes {
            *counts.entry(code).or_default() += 1;
        }
    }
    eprintln!("{clean} streams without a profile fault; streams by fault: {counts:#?}");
}

#[test]
fn asm_exact_roundtrip_corpus() {
    let mut marked = 0;
    let mut lines = 0;
    for (name, bytes) in &streams() {
        let Some(shader) = decoded(bytes) else { continue };
        let text = disassemble(&shader, &Options { style: Style::Fxc, exact: true });
        lines += text.lines().filter(|line| line.starts_with("    ") && !line.starts_with("     ")).count();
        marked += text.lines().filter(|line| line.ends_with('}') && !line.starts_with("//")).count();
        let mut diags = Diags::new();
        let back = assemble(&text, SourceId(0), &AssembleOptions::default(), &mut diags);
        assert_eq!(back.as_deref(), Some(words(bytes).as_slice()), "{name}: {:?}\n{text}", diags.iter().next());
    }
    eprintln!("{marked} of {lines} lines needed their raw words");
}

/// Canonical in the sense of sheet 6.6: the exact text needs no raw words.
#[test]
fn asm_roundtrip_corpus() {
    let (mut canonical, mut all) = (0, 0);
    for (name, bytes) in &streams() {
        let Some(shader) = decoded(bytes) else { continue };
        all += 1;
        let exact = disassemble(&shader, &Options { style: Style::Fxc, exact: true });
        if exact.lines().any(|line| line.ends_with('}') && !line.starts_with("//")) || shader.trailing_words > 0 {
            continue;
        }
        canonical += 1;
        let text = disassemble(&shader, &Options::default());
        let mut diags = Diags::new();
        let back = assemble(&text, SourceId(0), &AssembleOptions::default(), &mut diags);
        let mut expected = words(bytes);
        for comment in shader.comments.iter().rev() {
            expected.drain(comment.word as usize..comment.payload.end as usize);
        }
        assert_eq!(back, Some(expected), "{name}: {:?}\n{text}", diags.iter().next());
    }
    eprintln!("{canonical} of {all} streams are canonical");
    assert!(all == 0 || canonical * 10 > all * 9, "most native streams are canonical, {canonical} of {all} are");
}

/// The compact text assembles to a shader that prints the same.
#[test]
fn compact_text_is_stable() {
    for (name, bytes) in streams().iter().step_by(3) {
        let Some(shader) = decoded(bytes) else { continue };
        let compact = Options { style: Style::Compact, exact: false };
        let text = disassemble(&shader, &compact);
        let mut diags = Diags::new();
        let options = AssembleOptions { compact: true, ..AssembleOptions::default() };
        let Some(back) = assemble(&text, SourceId(0), &options, &mut diags) else {
            panic!("{name}: {:?}\n{text}", diags.iter().next());
        };
        let bytes: Vec<u8> = back.iter().flat_map(|w| w.to_le_bytes()).collect();
        let again = decoded(&bytes).map(|shader| disassemble(&shader, &compact));
        assert_eq!(again.as_deref(), Some(text.as_str()), "{name}");
    }
}

#[test]
fn dis_pairs_compact() {
    let Some(corpus) = corpus() else { return };
    let mut exact = 0;
    let mut different = Vec::new();
    for folder in ["ps_3_0", "vs_1_1", "vs_3_0"] {
        let mut files: Vec<_> = std::fs::read_dir(corpus.join("HlslDecompiler-pairs").join(folder))
            .expect("the pairs have a folder a version")
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|e| e == "fxc"))
            .collect();
        files.sort();
        for file in files {
            let bytes = std::fs::read(&file).expect("readable");
            let expected = std::fs::read_to_string(file.with_extension("asm")).expect("a text beside it");
            let shader = decoded(&bytes).expect("the pairs are valid");
            let text = disassemble(&shader, &Options { style: Style::Compact, exact: false });
            let name = format!("{folder}/{}", file.file_stem().unwrap_or_default().to_string_lossy());
            if text == expected {
                exact += 1;
            } else {
                let line = text.lines().zip(expected.lines()).find(|(a, b)| a != b);
                different.push((name, format!("{line:?}")));
            }
        }
    }
    let names: Vec<_> = different.iter().map(|(name, _)| name.as_str()).collect();
    // Sheet 6.5: these two texts were not made from the bytecode beside them.
    assert_eq!(names, ["ps_3_0/relative_address", "ps_3_0/temp_assignment"], "{different:#?}");
    assert_eq!(exact, 57);
}

/// A `DXBC` container with an `Aon9` chunk, as compilers for feature level 9 write them, inside larger files.
#[test]
fn level9_chunk() {
    let Some(corpus) = corpus() else { return };
    let mut found = 0;
    let mut folders = vec![corpus.join("containers")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("readable").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let bytes = std::fs::read(&path).expect("readable");
            for start in (0..bytes.len().saturating_sub(32)).filter(|&i| &bytes[i..i + 4] == b"DXBC") {
                let size = u32::from_le_bytes(bytes[start + 24..start + 28].try_into().expect("4 bytes")) as usize;
                let Some(dxbc) = bytes.get(start..start + size) else { continue };
                let streams = container::streams(dxbc);
                if streams.is_empty() {
                    let mut diags = Diags::new();
                    assert!(decode(dxbc, SourceId(0), &DecodeOptions::default(), &mut diags).is_none());
                    assert_eq!(diags.iter().next().map(|d| d.code.id), Some("E-FORMAT"));
                    continue;
                }
                found += 1;
                let mut diags = Diags::new();
                let shader = decode(dxbc, SourceId(0), &DecodeOptions::default(), &mut diags)
                    .unwrap_or_else(|| panic!("{}: {:?}", path.display(), diags.iter().next()));
                assert_eq!(shader.version.major, 2, "{}", path.display());
                assert_eq!(shader.base as usize, streams[0].start);
            }
        }
    }
    eprintln!("{found} feature level 9 streams in containers");
    assert!(found > 0, "the corpus holds such containers");
}

/// A small generator of our own, so that the mutations are the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

fn mutate(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + random.below(4) {
        let word = 4 * random.below(bytes.len() / 4);
        match random.below(7) {
            0 => bytes[word + random.below(4)] ^= 1 << random.below(8),
            1 => bytes[word + random.below(4)] = random.next() as u8,
            2 => {
                let other = 4 * random.below(bytes.len() / 4);
                for i in 0..4 {
                    bytes.swap(word + i, other + i);
                }
            }
            3 => bytes[word..word + 4].copy_from_slice(&0xFFFFu32.to_le_bytes()),
            4 => bytes.truncate((word + random.below(4)).max(8)),
            5 => bytes[word + 3] = random.below(16) as u8,
            _ => {
                let opcode = [25u32, 26, 27, 28, 29, 30, 38, 39, 40, 42, 43, 44, 31, 81][random.below(14)];
                bytes[word..word + 2].copy_from_slice(&(opcode as u16).to_le_bytes());
            }
        }
        if bytes.len() < 8 {
            break;
        }
    }
    bytes
}

/// Mutated streams: no panic anywhere, time linear in the size, and what still decodes still round-trips.
#[test]
fn fuzz_tokens() {
    let full = std::env::var_os("AQUATINT_FULL").is_some();
    let (step, rounds) = if full { (1, 50) } else { (29, 8) };
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut runs, mut still) = (0usize, 0usize);
    for (name, bytes) in streams().iter().step_by(step) {
        for _ in 0..rounds {
            let mutant = mutate(bytes, &mut random);
            let start = Instant::now();
            let mut diags = Diags::new();
            let shader = decode(&mutant, SourceId(0), &DecodeOptions::default(), &mut diags);
            runs += 1;
            if shader.is_none() {
                assert!(diags.has_errors(), "{name}: refused without a reason");
            } else {
                assert!(!diags.has_errors(), "{name}: accepted with an error");
            }
            if let Some(shader) = shader {
                still += 1;
                validate::profile(&shader, false, &mut diags);
                let text = disassemble(&shader, &Options { style: Style::Fxc, exact: true });
                let back = assemble(&text, SourceId(0), &AssembleOptions::default(), &mut Diags::new());
                assert_eq!(back, Some(words(&mutant)), "{name}\n{text}");
                disassemble(&shader, &Options { style: Style::Compact, exact: false });
            }
            // Debug builds of the largest stream take a few milliseconds; this catches the quadratic.
            let allowed = Duration::from_millis(500) + Duration::from_micros(40) * mutant.len() as u32;
            assert!(start.elapsed() < allowed, "{name}: {:?} for {} bytes", start.elapsed(), mutant.len());
        }
    }
    eprintln!("{runs} mutants, {still} still decode");
}

/// Mutated text: no panic, and each refusal has a place.
#[test]
fn fuzz_asm_text() {
    let full = std::env::var_os("AQUATINT_FULL").is_some();
    let (step, rounds) = if full { (5, 20) } else { (97, 8) };
    let mut random = Random(0xD1B5_4A32_D192_ED03);
    const PIECES: [&str; 24] = [
        "+",
        "(p0)",
        "(!p0.x)",
        "{",
        "}",
        "[",
        "]",
        "a0.x",
        "aL",
        "_sat",
        "_x2",
        "1-",
        "-",
        ".xyzw",
        ",",
        "\n",
        "#define r0 r0 r0\n",
        "#if 1\n",
        "#endif\n",
        ".comment DBUG 4",
        "1.#INF",
        "99999999999999999999",
        "é",
        "/*",
    ];
    for (_, bytes) in streams().iter().step_by(step) {
        let Some(shader) = decoded(bytes) else { continue };
        let text = disassemble(&shader, &Options { style: Style::Fxc, exact: random.below(2) == 0 });
        for _ in 0..rounds {
            let mut mutant = text.clone();
            for _ in 0..1 + random.below(5) {
                let mut at = random.below(mutant.len());
                while !mutant.is_char_boundary(at) {
                    at -= 1;
                }
                match random.below(3) {
                    0 => mutant.insert_str(at, PIECES[random.below(PIECES.len())]),
                    1 => {
                        mutant.remove(at);
                    }
                    _ => mutant.truncate(at),
                }
                if mutant.is_empty() {
                    break;
                }
            }
            for strict in [false, true] {
                let mut diags = Diags::new();
                let options = AssembleOptions { strict, ..AssembleOptions::default() };
                let start = Instant::now();
                let result = assemble(&mutant, SourceId(0), &options, &mut diags);
                assert_eq!(result.is_none(), diags.has_errors(), "{mutant}");
                for diagnostic in &diags {
                    assert!(!diagnostic.span().is_none(), "{diagnostic:?}\n{mutant}");
                }
                assert!(start.elapsed() < Duration::from_secs(5));
            }
        }
    }
}
