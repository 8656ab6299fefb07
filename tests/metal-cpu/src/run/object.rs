//! From a function's source to a shared object, once for each text.

use super::error::Error;
use super::job::Stage;
use super::plan::Plan;
use crate::run::token::tokens;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

fn run(command: &mut Command) -> Result<(), Error> {
    let output = command.output().map_err(|e| Error::Process(format!("clang: {e}")))?;
    if output.status.success() {
        return Ok(());
    }
    Err(Error::Compile(String::from_utf8_lossy(&output.stderr).into_owned()))
}

fn hash(parts: &[&str]) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    for part in parts {
        for byte in part.bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }
    hash
}

fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join("aquatint-metal-cpu");
    let _ = std::fs::create_dir_all(&folder);
    folder
}

const RUNTIME: &str = include_str!("../../runtime/runtime.cpp");

fn runtime() -> Result<PathBuf, Error> {
    static MADE: OnceLock<Result<PathBuf, Error>> = OnceLock::new();
    let make = || {
        let path = folder().join(format!("runtime-{:016x}.o", hash(&[RUNTIME])));
        if !path.exists() {
            let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime/runtime.cpp");
            run(Command::new("clang++")
                .args([
                    "-O2",
                    "-fPIC",
                    "-fno-omit-frame-pointer",
                    "-fno-optimize-sibling-calls",
                    "-fno-exceptions",
                    "-c",
                    "-o",
                ])
                .arg(&path)
                .arg(source))?;
        }
        Ok(path)
    };
    MADE.get_or_init(make).clone()
}

/// The shared object of a stage's function.
pub(super) fn build(stage: &Stage) -> Result<PathBuf, Error> {
    let plan = Plan::of(&stage.source, &stage.entry).map_err(Error::Job)?;
    let mut text = stage.source.clone();
    let all = tokens(&stage.source);
    let mut spans = Vec::new();
    let mut k = 0;
    while k + 1 < all.len() {
        if all[k].text == "[" && all[k + 1].text == "[" {
            let mut depth = 0;
            let start = all[k].start;
            while k < all.len() {
                match all[k].text {
                    "[" => depth += 1,
                    "]" => depth -= 1,
                    _ => {}
                }
                k += 1;
                if depth == 0 {
                    break;
                }
            }
            spans.push((start, all[k - 1].end));
        } else {
            k += 1;
        }
    }
    for (start, end) in spans.into_iter().rev() {
        text.replace_range(start..end, "");
    }
    let text = format!("{text}{}", plan.text);
    let base = folder().join(format!("{:016x}", hash(&[&text])));
    let library = base.with_extension("so");
    if library.exists() {
        return Ok(library);
    }
    let runtime = runtime()?;
    let source = base.with_extension("cl");
    std::fs::write(&source, &text).map_err(|e| Error::Process(e.to_string()))?;
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("include");
    let mut command = Command::new("clang");
    command.args(["-x", "cl", "-cl-std=clc++2021", "-target", "x86_64-linux-gnu", "-O0", "-fPIC", "-shared"]);
    command
        .args([
            "-cl-no-stdinc",
            "-fdeclspec",
            "-w",
            "-fno-omit-frame-pointer",
            "-fno-optimize-sibling-calls",
            "-ffp-contract=off",
            "-I",
        ])
        .arg(include);
    command.arg(&source).args(["-x", "none"]).arg(runtime).arg("-o").arg(&library).arg("-lm");
    run(&mut command)?;
    Ok(library)
}
