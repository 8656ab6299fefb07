//! Streams of tokens, and their text.

use crate::settings::{self, Choices};
use crate::{agree, ir_text};
use aquatint_base::{Diags, SourceId};
use aquatint_d3d9::assemble::{AssembleOptions, assemble as assemble_text};
use aquatint_d3d9::disassemble::{Options, Style, disassemble as print};
use aquatint_d3d9::tokens::{DecodeOptions, Shader, decode, validate};
use aquatint_d3d9::{driver, lower};
use aquatint_msl as msl;

fn decoded(bytes: &[u8]) -> Option<Shader> {
    let mut diags = Diags::new();
    let shader = decode(bytes, SourceId(0), &DecodeOptions::default(), &mut diags);
    agree(&shader, &diags);
    shader
}

/// Bytes through all of the translator: what decodes is lowered to a module that keeps the rules, and that module is
/// written for both targets, before and after the passes.
///
/// Bytes behind the last whole word choose the options: a stream has whole words, so they are no part of it.
pub fn tokens(bytes: &[u8]) {
    let (stream, trailing) = bytes.split_at(bytes.len() & !3);
    let Some(shader) = decoded(stream) else { return };
    for strict in [false, true] {
        validate::profile(&shader, strict, &mut Diags::new());
    }
    let choices = settings::widen(trailing);
    let choices = &mut Choices(&choices);
    let mut diags = Diags::new();
    let lowered = lower::lower(&shader, &settings::lowering(choices), &mut diags);
    agree(&lowered, &diags);
    let Some(mut lowered) = lowered else { return };
    ir_text::keeps_the_rules(&lowered.module, "lowering");
    driver::apply(&mut lowered, &settings::driver(choices));
    ir_text::keeps_the_rules(&lowered.module, "the driver's passes");
    ir_text::translate(lowered.module, &msl::Options::direct3d9());
}

fn exact_text(shader: &Shader) -> String {
    print(shader, &Options { style: Style::Fxc, exact: true })
}

/// What decodes comes back from its exact text, word for word.
pub fn disassemble(bytes: &[u8]) {
    let Some(shader) = decoded(bytes) else { return };
    let text = exact_text(&shader);
    let mut diags = Diags::new();
    let back = assemble_text(&text, SourceId(0), &AssembleOptions::default(), &mut diags);
    assert!(back.as_deref() == Some(&shader.words), "{:?}\n{text}\n{back:08X?}", diags.iter().next());
    print(&shader, &Options::default());
    // The compact text says less, so that it need not come back; it must be readable.
    let text = print(&shader, &Options { style: Style::Compact, exact: false });
    let options = AssembleOptions { compact: true, ..AssembleOptions::default() };
    assemble_text(&text, SourceId(0), &options, &mut Diags::new());
}

/// What is assembled decodes, and comes back from its own text.
pub fn assemble(text: &str) {
    for (strict, compact) in [(false, false), (true, false), (false, true)] {
        let options = AssembleOptions { strict, compact, ..AssembleOptions::default() };
        let mut diags = Diags::new();
        let words = assemble_text(text, SourceId(0), &options, &mut diags);
        agree(&words, &diags);
        let Some(words) = words else { continue };
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let Some(shader) = decoded(&bytes) else { panic!("what was assembled does not decode: {words:08X?}") };
        let exact = exact_text(&shader);
        let mut diags = Diags::new();
        let back = assemble_text(&exact, SourceId(0), &AssembleOptions::default(), &mut diags);
        assert!(back.as_deref() == Some(&words), "{:?}\n{exact}\n{words:08X?}\n{back:08X?}", diags.iter().next());
    }
}
