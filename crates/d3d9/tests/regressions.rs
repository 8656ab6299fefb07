//! Shaders that once came out wrong, each the smallest that did, assembled and taken through the lowering and the verifier.

use aquatint_base::{Diags, SourceId};
use aquatint_d3d9::assemble::{AssembleOptions, assemble};
use aquatint_d3d9::codes;
use aquatint_d3d9::lower::{Lowered, Options, lower};
use aquatint_d3d9::tokens::{DecodeOptions, decode};
use aquatint_ir::{text, verify};

/// Lowers a text that must lower, to a module that keeps the rules; the module as text.
fn lowered(source: &str, options: &Options) -> String {
    let mut diags = Diags::new();
    let words = assemble(source, SourceId(0), &AssembleOptions::default(), &mut diags)
        .unwrap_or_else(|| panic!("{:?}", diags.iter().next()));
    lowered_words(&words, options)
}

fn lowered_words(words: &[u32], options: &Options) -> String {
    let mut diags = Diags::new();
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let shader = decode(&bytes, SourceId(0), &DecodeOptions::default(), &mut diags)
        .unwrap_or_else(|| panic!("{:?}", diags.iter().next()));
    let Some(Lowered { module, .. }) = lower(&shader, options, &mut diags) else { panic!("{:?}", diags.iter().next()) };
    let text = text::print(&module);
    if let Err(errors) = verify::check(&module) {
        panic!("{:?}\n{text}", errors.first());
    }
    text
}

#[test]
fn volumes_do_not_compare() {
    let source = "ps_2_0\ndcl t0\ndcl_volume s0\ntexld r0, t0, s0\nmov oC0, r0\n";
    let text = lowered(source, &Options { depth_compare: 1, ..Options::default() });
    assert!(text.contains("texture_3d<f32>"), "{text}");
}

/// A chain of `calls` subroutines, each with `blocks` blocks around its call of the next.
fn nested_calls(calls: usize, blocks: usize) -> String {
    let mut source = "ps_3_0\ncall l0\nmov oC0, r0\nret\n".to_owned();
    for i in 0..calls {
        source.push_str(&format!("label l{i}\n"));
        source.push_str(&"if_lt r0.x, c0.x\n".repeat(blocks));
        source.push_str(&format!("call l{}\n", i + 1));
        source.push_str(&"add r0, r0, c1\nendif\n".repeat(blocks));
        source.push_str("ret\n");
    }
    source.push_str(&format!("label l{calls}\nadd r0, r0, c2\nret\n"));
    source
}

/// The decoder bounds the blocks of one body; with calls written out they came to thousands, and the stack overflowed.
#[test]
fn blocks_are_bounded_across_calls() {
    for (calls, blocks) in [(1, 64), (32, 2), (63, 1)] {
        lowered(&nested_calls(calls, blocks), &Options::default());
    }
    for (calls, blocks) in [(2, 33), (60, 60)] {
        let mut diags = Diags::new();
        let words =
            assemble(&nested_calls(calls, blocks), SourceId(0), &AssembleOptions::default(), &mut diags).unwrap();
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let shader = decode(&bytes, SourceId(0), &DecodeOptions::default(), &mut diags).unwrap();
        assert!(lower(&shader, &Options::default(), &mut diags).is_none());
        let error = diags.iter().last().unwrap();
        assert_eq!(error.code, &codes::E_NEST, "{error:?}");
        assert!(!error.span().is_none());
    }
}

/// Rows of a matrix lookup that a block keeps are no values of what follows it.
#[test]
fn rows_kept_in_a_block_stay_there() {
    let pad = "texm3x3pad t1, t0";
    for block in [format!("{pad}\nendif"), format!("else\n{pad}\nendif"), format!("{pad}\nelse\n{pad}\nendif")] {
        let source =
            format!("ps_1_2\ntex t0\nif_eq r0.r, t0.g\n{block}\ntexm3x3pad t2, t0\ntexm3x3tex t3, t0\nmov r0, t3\n");
        lowered(&source, &Options::default());
    }
}
