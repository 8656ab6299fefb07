//! The program `aquatint`: translates, inspects and draws shaders.
//!
//! | module | holds |
//! |---|---|
//! | [`args`] | what was typed (`low`), and what it means (`high`) |
//! | [`command`] | one file a subcommand |
//! | [`stream`] | from a file of any kind to a Direct3D 9 token stream |
//! | [`report`] | messages, in the format and colour that was asked for |
//! | [`files`] | reading inputs, writing outputs whole or not at all |
//! | [`exit`] | exit codes, failures, and what happens on a panic |
//! | [`uniforms`] | values and constant tables from JSON |
//! | [`codes`] | the codes of messages that only this program gives |

mod args;
mod codes;
mod command;
mod exit;
mod files;
mod report;
mod stream;
mod uniforms;

use args::low::Cli;
use clap::Parser;
use exit::{Exit, Failure};
use report::Reporter;
use std::process::ExitCode;

fn main() -> ExitCode {
    let low = Cli::parse();
    let report = Reporter::new(low.error_format, low.color);
    let exit = exit::guarded(&report, || match command::run(&low.command, &report) {
        Ok(exit) => exit,
        Err(Failure::Usage(message)) => report.usage(&message),
        Err(Failure::File(diagnostic)) => {
            report.one(*diagnostic);
            Exit::Files
        }
        Err(Failure::Shader(diagnostic)) => {
            report.one(*diagnostic);
            Exit::Diagnostics
        }
        Err(Failure::Reported(exit)) => exit,
    });
    report.finish();
    exit.into()
}
