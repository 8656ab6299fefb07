//! `aquatint completions`.

use crate::args::low::{Cli, Completions};
use crate::exit::{Exit, Failure};
use crate::files;
use clap::CommandFactory;

/// Writes the completions.
pub fn run(low: &Completions) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(low.shell, &mut Cli::command(), "aquatint", &mut script);
    files::standard_output(&script)?;
    Ok(Exit::Ok)
}
