//! Constant tables, preshaders and effects.

use crate::agree;
use aquatint_base::{Diags, SourceId};
use aquatint_d3d9::ctab::{self, ConstantTable, RegisterSet};
use aquatint_d3d9::disassemble::{Options, disassemble};
use aquatint_d3d9::effect::{self, Effect};
use aquatint_d3d9::preshader::{self, Destination, Preshader, Table};
use aquatint_d3d9::tokens::{DecodeOptions, decode};

/// The payload of a `CTAB` comment. What is read can be printed and asked; what is written is read back the same.
pub fn ctab(payload: &[u8]) {
    let mut diags = Diags::new();
    let table = ctab::parse(payload, 0, SourceId(0), &mut diags);
    if let Some(table) = table {
        constant_table(&table);
        let written = ctab::write(&table);
        let mut diags = Diags::new();
        let back = ctab::parse(&written, 0, SourceId(0), &mut diags).expect("what is written is read");
        let again = ctab::write(&back);
        assert!(again == written, "it is written otherwise the second time:\n{table:?}\n{back:?}");
        ctab::comment(&written);
    }
    // As a whole stream.
    let mut diags = Diags::new();
    ctab::of_stream(payload, 0, SourceId(0), &mut diags);
}

fn constant_table(table: &ConstantTable) {
    let mut out = String::new();
    ctab::print::print(table, &mut out);
    ctab::print::tables(table, &mut out);
    for constant in &table.constants {
        table.find(&constant.name, constant.set);
    }
    for set in [RegisterSet::Bool, RegisterSet::Int4, RegisterSet::Float4, RegisterSet::Sampler] {
        table.covering(set, 0);
        table.extent(set);
    }
}

/// The payload of a `PRES` comment. Its own words are its inputs.
pub fn preshader(payload: &[u8]) {
    let mut diags = Diags::new();
    let Some(found) = preshader::parse(payload, 0, SourceId(0), &mut diags) else {
        assert!(!diags.is_empty());
        return;
    };
    let words: Vec<f32> = payload.as_chunks::<4>().0.iter().map(|&word| f32::from_le_bytes(word)).collect();
    run(&found, &words);
}

fn run(preshader: &Preshader, inputs: &[f32]) {
    let mut out = String::new();
    preshader::print(preshader, &mut out);
    for destination in [Destination::Shader, Destination::Expression] {
        assert_eq!(preshader.disassemble(destination).count(), preshader.instructions.len());
    }
    if let Some(table) = &preshader.inputs {
        constant_table(table);
    }
    let writes = preshader.writes();
    let extremes = [f32::NAN, f32::INFINITY, -1e30, 1e-40, -0.0, 16_777_216.0, -1.0];
    for (constants, texture) in [(inputs, &extremes[..]), (&extremes, inputs), (&[], &[])] {
        let Ok(outputs) = preshader.eval(constants, texture) else { continue };
        // The tables are as long as what is written.
        assert_eq!(outputs.floats.len().div_ceil(4), writes.floats.len());
        assert_eq!(outputs.ints.len().div_ceil(4), writes.ints.len());
        assert_eq!(outputs.bools.len(), writes.bools.len());
        let (mut floats, mut ints, mut bools) = ([[0.0; 4]; 256], [[0; 4]; 16], [false; 16]);
        outputs.apply(&writes, &mut floats, &mut ints, &mut bools);
        for (register, lanes) in floats.iter().enumerate() {
            let mask = writes.floats.get(register).copied().unwrap_or(0);
            assert!((0..4).all(|lane| mask >> lane & 1 != 0 || lanes[lane] == 0.0));
        }
    }
    let used = preshader.instructions.iter().any(|i| i.output.table == Table::OutputFloat);
    assert_eq!(used, !writes.floats.is_empty());
}

/// An effect, all shaders in it, its text, and the values of its parameters as registers.
pub fn effect(bytes: &[u8]) {
    for part in effect::embedded(bytes) {
        assert!(bytes.get(part.range.clone()).is_some());
    }
    let mut diags = Diags::new();
    let Some(found) = effect::parse(bytes, SourceId(0), &mut diags) else {
        assert!(diags.has_errors());
        return;
    };
    effect::print(&found, &mut |stream| {
        let mut diags = Diags::new();
        let shader = decode(stream, SourceId(0), &DecodeOptions::default(), &mut diags);
        agree(&shader, &diags);
        shader.map_or_else(String::new, |shader| disassemble(&shader, &Options::default()))
    });
    for resource in &found.resources {
        if let effect::Content::Expression(preshader) | effect::Content::Selector { index: preshader, .. } =
            &resource.content
        {
            run(preshader, &[1.0; 64]);
        }
        if let Some(state) = found.state(resource.target) {
            found.content(state);
            found.state_shader(state);
        }
    }
    // Many places may share one stream, and each is shown the same.
    let mut seen = std::collections::HashSet::new();
    for shader in found.shaders() {
        if seen.insert(shader.range.clone()) {
            bind(&found, found.bytes(shader.range));
        }
    }
}

fn bind(effect: &Effect, stream: &[u8]) {
    let mut diags = Diags::new();
    if let Some(table) = ctab::of_stream(stream, 0, SourceId(0), &mut diags) {
        uploads(effect, &table);
    }
    for comment in ctab::leading_comments(stream).filter(|comment| &comment.four_cc == b"PRES") {
        let Some(found) = preshader::parse(comment.payload, 0, SourceId(0), &mut diags) else { continue };
        if let Some(table) = &found.inputs {
            uploads(effect, table);
        }
    }
}

fn uploads(effect: &Effect, table: &ConstantTable) {
    effect.sampler_bindings(table);
    for constant in &table.constants {
        if let Some(upload) = effect.upload(table, constant) {
            let registers = match upload.registers {
                effect::Registers::Float(all) => all.len(),
                effect::Registers::Int(all) => all.len(),
                effect::Registers::Bool(all) => all.len(),
            };
            assert_eq!(registers, usize::from(constant.count));
        }
    }
}
