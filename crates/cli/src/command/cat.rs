//! `aquatint cat`.

use crate::args::low;
use crate::exit::{Exit, Failure, working_on};
use crate::files;
use crate::report::Reporter;
use aquatint::{Input, Language, Options, Read, Session, Target, ir};
use std::path::Path;

/// Reads, checks and prints a module.
pub fn run(low: &low::Cat, report: &Reporter) -> Result<Exit, Failure> {
    let read = read(&low.input, report)?;
    files::write(low.output.as_deref(), ir::text::print(&read.module).as_bytes())?;
    Ok(Exit::Ok)
}

/// Reads and checks a module of the intermediate representation.
pub fn read(input: &Path, report: &Reporter) -> Result<Read, Failure> {
    read_bytes(&files::display(input), &files::read(input)?, report)
}

/// [`read`] for what was read already.
pub fn read_bytes(name: &str, bytes: &[u8], report: &Reporter) -> Result<Read, Failure> {
    working_on(name);
    let mut session = Session::new();
    let read = session.read(&Input { name, bytes, language: Some(Language::Ir) }, &Options::new(Target::Ir));
    report.session(&session.diags, &session.sources, true);
    read.ok_or(Failure::Reported(Exit::Diagnostics))
}
