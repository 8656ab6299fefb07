//! Times the default pipeline on a synthetic shader the size of a large Direct3D 9 one after lowering.
//!
//! `cargo run --release -p aquatint-passes --example pass_times [INSTRUCTIONS]` prints nanoseconds an instruction for each
//! pass and for all, the best of many runs.

use aquatint_ir::types::{self, Space};
use aquatint_ir::{Builder, Function, GlobalKind, Io, Module, Op, Value};
use aquatint_passes::{Level, Runner, optimise, run};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// A straight line of reads with swizzles and negations, arithmetic and masked writes, on twelve registers. With
/// `registers` in memory, as a reader without SSA would leave them; else as values.
fn shader(size: usize, in_memory: bool, branches: bool) -> Module {
    let mut module = Module::new();
    let input = module.add_global("v0", types::VEC4F, Space::Input, GlobalKind::Input(Io::at(0)));
    let output = module.add_global("o0", types::VEC4F, Space::Output, GlobalKind::Output(Io::at(0)));
    let name = module.names.intern("main");
    let id = module.functions.push(Function::new(name, types::VOID));
    Builder::edit(&mut module, id, |b| {
        let mut random = 12345u32;
        let mut next = |bound: u32| {
            random = random.wrapping_mul(1664525).wrapping_add(1013904223);
            (random >> 16) % bound
        };
        let start = b.load(Value::global(input));
        let mut registers: Vec<Value> = (0..12)
            .map(|_| {
                if !in_memory {
                    return start;
                }
                let var = b.var(types::VEC4F);
                b.store(var, start);
                var
            })
            .collect();
        let mut open = Vec::new();
        while b.function.insts.len() < size {
            let read = |b: &mut Builder<'_>, next: &mut dyn FnMut(u32) -> u32| {
                let register = registers[next(12) as usize];
                let value = if in_memory { b.load(register) } else { register };
                let lanes = [0, 1, 2, 3].map(|_: u8| next(4) as u8);
                let value = b.shuffle(value, &lanes);
                if next(4) == 0 { b.op(Op::FNeg, &[value]) } else { value }
            };
            let (x, y, z) = (read(b, &mut next), read(b, &mut next), b.load(Value::global(input)));
            let made = match next(4) {
                0 => b.op(Op::FAdd, &[x, y]),
                1 => b.op(Op::FMulLegacy, &[x, y]),
                2 => b.op(Op::FmaLegacy, &[x, y, z]),
                _ => {
                    let k = b.vec_f32(&[0.5, 1.0, 2.0, next(50) as f32]);
                    b.op(Op::FMulLegacy, &[x, k])
                }
            };
            let to = next(12) as usize;
            let made = if next(2) == 0 {
                let old = if in_memory { b.load(registers[to]) } else { registers[to] };
                let mut parts = Vec::new();
                for lane in 0..4 {
                    let from = if next(2) == 0 { made } else { old };
                    parts.push(b.extract(from, lane));
                }
                b.construct(types::VEC4F, &parts)
            } else {
                made
            };
            if in_memory {
                b.store(registers[to], made);
            } else {
                registers[to] = made;
            }
            if branches && in_memory && b.function.insts.len() % 64 < 8 && open.len() < 3 {
                let lane = b.extract(made, 0);
                let zero = b.f32(0.0);
                let condition = b.op(Op::FLt, &[lane, zero]);
                let (then, other) = (b.new_region(&[]), b.new_region(&[]));
                b.push_if(condition, then, other, &[]);
                let outside = b.enter(other);
                b.terminate(Op::Yield, &[]);
                b.enter(then);
                open.push(outside);
            } else if b.function.insts.len() % 64 > 48
                && let Some(outside) = open.pop()
            {
                b.terminate(Op::Yield, &[]);
                b.enter(outside);
            }
        }
        for outside in open.into_iter().rev() {
            b.terminate(Op::Yield, &[]);
            b.enter(outside);
        }
        for &register in &registers.clone() {
            let value = if in_memory { b.load(register) } else { register };
            let old = b.load(Value::global(output));
            let sum = b.op(Op::FAdd, &[old, value]);
            b.store(Value::global(output), sum);
        }
        b.terminate(Op::Return, &[]);
    });
    module
}

fn main() {
    let size = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(2500);
    for (title, in_memory, branches) in
        [("values, straight", false, false), ("variables, straight", true, false), ("variables, branches", true, true)]
    {
        let module = shader(size, in_memory, branches);
        let count = module.functions.as_slice()[0].insts.len();
        let begin = Instant::now();
        let clock = || begin.elapsed();
        let mut best: BTreeMap<usize, (&str, Duration)> = BTreeMap::new();
        let mut total = Duration::MAX;
        let mut left = 0;
        for _ in 0..200 {
            let mut copy = module.clone();
            let mut runner =
                Runner::new(&mut copy).with_options(run::Options { verify: false, stress: false }).with_clock(&clock);
            let start = Instant::now();
            let _ = optimise(Level::Default, &mut runner);
            total = total.min(start.elapsed());
            for (index, report) in runner.reports().iter().enumerate() {
                let entry = best.entry(index).or_insert((report.pass, Duration::MAX));
                entry.1 = entry.1.min(report.time);
            }
            left = aquatint_ir::walk::Walk::new(&copy.functions.as_slice()[0]).insts().count();
        }
        let each = |time: Duration| time.as_nanos() as f64 / count as f64;
        println!("{title}: {count} instructions, {left} afterwards");
        for (pass, time) in best.values() {
            println!("  {pass:<20} {:>8.1} us {:>7.2} ns an instruction", time.as_nanos() as f64 / 1000.0, each(*time));
        }
        println!("  {:<20} {:>8.1} us {:>7.2} ns an instruction", "all", total.as_nanos() as f64 / 1000.0, each(total));
    }
}
