//! Texts on which the reader once went wrong, each the smallest.

use aquatint_base::{Diags, Limits, SourceId};
use aquatint_ir::text;

/// The codes of what the reader says of a text that it must refuse.
fn refused(input: &str) -> Vec<&'static str> {
    let mut diags = Diags::new();
    assert!(text::parse(input, SourceId(0), &Limits::default(), &mut diags).is_none());
    diags.iter().map(|diagnostic| diagnostic.code.id).collect()
}

/// The name's place among the operands was kept for the `yield` that `{ }` stands for, which has none.
#[test]
fn a_hidden_name_in_a_broken_line_before_an_empty_region() {
    let input = "module\nfn @f() {\n    if true {\n        %b: f32 = fneg 1.0\n        yield\n    } else { }\n    \
                 if true {\n        %a: f32 = fneg %b,\n    } else { }\n    return\n}\n";
    assert_eq!(refused(input), ["IR0001"]);
}

/// The number that stands for "no source" was read as one: the position was not printed again.
#[test]
fn a_position_in_the_source_that_there_cannot_be() {
    assert_eq!(refused("module\nfn @f() {\n    return !(4294967295, 8, 9)\n}\n"), ["IR0001"]);
}
