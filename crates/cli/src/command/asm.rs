//! `aquatint asm`.

use crate::args::low;
use crate::codes;
use crate::exit::{Exit, Failure, working_on};
use crate::files;
use crate::report::Reporter;
use crate::stream::{self, Assembly};
use crate::uniforms;
use aquatint::Session;
use aquatint::base::Diagnostic;
use aquatint::d3d9::ctab::ConstantTable;
use aquatint::d3d9::tokens::Version;
use std::path::Path;

/// Assembles a text.
pub fn run(low: &low::Asm, report: &Reporter) -> Result<Exit, Failure> {
    files::forbid_terminal(low.output.as_deref(), "bytecode")?;
    let text = files::read(&low.input)?;
    let name = files::display(&low.input);
    working_on(&name);
    let warnings = low.warnings == low::Warnings::All;
    let mut options =
        Assembly { strict: low.strict, include: low.include.clone(), defines: low.define.clone(), ctab: None };
    let mut session = Session::new();
    let mut bytes = stream::assemble(&mut session, &name, &text, &options);
    if let (Some(first), Some(path)) = (&bytes, &low.ctab) {
        options.ctab = Some(table(path, first)?);
        session = Session::new();
        bytes = stream::assemble(&mut session, &name, &text, &options);
    }
    report.session(&session.diags, &session.sources, warnings);
    let Some(bytes) = bytes else { return Ok(Exit::Diagnostics) };
    files::write(low.output.as_deref(), &bytes)?;
    Ok(Exit::Ok)
}

/// The constant table in a JSON file, for the shader that `bytes` begin.
fn table(path: &Path, bytes: &[u8]) -> Result<ConstantTable, Failure> {
    let json = files::read(path)?;
    let name = files::display(path);
    let word = bytes.first_chunk::<4>().map_or(0, |word| u32::from_le_bytes(*word));
    let target = Version::from_word(word).map_or("", Version::name);
    let fail = |error: String| {
        Failure::File(Box::new(Diagnostic::error(&codes::AQ0009, format!("constant table '{name}': {error}"))))
    };
    let json = serde_json::from_slice(&json).map_err(|error| fail(error.to_string()))?;
    uniforms::table(&json, word, target).map_err(fail)
}
