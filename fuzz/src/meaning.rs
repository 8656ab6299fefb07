//! What a module computes before a pass, it computes after it.

use crate::ir_text::read;
use crate::settings::{self, Choices};
use aquatint_base::{Diags, Limits};
use aquatint_ir::{Module, verify};
use aquatint_passes::{Inline, Level, PASSES, Runner, inline, optimise};
use aquatint_testkit::execute::{Plan, compare};

/// Interprets a module before and after each pass, the pipeline, and a sequence of passes that the text's bytes choose.
/// Passes that expand arithmetic keep it to the bit as well.
pub fn meaning(input: &str) {
    let Some(module) = read(input, &Limits::default()) else { return };
    if !verify::verify(&module, &mut Diags::new()) {
        return;
    }
    let bytes = settings::widen(input.as_bytes());
    let choices = &mut Choices(&bytes);
    let seed = choices.below(256) as u64;
    let plan = Plan { lanes: 4, seeds: seed..seed + 1, steps: 1 << 16, ..Plan::default() };
    // What cannot be run, or not to its end, proves nothing.
    if compare(&module, &module, &plan).map_or(0, |summary| summary.runs) == 0 {
        return;
    }
    let same = |after: &Module, what: &str| {
        if let Err(difference) = compare(&module, after, &plan) {
            panic!("{what}: {difference}");
        }
    };
    for pass in PASSES {
        let mut after = module.clone();
        let _ = (pass.run)(&mut after);
        same(&after, pass.name);
    }
    let mut after = module.clone();
    let _ = inline(&mut after, &Inline::up_to(4));
    same(&after, "inline of small functions");
    let mut after = module.clone();
    let _ = optimise(Level::Default, &mut Runner::new(&mut after));
    same(&after, "the pipeline");
    let mut after = module.clone();
    let mut names = String::new();
    for _ in 0..5 {
        let pass = &PASSES[choices.below(PASSES.len())];
        names.push_str(pass.name);
        names.push(' ');
        let _ = (pass.run)(&mut after);
    }
    same(&after, &names);
}
