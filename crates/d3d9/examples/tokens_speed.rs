//! Times the token side on the shaders that are given as files: `tokens_speed FILE…`. Prints microseconds a shader.

use aquatint_base::{Diags, SourceId};
use aquatint_d3d9::assemble::{AssembleOptions, assemble};
use aquatint_d3d9::disassemble::{Options, disassemble};
use aquatint_d3d9::tokens::{DecodeOptions, decode, validate};
use std::time::Instant;

fn main() {
    for path in std::env::args().skip(1) {
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) => {
                eprintln!("{path}: {error}");
                continue;
            }
        };
        let options = DecodeOptions::default();
        let Some(shader) = decode(&bytes, SourceId(0), &options, &mut Diags::new()) else {
            eprintln!("{path}: does not decode");
            continue;
        };
        let text = disassemble(&shader, &Options::default());
        let decoding = time(|| decode(&bytes, SourceId(0), &options, &mut Diags::new()).is_some());
        let profile = time(|| validate::profile(&shader, false, &mut Diags::new()));
        let printing = time(|| disassemble(&shader, &Options::default()).len());
        let assembly = time(|| assemble(&text, SourceId(0), &AssembleOptions::default(), &mut Diags::new()).is_some());
        println!(
            "{path}: {} instructions, decode {decoding:.1}, profile {profile:.1}, disassemble {printing:.1}, assemble \
             {assembly:.1}",
            shader.instructions.len()
        );
    }
}

/// The fastest of many runs, in microseconds.
fn time<T>(mut run: impl FnMut() -> T) -> f64 {
    (0..200)
        .map(|_| {
            let start = Instant::now();
            std::hint::black_box(run());
            start.elapsed().as_secs_f64() * 1e6
        })
        .fold(f64::INFINITY, f64::min)
}
