//! `aquatint pass`.

use super::cat;
use crate::args::low;
use crate::exit::{Exit, Failure};
use crate::files;
use crate::report::Reporter;
use aquatint::base::Sources;
use aquatint::ir;
use aquatint::passes::run::Options;
use aquatint::passes::{Runner, pipeline};

/// Runs a pass on a module and prints what comes out.
pub fn run(low: &low::Pass, report: &Reporter) -> Result<Exit, Failure> {
    let Some(pass) = pipeline::find(&low.name) else {
        return Err(Failure::Usage(format!("there is no pass '{}'", low.name)));
    };
    let mut read = cat::read(&low.input, report)?;
    let options = Options { verify: true, stress: low.stress };
    let mut runner = Runner::new(&mut read.module).with_options(options);
    let _ = runner.pass(pass.name, pass.run);
    let failed = runner.failed();
    let (_, diags) = runner.finish();
    report.session(&diags, &Sources::new(), true);
    if failed {
        return Ok(Exit::Bug);
    }
    files::write(low.output.as_deref(), ir::text::print(&read.module).as_bytes())?;
    Ok(Exit::Ok)
}
