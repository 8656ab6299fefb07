//! How long the SPIR-V writer takes an IR instruction, over the whole corpus: `cargo run --release --example spirv_speed`.

use aquatint_base::Diags;
use aquatint_d3d9::lower;
use aquatint_ir::walk::Walk;
use aquatint_parity::{corpus_streams, translate};
use aquatint_spirv::{Options, check, encode, raise};
use std::time::{Duration, Instant};

fn main() {
    let Some(paths) = corpus_streams() else { return println!("no corpus beside the repository") };
    let mut modules = Vec::new();
    for path in paths {
        let bytes = std::fs::read(path).unwrap_or_default();
        let lowered = translate::decode(&bytes).and_then(|s| translate::lower(&s, &lower::Options::default()));
        modules.extend(lowered.map(|l| l.module));
    }
    let count = |module: &aquatint_ir::Module| -> usize {
        module.functions.iter().map(|(_, f)| Walk::new(f).insts().count()).sum()
    };
    let (before, mut after, mut words) = (modules.iter().map(count).sum::<usize>(), 0, 0);
    let mut times = [Duration::ZERO; 3];
    let options = Options::default();
    const ROUNDS: u32 = 5;
    for round in 0..ROUNDS {
        for module in &modules {
            let mut module = module.clone();
            let mut diags = Diags::new();
            let start = Instant::now();
            let Some(entry) = check::check(&module, "main", &options, &mut diags) else { continue };
            let checked = Instant::now();
            let function = module.entry_points[entry].function;
            if !raise::raise(&mut module, function, &mut diags) {
                continue;
            }
            let raised = Instant::now();
            let output = encode::encode(&module, entry, &options);
            let encoded = Instant::now();
            times[0] += checked - start;
            times[1] += raised - checked;
            times[2] += encoded - raised;
            if round == 0 {
                after += count(&module);
                words += output.len();
            }
        }
    }
    println!("{} modules, {before} instructions, {after} after raising, {words} words", modules.len());
    for (name, time) in ["check", "raise", "encode"].iter().zip(times) {
        let nanoseconds = time.as_nanos() as f64 / f64::from(ROUNDS);
        let (a, b) = (nanoseconds / before as f64, nanoseconds / after as f64);
        println!("{name:8} {:8.2} ms, {a:6.1} ns an instruction before raising, {b:6.1} after", nanoseconds / 1e6);
    }
}
