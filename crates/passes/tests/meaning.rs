//! What a module computes before a pass, it computes after it: random modules are interpreted before and after each pass,
//! and after random sequences of passes, on inputs with every special number.
//!
//! A seed that fails is printed with the module; `SEED=n cargo test -p aquatint-passes --test meaning` runs it alone.

#[path = "meaning/generate.rs"]
mod generate;

use aquatint_ir::{Module, text};
use aquatint_passes::pipeline::PASSES;
use aquatint_passes::{Level, Runner, optimise};
use aquatint_testkit::execute::values::Random;
use aquatint_testkit::execute::{Plan, compare};
use aquatint_testkit::module;

fn verify(module: &Module, what: &str) {
    module::check(module).unwrap_or_else(|why| panic!("{what}: {why}"));
}

fn same_meaning(before: &Module, after: &Module, seed: u64, what: &str) {
    verify(after, what);
    // The inputs are others for each module.
    let plan = Plan { seeds: seed..seed + 1, ..Plan::default() };
    let compared = compare(before, after, &plan).unwrap_or_else(|difference| panic!("{what}: {difference}"));
    assert_eq!(compared.runs, 1, "{what}: random modules come to an end\n{}", text::print(before));
}

fn try_seed(seed: u64) {
    let mut random = Random::new(seed, &[]);
    let module = generate::module(&mut random);
    verify(&module, &format!("seed {seed}: generated"));
    for entry in PASSES {
        let mut copy = module.clone();
        let changed = (entry.run)(&mut copy);
        same_meaning(&module, &copy, seed, &format!("seed {seed}: {}", entry.name));
        assert!(changed.yes() || text::equal(&copy, &module), "seed {seed}: {}: a change that it denies", entry.name);
    }
    let mut copy = module.clone();
    let _ = optimise(Level::Default, &mut Runner::new(&mut copy));
    same_meaning(&module, &copy, seed, &format!("seed {seed}: pipeline"));
    let mut copy = module.clone();
    let mut names = String::new();
    for _ in 0..6 {
        let entry = &PASSES[random.below(PASSES.len())];
        names = format!("{names} {}", entry.name);
        let before = copy.clone();
        let _ = (entry.run)(&mut copy);
        same_meaning(&before, &copy, seed, &format!("seed {seed}:{names}"));
    }
}

#[test]
fn random_modules_keep_their_meaning() {
    if let Some(seed) = std::env::var("SEED").ok().and_then(|s| s.parse().ok()) {
        return try_seed(seed);
    }
    let count = std::env::var("SEEDS").ok().and_then(|s| s.parse().ok()).unwrap_or(150);
    (1..=count).for_each(try_seed);
}
