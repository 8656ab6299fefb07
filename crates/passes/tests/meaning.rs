//! What a module computes before a pass, it computes after it: random modules are interpreted before and after each pass,
//! and after random sequences of passes, on inputs with every special number.
//!
//! A seed that fails is printed with the module; `SEED=n cargo test -p aquatint-passes --test meaning` runs it alone.

#[path = "meaning/generate.rs"]
mod generate;

use aquatint_exec::interpret::{Machine, Program, Resources};
use aquatint_ir::globals::{Binding, RegisterClass};
use aquatint_ir::types::Scalar;
use aquatint_ir::{Module, eval, text};
use aquatint_passes::pipeline::PASSES;
use aquatint_passes::{Level, Runner, optimise};

/// A small generator of numbers, the same on every machine.
pub struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// The bits of a number that is special, small or any.
    pub fn number(&mut self, kind: Scalar) -> u64 {
        const SPECIAL: [f64; 12] =
            [0.0, -0.0, 1.0, -1.0, 2.0, 0.5, -3.5, 1e30, 1e-30, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
        match kind {
            Scalar::Bool => self.below(2) as u64,
            _ if kind.is_float() => {
                let number = match self.below(3) {
                    0 => SPECIAL[self.below(SPECIAL.len())],
                    1 => self.below(9) as f64 - 4.0,
                    _ => (self.below(4001) as f64 - 2000.0) / 128.0,
                };
                eval::convert(Scalar::F64, kind, number.to_bits())
            }
            _ => {
                let number = match self.below(4) {
                    0 => self.next(),
                    1 => self.below(40) as u64,
                    2 => (self.below(5) as u64).wrapping_sub(2),
                    _ => self.below(5) as u64,
                };
                number & ((1 << kind.bits()) - 1)
            }
        }
    }
}

const LANES: usize = 12;

/// Every scalar of every output in every lane.
fn meaning(module: &Module, seed: u64) -> Vec<u64> {
    let program = Program::new(module, "test").expect("a program");
    let mut machine = Machine::new(&program, LANES).expect("a machine");
    let mut random = Random(seed | 1);
    for location in 0..5 {
        for component in 0..4 {
            for lane in 0..LANES {
                let bits = random.number(if location < 4 { Scalar::F32 } else { Scalar::U32 });
                if let Some(input) = program.input_at(location) {
                    machine.set(input, component, lane, bits);
                }
            }
        }
    }
    let mut resources = Resources::new();
    let bytes = |random: &mut Random, kind, count| -> Vec<u8> {
        (0..count).flat_map(|_| (random.number(kind) as u32).to_le_bytes()).collect()
    };
    let binding = |class| Binding { class, register: 0, space: 0 };
    resources.set_buffer(binding(RegisterClass::B), bytes(&mut random, Scalar::F32, 20));
    resources.set_buffer(binding(RegisterClass::U), bytes(&mut random, Scalar::U32, 6));
    machine.run(&mut resources, LANES).expect("a run that ends");
    let mut all = Vec::new();
    for location in 0..3 {
        let output = program.output_at(location).expect("an output");
        for lane in 0..LANES {
            for component in 0..4 {
                let bits = machine.get(output, component, lane);
                // The sign and payload of a NaN may differ.
                let nan = output.kind == Scalar::F32 && bits & 0x7FFF_FFFF > 0x7F80_0000;
                all.push(if nan { 0x7FC0_0000 } else { bits });
            }
        }
    }
    all
}

fn verify(module: &Module, what: &str) {
    if let Err(found) = aquatint_ir::verify::check(module) {
        let said: Vec<String> = found.iter().map(|d| format!("{} {}", d.code.id, d.message)).collect();
        panic!("{what}: {said:#?}\n{}", text::print(module));
    }
}

fn compare(before: &Module, expected: &[u64], after: &Module, seed: u64, what: &str) {
    verify(after, what);
    let got = meaning(after, seed);
    if got != expected {
        let place = got.iter().zip(expected).position(|(a, b)| a != b).unwrap_or(0);
        let (location, lane, component) = (place / (4 * LANES), place / 4 % LANES, place % 4);
        panic!(
            "{what}: output {location}, lane {lane}, component {component}: {:#x} became {:#x}\n{}\nafter:\n{}",
            expected[place],
            got[place],
            text::print(before),
            text::print(after)
        );
    }
}

fn try_seed(seed: u64) {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let module = generate::module(&mut random);
    verify(&module, &format!("seed {seed}: generated"));
    let expected = meaning(&module, seed);
    for entry in PASSES {
        let mut copy = module.clone();
        let changed = (entry.run)(&mut copy);
        compare(&module, &expected, &copy, seed, &format!("seed {seed}: {}", entry.name));
        assert!(changed.yes() || text::equal(&copy, &module), "seed {seed}: {}: a change that it denies", entry.name);
    }
    let mut copy = module.clone();
    let _ = optimise(Level::Default, &mut Runner::new(&mut copy));
    compare(&module, &expected, &copy, seed, &format!("seed {seed}: pipeline"));
    let mut copy = module.clone();
    let mut names = String::new();
    for _ in 0..6 {
        let entry = &PASSES[random.below(PASSES.len())];
        names = format!("{names} {}", entry.name);
        let before = copy.clone();
        let _ = (entry.run)(&mut copy);
        compare(&before, &expected, &copy, seed, &format!("seed {seed}:{names}"));
    }
}

#[test]
fn random_modules_keep_their_meaning() {
    if let Some(seed) = std::env::var("SEED").ok().and_then(|s| s.parse().ok()) {
        return try_seed(seed);
    }
    let count = std::env::var("SEEDS").ok().and_then(|s| s.parse().ok()).unwrap_or(120);
    (1..=count).for_each(try_seed);
}
