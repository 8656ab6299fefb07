//! Modules on which a pass once went wrong, each the smallest.

use aquatint_base::{Diags, Limits, SourceId};
use aquatint_ir::{Module, text, verify};
use aquatint_passes::expand_legacy::LEGACY;
use aquatint_passes::{Inline, Runner, expand_legacy, inline, run};

fn read(input: &str) -> Module {
    let mut diags = Diags::new();
    let module = text::parse(input, SourceId(0), &Limits::default(), &mut diags);
    let module = module.unwrap_or_else(|| panic!("{:?}", diags.iter().next()));
    assert!(verify::verify(&module, &mut diags), "{:?}", diags.iter().next());
    module
}

/// Each function took over all positions of its callee, and with them those of the callee's callees.
#[test]
fn positions_do_not_add_up_along_a_chain_of_calls() {
    let mut input = "module\nfn @f100() { return }\n".to_owned();
    for i in 0..100 {
        input.push_str(&format!("fn @f{i}() {{\n    call @f{}()\n    return\n}}\n", i + 1));
    }
    let mut module = read(&input);
    assert!(inline(&mut module, &Inline::all()).yes());
    for (_, function) in module.functions.iter() {
        assert_eq!(function.regions[function.body].insts.len(), 1);
        assert!(function.spans.len() <= 3, "{} positions for the two instructions that were", function.spans.len());
    }
}

/// A module below the bound on instructions that expands beyond it was called broken.
#[test]
fn a_module_may_expand_beyond_the_bound_on_what_is_read() {
    let count = Limits::default().instructions / 8;
    let mut input = "module\nglobal @v: private<vec4<f32>>\nfn @f(%a: vec4<f32>) {\n".to_owned();
    for i in 0..count {
        input.push_str(&format!("%n{i}: vec4<f32> = lit.d3d9 %a\nstore @v, %n{i}\n"));
    }
    input.push_str("return }\n");
    let mut diags = Diags::new();
    let limits = Limits { input_bytes: usize::MAX, ..Limits::default() };
    let module = text::parse(&input, SourceId(0), &limits, &mut diags);
    let mut module = module.unwrap_or_else(|| panic!("{:?}", diags.iter().next()));
    let mut runner = Runner::new(&mut module).with_options(run::Options { verify: true, stress: false });
    assert!(runner.pass("expand_legacy", |m| expand_legacy(m, &LEGACY)).yes());
    assert!(!runner.failed(), "{:?}", runner.diags().iter().next());
    let (_, function) = module.functions.iter().next().expect("there is one");
    assert!(function.regions[function.body].insts.len() > Limits::default().instructions);
}
