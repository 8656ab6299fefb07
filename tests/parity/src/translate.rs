//! Bytecode to a cleaned module, as a caller of the translator does it.

use aquatint_base::{Diags, SourceId};
use aquatint_d3d9::lower::{self, Lowered};
use aquatint_d3d9::tokens::{self, DecodeOptions, Shader};
use aquatint_ir::Module;
use aquatint_passes::{Level, Runner, optimise};
use aquatint_testkit::parity::Failure;

/// The messages of a list, errors first, in one line.
pub fn reason(diags: &Diags) -> String {
    let errors = diags.iter().filter(|d| d.severity == aquatint_base::Severity::Error);
    errors.map(|d| format!("{} {}", d.code.id, d.message)).next().unwrap_or_else(|| "no reason given".to_owned())
}

/// A writer's refusal: the first error.
pub fn refusal(diags: &Diags) -> Failure {
    match diags.iter().find(|d| d.severity == aquatint_base::Severity::Error) {
        Some(d) => Failure::Refused { code: d.code.id.to_owned(), message: d.message.clone() },
        None => Failure::Failed("refused without a reason".to_owned()),
    }
}

/// Decodes a stream.
///
/// # Errors
/// The first error's code and message.
pub fn decode(bytes: &[u8]) -> Result<Shader, String> {
    let mut diags = Diags::new();
    tokens::decode(bytes, SourceId::default(), &DecodeOptions::default(), &mut diags).ok_or_else(|| reason(&diags))
}

/// Lowers a shader and runs the default passes.
///
/// # Errors
/// The first error's code and message; a module that breaks a rule of the IR is one.
pub fn lower(shader: &Shader, options: &lower::Options) -> Result<Lowered, String> {
    let mut lowered = lower_only(shader, options)?;
    verify(&lowered.module)?;
    clean(&mut lowered.module)?;
    Ok(lowered)
}

/// Lowers a shader and nothing more.
///
/// # Errors
/// The first error's code and message.
pub fn lower_only(shader: &Shader, options: &lower::Options) -> Result<Lowered, String> {
    let mut diags = Diags::new();
    lower::lower(shader, options, &mut diags).ok_or_else(|| reason(&diags))
}

/// Runs the default passes.
///
/// # Errors
/// The rule that a pass broke.
pub fn clean(module: &mut Module) -> Result<(), String> {
    let mut runner = Runner::new(module);
    let _ = optimise(Level::Default, &mut runner);
    let failed = runner.failed();
    let (_, diags) = runner.finish();
    if failed { Err(reason(&diags)) } else { Ok(()) }
}

/// Checks the rules of the IR.
///
/// # Errors
/// The first rule that is broken.
pub fn verify(module: &Module) -> Result<(), String> {
    let mut diags = Diags::new();
    if aquatint_ir::verify::verify(module, &mut diags) { Ok(()) } else { Err(format!("verifier: {}", reason(&diags))) }
}
