//! LLVM's offload test suite on the interpreter: sources, inputs and expected values are read from the corpus at test time.
//! `offload.passing` lists the tests that pass; the list may only grow.

use super::yaml::{Yaml, parse};
use crate::sema::options::{EntryRequest, Options};
use aquatint_exec::interpret::{Machine, Program, Resources};
use aquatint_ir::{Binding, RegisterClass, Stage};
use aquatint_testkit::bless;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const PASSING: &str = include_str!("offload.passing");

fn files(dir: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    let mut all: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    all.sort();
    for path in all {
        if path.is_dir() {
            files(&path, out);
        } else if path.extension().is_some_and(|e| e == "test") {
            out.push(path);
        }
    }
}

/// The parts of a test file by their names.
fn split(text: &str) -> BTreeMap<String, String> {
    let mut parts = BTreeMap::new();
    let mut name: Option<String> = None;
    let mut content = String::new();
    for line in text.lines() {
        let header = line.strip_prefix("#--- ").or_else(|| line.strip_prefix("//--- "));
        if let Some(header) = header {
            if let Some(name) = name.take() {
                parts.insert(name, std::mem::take(&mut content));
            }
            content.clear();
            name = (header.trim() != "end").then(|| header.trim().to_owned());
        } else {
            content.push_str(line);
            content.push('\n');
        }
    }
    if let Some(name) = name {
        parts.insert(name, content);
    }
    parts
}

fn format_size(format: &str) -> Option<usize> {
    Some(match format {
        "Float16" | "Int16" | "UInt16" | "Hex16" => 2,
        "Float32" | "Int32" | "UInt32" | "Hex32" | "Bool" => 4,
        "Float64" | "Int64" | "UInt64" | "Hex64" => 8,
        "Int8" | "UInt8" | "Hex8" => 1,
        _ => return None,
    })
}

fn encode(format: &str, text: &str, out: &mut Vec<u8>) -> Option<()> {
    let size = format_size(format)?;
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("-0x"));
    let bits: u64 = match (format, hex) {
        ("Bool", _) => u64::from(matches!(text, "1" | "true")),
        ("Float16" | "Float32" | "Float64", hex) if hex.is_none_or(|h| h.contains(['p', 'P', '.'])) => {
            let value: f64 = match text.to_ascii_lowercase().as_str() {
                "nan" | ".nan" | "-nan" | "-.nan" => f64::NAN,
                "inf" | ".inf" => f64::INFINITY,
                "-inf" | "-.inf" => f64::NEG_INFINITY,
                other => match hex {
                    Some(hex) => hex_float(hex)? * if text.starts_with('-') { -1.0 } else { 1.0 },
                    None => other.parse().ok()?,
                },
            };
            match format {
                "Float64" => value.to_bits(),
                "Float32" => u64::from((value as f32).to_bits()),
                _ => u64::from(aquatint_ir::eval::f16_from_f64(value)),
            }
        }
        (_, Some(hex)) => u64::from_str_radix(hex, 16).ok()?,
        _ => text.parse::<i128>().ok()? as u64,
    };
    out.extend_from_slice(&bits.to_le_bytes()[..size]);
    Some(())
}

fn hex_float(text: &str) -> Option<f64> {
    let (mantissa, exponent) = text.split_once(['p', 'P'])?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut value = u64::from_str_radix(whole, 16).ok()? as f64;
    let mut scale = 1.0 / 16.0;
    for digit in fraction.chars() {
        value += f64::from(digit.to_digit(16)?) * scale;
        scale /= 16.0;
    }
    Some(value * 2f64.powi(exponent.parse().ok()?))
}

/// The contents of a buffer, or of each of an array of buffers.
fn buffer_bytes(buffer: &Yaml) -> Result<Vec<Vec<u8>>, String> {
    let format = buffer.str("Format");
    let count = buffer.number("ArraySize").unwrap_or(1).max(1) as usize;
    let list = |items: &[Yaml]| {
        let mut bytes = Vec::new();
        for item in items {
            encode(format, item.text(), &mut bytes).ok_or_else(|| format!("skip: '{}' as {format}", item.text()))?;
        }
        Ok::<_, String>(bytes)
    };
    match buffer.get("Data") {
        Some(data) if data.list().first().is_some_and(|d| !d.list().is_empty()) => {
            data.list().iter().map(|d| list(d.list())).collect()
        }
        Some(data) => {
            let bytes = list(data.list())?;
            let each = (bytes.len() / count).max(1);
            Ok(bytes.chunks(each).map(<[u8]>::to_vec).collect())
        }
        None => {
            let size = buffer.number("FillSize").unwrap_or(0) as usize;
            let mut one = Vec::new();
            if !buffer.str("FillValue").is_empty() {
                encode(format, buffer.str("FillValue"), &mut one).ok_or("skip: fill value")?;
            } else {
                one.push(0);
            }
            let bytes: Vec<u8> = one.iter().cycle().take(size).copied().collect();
            Ok(vec![bytes; count])
        }
    }
}

