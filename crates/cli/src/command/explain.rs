//! `aquatint explain`.

use crate::args::{low, values};
use crate::codes;
use crate::exit::{Exit, Failure};
use crate::files;
use crate::report::Reporter;
use aquatint::base::{Code, Kind};

/// Columns of the text.
const WIDTH: usize = 96;

/// Explains a code, or lists all.
pub fn run(low: &low::Explain, _report: &Reporter) -> Result<Exit, Failure> {
    let all = codes::all();
    let Some(wanted) = low.code.as_deref().filter(|_| !low.list) else {
        let lines: String = all.iter().map(|code| format!("{:<14} {}\n", code.id, code.title)).collect();
        files::standard_output(lines.as_bytes())?;
        return Ok(Exit::Ok);
    };
    match all.iter().find(|code| code.id.eq_ignore_ascii_case(wanted)) {
        Some(code) => {
            files::standard_output(text(code).as_bytes())?;
            Ok(Exit::Ok)
        }
        None => {
            let near = values::nearest(wanted, all.iter().map(|code| code.id));
            let hint = near.map_or_else(
                || "`aquatint explain --list` lists all codes".to_owned(),
                |near| format!("did you mean '{near}'? `aquatint explain --list` lists all codes"),
            );
            Err(Failure::Usage(format!("there is no code '{wanted}'; {hint}")))
        }
    }
}

fn text(code: &Code) -> String {
    let who = match code.kind {
        Kind::Invalid => "the input or the command line is to be mended",
        Kind::Unsupported => "the target or the version cannot do it",
        Kind::Limit => "the input passes a bound",
        Kind::Bug => "a bug of Aquatint, to be reported",
    };
    format!("{}: {}\n\n{}\n\nKind: {who}.\n", code.id, code.title, wrapped(code.explanation))
}

fn wrapped(text: &str) -> String {
    let mut out = String::new();
    let mut column = 0;
    for word in text.split_whitespace() {
        let width = word.chars().count();
        if column > 0 && column + 1 + width > WIDTH {
            out.push('\n');
            column = 0;
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += width;
    }
    out
}
