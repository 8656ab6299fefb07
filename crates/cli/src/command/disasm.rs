//! `aquatint disasm`.

use crate::args::low;
use crate::exit::{Exit, Failure, working_on};
use crate::files;
use crate::report::Reporter;
use crate::stream::{self, Assembly};
use aquatint::base::{Diagnostic, SourceId, Span};
use aquatint::d3d9::disassemble::{Options, Style, disassemble};
use aquatint::{Language, Session};

/// Prints a shader as assembly.
pub fn run(low: &low::Disasm, report: &Reporter) -> Result<Exit, Failure> {
    let bytes = files::read(&low.input)?;
    let name = files::display(&low.input);
    working_on(&name);
    let mut session = Session::new();
    if Language::detect(&bytes) == Some(Language::Effect) {
        let source = session.sources.add(aquatint::base::Source::binary(name.as_str(), bytes.len()));
        let message = "this is an effect, which holds shaders and is not one itself";
        session.diags.push(
            Diagnostic::error(&aquatint::codes::AQ0008, message)
                .at(Span::new(source, 0, 0), "")
                .help("`aquatint effect show FILE` prints it with its shaders"),
        );
        report.session(&session.diags, &session.sources, true);
        return Ok(Exit::Diagnostics);
    }
    let shader = stream::decode(&mut session, &name, &bytes, &Assembly::default());
    report.session(&session.diags, &session.sources, true);
    let Some(shader) = shader else { return Ok(Exit::Diagnostics) };
    let style = match low.style {
        low::Style::Fxc => Style::Fxc,
        low::Style::Compact => Style::Compact,
    };
    let text = disassemble(&shader, &Options { style, exact: low.exact });
    files::write(low.output.as_deref(), text.as_bytes())?;
    Ok(Exit::Ok)
}

/// A shader's bytes as assembly, or as a comment that says why not.
pub fn lines(bytes: &[u8]) -> String {
    let mut diags = aquatint::base::Diags::new();
    match aquatint::d3d9::tokens::decode(bytes, SourceId(0), &Default::default(), &mut diags) {
        Some(shader) => disassemble(&shader, &Options::default()),
        None => {
            let why = diags.iter().next().map_or_else(String::new, |d| format!(": {}", d.message));
            format!("// {} bytes that do not decode{why}\n", bytes.len())
        }
    }
}
