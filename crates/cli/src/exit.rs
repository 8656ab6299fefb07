//! How a run ends: exit codes, the ways to fail, and the net under everything.

use crate::codes;
use crate::report::Reporter;
use aquatint::base::Diagnostic;
use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

/// The end of a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Exit {
    /// Everything was done; there may have been warnings.
    Ok = 0,
    /// An input has errors.
    Diagnostics = 1,
    /// The command line makes no sense.
    Usage = 2,
    /// A file could not be read or written.
    Files = 3,
    /// A bug of ours.
    Bug = 4,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Why a command stopped early.
#[derive(Debug)]
pub enum Failure {
    /// The command line makes no sense; exit code 2.
    Usage(String),
    /// A file could not be read or written; exit code 3.
    File(Box<Diagnostic>),
    /// A shader is at fault where no list of messages is at hand; exit code 1.
    Shader(Box<Diagnostic>),
    /// Everything was said already.
    Reported(Exit),
}

impl Failure {
    /// A file that could not be read.
    pub fn read(name: &str, error: impl std::fmt::Display) -> Failure {
        Failure::File(Box::new(Diagnostic::error(&aquatint::codes::AQ0002, format!("cannot read '{name}': {error}"))))
    }

    /// A file that could not be written.
    pub fn write(name: &str, error: impl std::fmt::Display) -> Failure {
        Failure::File(Box::new(Diagnostic::error(&codes::AQ0007, format!("cannot write '{name}': {error}"))))
    }
}

thread_local! {
    /// What this thread works on, for the report of a panic.
    static INPUT: RefCell<String> = const { RefCell::new(String::new()) };
    /// Where this thread panicked.
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Says what this thread works on from now on.
pub fn working_on(name: &str) {
    INPUT.with_borrow_mut(|input| name.clone_into(input));
}

/// Runs `work`; a panic in it becomes a message that asks for a report, and [`Exit::Bug`].
pub fn guarded(report: &Reporter, work: impl FnOnce() -> Exit) -> Exit {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map_or_else(String::new, |l| format!(" at {}:{}", l.file(), l.line()));
        PLACE.with_borrow_mut(|kept| *kept = place);
    }));
    match caught(work) {
        Ok(exit) => exit,
        Err(bug) => {
            report.one(*bug);
            Exit::Bug
        }
    }
}

/// Runs `work`; a panic in it becomes a message.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Box<Diagnostic>> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| Box::new(bug(payload.as_ref())))
}

fn bug(payload: &(dyn Any + Send)) -> Diagnostic {
    let what = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".to_owned());
    let place = PLACE.with_borrow_mut(std::mem::take);
    let input = INPUT.with_borrow(|input| match input.as_str() {
        "" => String::new(),
        name => format!(" while working on '{name}'"),
    });
    Diagnostic::error(&codes::AQ9000, format!("aquatint broke{input}: {what}{place}"))
        .note(format!("aquatint {}", env!("CARGO_PKG_VERSION")))
        .help(concat!("this is our bug: please report it with the input, at ", env!("CARGO_PKG_REPOSITORY"), "/issues"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_message_that_names_the_input_and_asks_for_a_report() {
        working_on("water.pso");
        let report = Reporter::silent();
        let exit = guarded(&report, || {
            let divisor = std::hint::black_box(0);
            if 1 / divisor == 0 { Exit::Ok } else { Exit::Diagnostics }
        });
        assert_eq!(exit, Exit::Bug);
        let diagnostic = caught(|| panic!("boom {}", 3)).expect_err("it panics");
        assert!(diagnostic.message.contains("'water.pso'") && diagnostic.message.contains("boom 3"));
        assert!(diagnostic.help.as_deref().is_some_and(|help| help.contains("please report")));
        let _ = std::panic::take_hook();
    }

    #[test]
    fn worse_ends_compare_greater() {
        assert!(Exit::Ok < Exit::Diagnostics && Exit::Diagnostics < Exit::Files && Exit::Files < Exit::Bug);
        assert_eq!(
            [Exit::Ok, Exit::Diagnostics, Exit::Usage, Exit::Files, Exit::Bug].map(|e| e as u8),
            [0, 1, 2, 3, 4]
        );
    }
}
