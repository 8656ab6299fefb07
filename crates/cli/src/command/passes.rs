//! `aquatint passes`.

use crate::exit::{Exit, Failure};
use crate::files;
use aquatint::passes::{PASSES, pipeline};

/// Lists the passes, those of the default pipeline with their place in it.
pub fn run() -> Result<Exit, Failure> {
    let mut text = String::new();
    for pass in PASSES {
        let place = pipeline::CLEANING.iter().chain(pipeline::FINISHING).position(|name| *name == pass.name);
        let place = place.map_or_else(|| "  ".to_owned(), |place| format!("{:>2}", place + 1));
        text.push_str(&format!("{place} {:<20} {}\n", pass.name, pass.about));
    }
    text.push_str("\nThe numbers are the order at -O1, where a pass with nothing to do is left out; the others run on request, or\nwhere a target needs them.\n");
    files::standard_output(text.as_bytes())?;
    Ok(Exit::Ok)
}
