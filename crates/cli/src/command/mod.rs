//! The subcommands, one a file.

mod asm;
mod cat;
mod compile;
mod completions;
mod disasm;
mod effect;
mod explain;
mod info;
mod pass;
mod passes;
mod render;

use crate::args::low::Command;
use crate::exit::{Exit, Failure};
use crate::report::Reporter;

/// Runs a subcommand.
pub fn run(command: &Command, report: &Reporter) -> Result<Exit, Failure> {
    match command {
        Command::Compile(low) => compile::run(low, report),
        Command::Render(low) => render::run(low, report),
        Command::Disasm(low) => disasm::run(low, report),
        Command::Asm(low) => asm::run(low, report),
        Command::Effect(low) => effect::run(low, report),
        Command::Info(low) => info::run(low, report),
        Command::Explain(low) => explain::run(low, report),
        Command::Passes(_) => passes::run(),
        Command::Cat(low) => cat::run(low, report),
        Command::Pass(low) => pass::run(low, report),
        Command::Completions(low) => completions::run(low),
    }
}