fn differ(format: &str, rule: &str, result: &Yaml, actual: &[u8], expected: &[u8]) -> Option<String> {
    let size = format_size(format)?;
    if actual.len() < expected.len() {
        return Some(format!("{} bytes, not {}", actual.len(), expected.len()));
    }
    for (i, (a, e)) in actual.chunks(size).zip(expected.chunks(size)).enumerate() {
        let word = |b: &[u8]| b.iter().rev().fold(0u64, |w, &b| w << 8 | u64::from(b));
        let (a, e) = (word(a), word(e));
        if a == e {
            continue;
        }
        let number = |bits: u64| match format {
            "Float16" => aquatint_ir::eval::f16_to_f64(bits as u16),
            "Float32" => f64::from(f32::from_bits(bits as u32)),
            "Float64" => f64::from_bits(bits),
            _ => bits as f64,
        };
        let (x, y) = (number(a), number(e));
        let same = match rule {
            "BufferFloatULP" => {
                let ulp = result.number("ULPT").unwrap_or(0);
                (x.is_nan() && y.is_nan()) || a.abs_diff(e) <= ulp || (x == 0.0 && y == 0.0)
            }
            "BufferFloatEpsilon" => {
                let epsilon: f64 = result.str("Epsilon").parse().unwrap_or(0.0);
                (x.is_nan() && y.is_nan()) || (x - y).abs() <= epsilon
            }
            _ => format.starts_with("Float") && ((x.is_nan() && y.is_nan()) || x == y),
        };
        if !same {
            return Some(format!("[{i}] is {x} ({a:#x}), not {y} ({e:#x})"));
        }
    }
    None
}

