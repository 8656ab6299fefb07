//! Bytecode to Metal: our time beside MojoShader's, how time grows with length, and what a whole process costs.
//!
//! `cargo bench -p aquatint-benches`. The inputs and MojoShader's driver lie in `../shared/bench` beside the checkout;
//! MojoShader is Debian's `libmojoshader-dev`. What is absent is said and left out.

use aquatint::base::{Diags, SourceId};
use aquatint::{Input, Options, Session, Target};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

const FILES: [&str; 5] = ["vs11.bin", "ps2_12.bin", "ps2_50.bin", "ps3_200.bin", "ps3_480.bin"];

fn shared() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/bench")
}

/// Microseconds of one run: the median of `rounds` means over `repeats` runs.
fn microseconds(rounds: usize, repeats: usize, mut run: impl FnMut()) -> f64 {
    let mut means: Vec<f64> = (0..rounds)
        .map(|_| {
            let start = Instant::now();
            for _ in 0..repeats {
                run();
            }
            start.elapsed().as_secs_f64() * 1e6 / repeats as f64
        })
        .collect();
    means.sort_by(f64::total_cmp);
    means[means.len() / 2]
}

/// What a caller's `compile` does: strict rules, default passes, no checks between passes, as in a release build.
fn to_metal(name: &str, bytes: &[u8]) -> usize {
    let options = Options::new(Target::Msl);
    let mut session = Session::new();
    let artifact = session.compile(&Input::new(name, bytes), &options).expect("the shader compiles");
    artifact.output.into_bytes().len()
}

fn mojoshader() -> Option<PathBuf> {
    let driver = shared().join("mojoshader.c");
    let out = std::env::temp_dir().join(format!("aquatint-mojoshader-{}", std::process::id()));
    let built = Command::new("cc")
        .args(["-O2", "-o"])
        .arg(&out)
        .arg(&driver)
        .args(["-I/usr/include/mojoshader", "-lmojoshader"])
        .output()
        .ok()?;
    built.status.success().then_some(out)
}

/// MojoShader's microseconds for a file.
fn peer(program: &Path, file: &Path) -> Option<f64> {
    let output = Command::new(program).args(["metal", "400"]).arg(file).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let line = text.lines().next()?;
    line.split_whitespace().rev().nth(1)?.parse().ok()
}

fn against_mojoshader() {
    println!("bytecode to MSL, one thread, strict rules, default passes; microseconds a shader");
    if !shared().exists() {
        return println!("  skipped: {} is absent", shared().display());
    }
    let program = mojoshader();
    if program.is_none() {
        println!("  MojoShader is not installed (libmojoshader-dev): no ratios");
    }
    println!("  {:<14} {:>9} {:>11} {:>7}", "file", "aquatint", "MojoShader", "ratio");
    for name in FILES {
        let path = shared().join(name);
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let ours = |rounds| {
            microseconds(rounds, 200, || {
                black_box(to_metal(name, black_box(&bytes)));
            })
        };
        ours(2);
        // Alternating, so that a busy minute hits both.
        let mut pairs = Vec::new();
        for _ in 0..5 {
            let own = ours(3);
            pairs.push((own, program.as_deref().and_then(|p| peer(p, &path))));
        }
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let own = pairs[pairs.len() / 2].0;
        let mut theirs: Vec<f64> = pairs.iter().filter_map(|p| p.1).collect();
        theirs.sort_by(f64::total_cmp);
        match theirs.get(theirs.len() / 2) {
            Some(&theirs) => println!("  {name:<14} {own:>9.1} {theirs:>11.1} {:>7.2}", own / theirs),
            None => println!("  {name:<14} {own:>9.1} {:>11} {:>7}", "-", "-"),
        }
    }
    if let Some(program) = program {
        let _ = std::fs::remove_file(program);
    }
}

/// A ps_3_0 of about `count` instructions that depend on each other: arithmetic, texture reads, a branch now and then.
fn generated(count: usize) -> Vec<u8> {
    let mut text =
        String::from("ps_3_0\ndcl_texcoord v0\ndcl_2d s0\ndef c0, 0.5, 2, -1, 0.25\nmov r0, v0\nmov r1, c1\n");
    let mut at = 3;
    while at + 8 < count {
        let (a, b) = (at % 7, (at + 3) % 7);
        text.push_str(&format!("mad r{a}, r{b}, c{}, r0\n", at % 30));
        text.push_str(&format!("dp3 r{b}.x, r{a}, c{}\n", (at + 1) % 30));
        text.push_str(&format!("mul_sat r{a}.yz, r{b}.x, r{a}.xyzw\n"));
        at += 3;
        if at % 8 == 0 {
            text.push_str(&format!("texld r{a}, r{b}, s0\n"));
            at += 1;
        }
        if at % 9 == 0 {
            text.push_str(&format!("if_lt r{a}.x, c0.x\nadd r0, r0, r{a}\nelse\nmov r0.w, r{b}.x\nendif\n"));
            at += 5;
        }
    }
    text.push_str("add r0, r0, r1\nmov oC0, r0\n");
    let mut diags = Diags::new();
    let words = aquatint::d3d9::assemble::assemble(&text, SourceId(0), &Default::default(), &mut diags);
    words.expect("the generated shader assembles").iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn growth() {
    println!("\ngrowth with length, generated ps_3_0; linear means that the last column stays");
    println!("  {:>12} {:>12} {:>15}", "instructions", "microseconds", "ns/instruction");
    for count in [200, 500, 1000, 2000, 5000, 10_000] {
        let bytes = generated(count);
        let repeats = (40_000 / count).max(2);
        let time = microseconds(5, repeats, || {
            black_box(to_metal("generated", black_box(&bytes)));
        });
        println!("  {count:>12} {time:>12.1} {:>15.0}", time * 1000.0 / count as f64);
    }
}

/// Wall time and peak memory of `aquatint compile` as a process, beside a process that does nothing.
fn process() {
    println!("\none shader as a process: milliseconds (median of 40), peak memory");
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/release/aquatint");
    let program = std::env::var_os("AQUATINT_BIN").map_or(program, PathBuf::from);
    let input = shared().join("ps3_480.bin");
    if !program.exists() || !input.exists() {
        return println!("  skipped: build the program first (cargo build --release), or name it in AQUATINT_BIN");
    }
    let median = |command: &dyn Fn() -> Command| {
        let mut all: Vec<f64> = (0..40)
            .map(|_| {
                let start = Instant::now();
                let output = command().output();
                assert!(output.is_ok_and(|o| o.status.success()));
                start.elapsed().as_secs_f64() * 1e3
            })
            .collect();
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
    };
    let compile = || {
        let mut command = Command::new(&program);
        command.arg("compile").arg(&input).args(["--to", "msl", "-o", "-"]);
        command
    };
    let idle = median(&|| Command::new("true"));
    let own = median(&compile);
    println!("  aquatint compile ps3_480.bin {own:.2} ms; `true` {idle:.2} ms");
    let mut timed = Command::new("/usr/bin/time");
    timed.args(["-f", "%M"]).arg(&program).arg("compile").arg(&input).args(["--to", "msl", "-o", "-"]);
    match timed.output().ok().and_then(|o| String::from_utf8(o.stderr).ok()) {
        Some(text) => println!("  peak memory {} KiB", text.lines().last().unwrap_or("?")),
        None => println!("  peak memory: not measured, /usr/bin/time is absent"),
    }
}

fn main() {
    against_mojoshader();
    growth();
    process();
}
