//! Modules from text.

use crate::difference;
use aquatint_base::render::{self, Look};
use aquatint_base::{Diags, Limits, Source, SourceId, Sources};
use aquatint_ir::{Module, text, verify};

/// Messages as people see them, with the lines of the text that they are about.
pub fn rendered(name: &str, input: &str, diags: &Diags) -> String {
    let mut sources = Sources::new();
    sources.add(Source::text(name, input));
    render::human(diags, &sources, Look::default())
}

/// Reads a module that may break rules.
///
/// # Errors
/// What the reader says, in place.
pub fn read(name: &str, input: &str) -> Result<Module, String> {
    let mut diags = Diags::new();
    let module = text::parse(input, SourceId(0), &Limits::default(), &mut diags);
    module.ok_or_else(|| rendered(name, input, &diags))
}

/// Reads a module and verifies it.
///
/// # Errors
/// What the reader or the verifier says, in place.
pub fn parse(name: &str, input: &str) -> Result<Module, String> {
    let module = read(name, input)?;
    let mut diags = Diags::new();
    if verify::verify(&module, &mut diags) { Ok(module) } else { Err(rendered(name, input, &diags)) }
}

/// Verifies a module that came from elsewhere.
///
/// # Errors
/// The rules that it breaks, in the module's text.
pub fn check(module: &Module) -> Result<(), String> {
    let Err(found) = verify::check(module) else { return Ok(()) };
    let said: Vec<String> = found.iter().map(|d| format!("{} {}", d.code.id, d.message)).collect();
    Err(format!("{}\n{}", said.join("\n"), text::print(module)))
}

/// Prints a module, reads it back, and compares: with and without names.
///
/// # Errors
/// What the reader says, or that the module is another one.
pub fn round_trip(module: &Module) -> Result<(), String> {
    for names in [true, false] {
        let options = text::Options { names, ..text::Options::default() };
        let printed = text::print_with(module, options);
        let back = read("printed", &printed)?;
        let again = text::print_with(&back, options);
        if !text::equal(module, &back) || again != printed {
            let shown = difference::lines(&printed, &again);
            return Err(format!("the printed module reads back as another one:\n{shown}\n{printed}"));
        }
    }
    Ok(())
}
