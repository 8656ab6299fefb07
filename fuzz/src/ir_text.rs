//! The text form of the IR, and what every module that keeps the rules must withstand.

use crate::agree;
use aquatint_base::{Diags, Limits, SourceId, Sources};
use aquatint_ir::{Module, text, verify};
use aquatint_msl as msl;
use aquatint_passes::{Level, PASSES, Runner, optimise, run};
use aquatint_spirv as spirv;

/// Panics with the message and the module where a module breaks a rule.
#[track_caller]
pub fn keeps_the_rules(module: &Module, after: &str) {
    let mut diags = Diags::new();
    if !verify::verify(module, &mut diags) {
        panic!("after {after}:\n{}\n{}", messages(&diags), text::print(module));
    }
}

pub(crate) fn messages(diags: &Diags) -> String {
    aquatint_base::render::short(diags, &Sources::new())
}

pub(crate) fn read(input: &str, limits: &Limits) -> Option<Module> {
    let mut diags = Diags::new();
    let module = text::parse(input, SourceId(0), limits, &mut diags);
    agree(&module, &diags);
    module
}

/// What is read can be printed; what keeps the rules comes back from its text, and stays right under every pass; and it can
/// be written or is refused with a reason.
pub fn ir_text(input: &str) {
    let Some(module) = read(input, &Limits::default()) else { return };
    let plain = text::Options::default();
    for options in [plain, text::Options { names: false, ..plain }, text::Options { spans: true, ..plain }] {
        text::print_with(&module, options);
    }
    if !verify::verify(&module, &mut Diags::new()) {
        return;
    }
    // What is printed can be longer than what was read, never deeper.
    let limits = Limits { input_bytes: usize::MAX, ..Limits::default() };
    for options in [plain, text::Options { names: false, ..plain }, text::Options { spans: true, ..plain }] {
        let printed = text::print_with(&module, options);
        let Some(back) = read(&printed, &limits) else { panic!("it does not read back:\n{printed}") };
        assert!(text::equal(&module, &back), "it reads back to another module:\n{printed}");
        assert_eq!(text::print_with(&back, options), printed);
    }
    for pass in PASSES {
        let mut module = module.clone();
        let _ = (pass.run)(&mut module);
        keeps_the_rules(&module, pass.name);
    }
    translate(module.clone(), &msl::Options::default());
    write(&module, &msl::Options::direct3d9());
}

/// Writes all entry points for both targets, then optimises and writes again.
pub fn translate(mut module: Module, options: &msl::Options) {
    write(&module, options);
    let checks = run::Options { verify: true, stress: true };
    let mut runner = Runner::new(&mut module).with_options(checks);
    let _ = optimise(Level::Default, &mut runner);
    let failed = runner.failed();
    let (_, diags) = runner.finish();
    assert!(!failed, "{}\n{}", messages(&diags), text::print(&module));
    write(&module, options);
}

fn write(module: &Module, options: &msl::Options) {
    for entry in &module.entry_points {
        let name = module.names.get(entry.name);
        for strict in [false, true] {
            let mut diags = Diags::new();
            let text = msl::write(module, name, &msl::Options { strict, ..options.clone() }, &mut diags);
            agree(&text, &diags);
        }
        let mut diags = Diags::new();
        let words = spirv::write(module, name, &spirv::Options::default(), &mut diags);
        agree(&words, &diags);
        if let Some(words) = words
            && let Err(error) = rspirv::dr::load_words(&words)
        {
            panic!("the SPIR-V does not load: {error}\n{}", text::print(module));
        }
    }
}
