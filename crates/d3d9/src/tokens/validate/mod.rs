//! What a decoded shader may not do.
//!
//! [`structural`] reports errors: forms without a meaning (E-WRITE, E-OPERAND, E-DCL, E-COISSUE, E-PHASE). [`decode()`](super::decode())
//! calls it. [`profile`] reports what the real assembler or runtime validator refuses although the meaning is clear.

mod limits;
mod modifiers;
mod profile;
mod structural;
mod texture_1x;
mod usage;

pub use profile::profile;
pub use structural::structural;

use super::{Declaration, Definition, Instruction, Shader};
use aquatint_base::{Code, Diagnostic, Diags, Severity};

/// Where a finding is.
#[derive(Clone, Copy)]
enum Place<'a> {
    Instruction(&'a Instruction),
    Declaration(&'a Declaration),
    Definition(&'a Definition),
}

/// Reports a finding with its place, its text and a hint.
#[cold]
fn report(
    shader: &Shader,
    place: Place<'_>,
    severity: Severity,
    code: &'static Code,
    message: String,
    help: &'static str,
    diags: &mut Diags,
) {
    use crate::disassemble::{declaration_text, definition_text, instruction_text};
    let (word, words, excerpt) = match place {
        Place::Instruction(i) => (i.word, i.words, instruction_text(shader.version, i)),
        Place::Declaration(d) => (d.word, d.words, declaration_text(shader.version, d)),
        Place::Definition(d) => (d.word, d.words, definition_text(shader.version, d)),
    };
    let span = shader.span(word, words);
    let label = format!("word {word}, byte {}", span.start);
    diags.push(Diagnostic::new(severity, code, message).at_excerpt(span, label, excerpt).help(help));
}
