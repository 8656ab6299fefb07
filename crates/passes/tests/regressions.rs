//! Modules on which a pass once went wrong, each the smallest.

use aquatint_base::{Diags, Limits, SourceId};
use aquatint_ir::{Module, text, verify};
use aquatint_passes::{Inline, inline};

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