fn run(text: &str) -> Result<(), String> {
    let parts = split(text);
    let source = parts.get("source.hlsl").ok_or("skip: more than one source")?;
    let pipeline = parse(parts.get("pipeline.yaml").ok_or("skip: no pipeline")?);
    let shader = pipeline.get("Shaders").and_then(|s| s.list().first()).ok_or("skip: no shader")?;
    if shader.str("Stage") != "Compute" || pipeline.get("Shaders").is_some_and(|s| s.list().len() > 1) {
        return Err("skip: stage".to_owned());
    }
    let results = pipeline.get("Results").map_or(&[][..], Yaml::list);
    if results.is_empty() {
        return Err("skip: no results".to_owned());
    }
    let command = text.lines().find(|l| l.contains("RUN:") && l.contains("dxc_target")).unwrap_or("");
    let words: Vec<&str> = command.split_whitespace().collect();
    let after = |flag: &str| words.iter().position(|w| *w == flag).and_then(|i| words.get(i + 1)).copied();
    let entry = match shader.str("Entry") {
        "" => "main",
        name => name,
    };
    let options = Options {
        entries: vec![EntryRequest { name: entry.to_owned(), stage: Some(Stage::Compute) }],
        native16: command.contains("-enable-16bit-types"),
        row_major: command.contains("-Zpr"),
        hv: match after("-HV") {
            Some("2018") => 2018,
            _ => 2021,
        },
        ..Options::default()
    };
    let (module, diags) = super::translate(source, &options);
    let module = module.ok_or_else(|| {
        let all = super::messages(source, &diags);
        format!("translate: {}", all.iter().find(|m| m.contains("error")).cloned().unwrap_or_default())
    })?;
    if let Err(faults) = aquatint_ir::verify::check(&module) {
        let place = faults[0].labels.first().and_then(|l| l.excerpt.clone()).unwrap_or_default();
        return Err(format!("verifier: {} | {place}", faults[0].message));
    }
    let program = Program::new(&module, entry).map_err(|e| format!("program: {e}"))?;
    let mut resources = Resources::new();
    let mut bound: BTreeMap<String, (Binding, bool, usize, usize)> = BTreeMap::new();
    let buffers = pipeline.get("Buffers").map_or(&[][..], Yaml::list);
    let find = |name: &str| buffers.iter().find(|b| b.str("Name") == name);
    for set in pipeline.get("DescriptorSets").map_or(&[][..], Yaml::list) {
        for resource in set.get("Resources").map_or(&[][..], Yaml::list) {
            let name = resource.str("Name");
            let class = match resource.str("Kind") {
                "RWStructuredBuffer" | "RWBuffer" | "RWByteAddressBuffer" => RegisterClass::U,
                "StructuredBuffer" | "Buffer" | "ByteAddressBuffer" => RegisterClass::T,
                "ConstantBuffer" => RegisterClass::B,
                other => return Err(format!("skip: {other}")),
            };
            let binding = resource.get("DirectXBinding").ok_or("skip: no binding")?;
            let register = binding.number("Register").unwrap_or(0) as u32;
            let binding = Binding { class, register, space: binding.number("Space").unwrap_or(0) as u32 };
            let buffer = find(name).ok_or("skip: no buffer")?;
            let contents = buffer_bytes(buffer)?;
            let typed = matches!(resource.str("Kind"), "RWBuffer" | "Buffer");
            let channels = buffer.number("Channels").unwrap_or(1) as usize;
            let count = contents.len();
            for (i, bytes) in contents.into_iter().enumerate() {
                let binding = Binding { register: binding.register + i as u32, ..binding };
                if typed {
                    if format_size(buffer.str("Format")) != Some(4) {
                        return Err("skip: texel format".to_owned());
                    }
                    let words: Vec<u32> =
                        bytes.chunks(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
                    let texels = words
                        .chunks(channels)
                        .map(|c| {
                            let mut texel = [0u32; 4];
                            texel[..c.len()].copy_from_slice(c);
                            texel
                        })
                        .collect();
                    resources.set_texels(binding, texels);
                } else {
                    resources.set_buffer(binding, bytes);
                }
            }
            bound.insert(name.to_owned(), (binding, typed, channels, count));
        }
    }
    let size: Vec<u32> = shader
        .get("DispatchSize")
        .or_else(|| pipeline.get("DispatchParameters").and_then(|d| d.get("DispatchGroupCount")))
        .map_or(Vec::new(), |s| s.list().iter().filter_map(|n| n.text().parse().ok()).collect());
    let size = [0, 1, 2].map(|i| size.get(i).copied().unwrap_or(1));
    let mut machine = Machine::for_workgroup(&program).map_err(|e| format!("machine: {e}"))?;
    machine.dispatch(&mut resources, size).map_err(|e| format!("run: {e}"))?;
    for result in results {
        let name = result.str("Actual");
        let expected = find(result.str("Expected")).ok_or("skip: no expected buffer")?;
        let Some(&(first, typed, channels, count)) = bound.get(name) else { return Err("skip: unbound".to_owned()) };
        let mut actual: Vec<u8> = Vec::new();
        for i in 0..count {
            let binding = Binding { register: first.register + i as u32, ..first };
            actual.extend(if typed {
                let texels = resources.texels(binding).unwrap_or(&[]);
                texels.iter().flat_map(|t| t[..channels].iter().flat_map(|w| w.to_le_bytes())).collect::<Vec<u8>>()
            } else {
                resources.buffer(binding).map_or(Vec::new(), |b| b.bytes.clone())
            });
        }
        let want = buffer_bytes(expected)?.concat();
        if let Some(why) = differ(expected.str("Format"), result.str("Rule"), result, &actual, &want) {
            return Err(format!("wrong: {name}{why}"));
        }
    }
    Ok(())
}

#[test]
fn offload_tests_that_passed_still_pass() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus/offload-test-suite/test");
    let mut all = Vec::new();
    files(Path::new(root), &mut all);
    if all.is_empty() {
        println!("skipped: the offload test suite is not at {root}");
        return;
    }
    let listed: Vec<&str> = PASSING.lines().filter(|l| !l.is_empty() && !l.starts_with('#')).collect();
    let verbose = std::env::var("AQUATINT_HLSL_OFFLOAD").is_ok();
    let (mut passed, mut skipped, mut lost) = (Vec::new(), 0, Vec::new());
    for path in &all {
        let name = path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned();
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        match run(&text) {
            Ok(()) => passed.push(name),
            Err(why) => {
                if why.starts_with("skip") {
                    skipped += 1;
                }
                if verbose {
                    println!("{name}: {why}");
                }
                if listed.contains(&name.as_str()) {
                    lost.push(format!("{name}: {why}"));
                }
            }
        }
    }
    println!("{} pass, {skipped} skipped, {} fail", passed.len(), all.len() - passed.len() - skipped);
    if bless::is_asked() {
        let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src/tests/offload.passing"));
        let head = "# Tests of the offload test suite that pass. Names are added, never taken away.";
        return bless::replace(path, &format!("{head}\n{}\n", passed.join("\n"))).expect("the list can be written");
    }
    assert!(lost.is_empty(), "tests that passed before:\n{}", lost.join("\n"));
}
