//! Shader tokens to assembly text (sheet 6.3 to 6.6).
//!
//! | style | for |
//! |---|---|
//! | [`Style::Fxc`] | people and other assemblers; assembles back to the same words where the stream is canonical |
//! | [`Style::Compact`] | comparison with texts of that look; lossy in swizzle lanes that nothing reads |
//!
//! With [`Options::exact`] the fxc style carries comments, words behind END and the raw words of every instruction that
//! its own text would not assemble to, so that every decodable stream comes back bit for bit.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod exact;
mod number;
mod statement;

pub use number::{compact_float, fxc_float};

use crate::tokens::{Declaration, Definition, Instruction, Item, SamplerKind, Shader, Version};
use crate::{ctab, preshader};
use aquatint_base::Diags;
use statement::Printer;
use std::fmt::Write;

/// How a disassembly looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    /// Header comment, 4-space indent, swizzles as stored.
    #[default]
    Fxc,
    /// No header, no indent, CRLF, swizzles cut to the lanes that matter.
    Compact,
}

/// What to print.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The look.
    pub style: Style,
    /// Carry everything that the text alone loses. Fxc style only.
    pub exact: bool,
}

/// The text of a shader.
pub fn disassemble(shader: &Shader, options: &Options) -> String {
    let mut out = String::with_capacity(shader.words.len() * 8);
    match options.style {
        Style::Fxc => fxc(shader, options.exact, &mut out),
        Style::Compact => compact(shader, &mut out),
    }
    out
}

fn fxc(shader: &Shader, exact: bool, out: &mut String) {
    preshader_block(shader, out);
    if let Some(table) = table(shader) {
        ctab::print(&table, out);
    }
    let printer = Printer::new(shader, Style::Fxc);
    let _ = writeln!(out, "    {}", shader.version);
    let mut level = 0usize;
    let mut line = String::new();
    let mut check = exact.then(|| exact::Check::new(shader.version));
    for item in shader.sequence() {
        line.clear();
        let mut indent = level;
        let place = match item {
            Item::Comment(i) => {
                if let Some(comment) = shader.comments.get(i).filter(|_| exact) {
                    exact::comment(shader.comment_words(comment), out);
                }
                continue;
            }
            Item::Declaration(i) => shader.declarations.get(i).map(|declaration| {
                printer.declaration(declaration, &mut line);
                (declaration.word, declaration.words)
            }),
            Item::Definition(i) => shader.definitions.get(i).map(|definition| {
                printer.definition(definition, &mut line);
                (definition.word, definition.words)
            }),
            Item::Instruction(i) => shader.instructions.get(i).map(|instruction| {
                if statement::closes(instruction.opcode) {
                    indent = indent.saturating_sub(1);
                }
                level = indent + usize::from(statement::opens(instruction.opcode));
                printer.instruction(instruction, &mut line);
                (instruction.word, instruction.words)
            }),
        };
        let Some((word, words)) = place else { continue };
        out.push_str("    ");
        out.extend(std::iter::repeat_n("  ", indent));
        out.push_str(&line);
        if let Some(check) = &mut check {
            let raw = shader.words.get(word as usize..(word + words) as usize).unwrap_or(&[]);
            check.append(&line, raw, out);
        }
        out.push('\n');
    }
    if exact && shader.trailing_words > 0 {
        exact::trailing(shader.words.get(shader.end as usize + 1..).unwrap_or(&[]), out);
    }
    let slots = shader.slots();
    let plural = if slots.total() == 1 { "slot" } else { "slots" };
    let _ = write!(out, "\n// approximately {} instruction {plural} used", slots.total());
    if slots.texture > 0 {
        let _ = write!(out, " ({} texture, {} arithmetic)", slots.texture, slots.arithmetic);
    }
    out.push('\n');
}

fn compact(shader: &Shader, out: &mut String) {
    let printer = Printer::new(shader, Style::Compact);
    let Version { stage, major, minor } = shader.version;
    let _ = write!(out, "{}_{major}_{minor}", stage.name());
    for item in shader.sequence() {
        if matches!(item, Item::Comment(_)) {
            continue;
        }
        out.push_str("\r\n");
        match item {
            Item::Comment(_) => {}
            Item::Declaration(i) => {
                if let Some(declaration) = shader.declarations.get(i) {
                    printer.declaration(declaration, out);
                }
            }
            Item::Definition(i) => {
                if let Some(definition) = shader.definitions.get(i) {
                    printer.definition(definition, out);
                }
            }
            Item::Instruction(i) => {
                if let Some(instruction) = shader.instructions.get(i) {
                    printer.instruction(instruction, out);
                }
            }
        }
    }
    out.push_str("\r\n");
}

/// The bytes of a comment's payload behind its FourCC, and their offset in the input.
fn payload(shader: &Shader, fourcc: &[u8; 4]) -> Option<(Vec<u8>, u32)> {
    let comment = shader.comment(fourcc)?;
    let words = shader.comment_words(comment).get(1..)?;
    let bytes = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    Some((bytes, shader.span(comment.payload.start + 1, 0).start))
}

/// The shader's constant table. What is wrong with it is for those to say who read it for its own sake.
fn table(shader: &Shader) -> Option<ctab::ConstantTable> {
    let (bytes, base) = payload(shader, b"CTAB")?;
    ctab::parse(&bytes, base, shader.source, &mut Diags::new())
}

fn preshader_block(shader: &Shader, out: &mut String) {
    if let Some((bytes, base)) = payload(shader, b"PRES")
        && let Some(preshader) = preshader::parse(&bytes, base, shader.source, &mut Diags::new())
    {
        preshader::print(&preshader, out);
        out.push('\n');
    }
}

fn bare(version: Version) -> Printer {
    Printer { version, style: Style::Fxc, samplers: [SamplerKind::Unknown; 16] }
}

/// One instruction in the fxc style, without indentation: the excerpt of diagnostics.
pub fn instruction_text(version: Version, instruction: &Instruction) -> String {
    let mut out = String::new();
    bare(version).instruction(instruction, &mut out);
    out
}

/// One dcl in the fxc style.
pub fn declaration_text(version: Version, declaration: &Declaration) -> String {
    let mut out = String::new();
    bare(version).declaration(declaration, &mut out);
    out
}

/// One def, defi or defb in the fxc style.
pub fn definition_text(version: Version, definition: &Definition) -> String {
    let mut out = String::new();
    bare(version).definition(definition, &mut out);
    out
}
