//! The program `aquatint-metal-check`: refuses Metal sources that Apple's compiler would refuse.

use aquatint_metal_cpu::check::{CheckError, Options, Report, Rule, check};
use serde_json::json;
use std::io::{Read, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

const HELP: &str = "\
Checks Metal sources against the Metal Shading Language 2.4: compiles them with clang against this project's headers, and
looks for breaches of the rules that C++ does not know.

Usage: aquatint-metal-check [OPTIONS] FILE...

Arguments:
  FILE...                A Metal source; `-` is standard input

Options:
  -q, --quiet            Print nothing; the exit code says it
      --json             Print one JSON object for all files, on standard output
      --warnings         Print clang's warnings, too
      --std VERSION      Language version: 2.4, 3.0, 3.1 or 3.2 [default: 2.4]
  -D, --define NAME[=V]  Define a macro
      --no-compile       Check the rules alone, without clang's compilation
  -j, --jobs N           Check N files at once [default: as many as there are processors]
      --rules            List the rules with the sections that they stem from
  -h, --help             Print this help
  -V, --version          Print the version

A finding is printed as PATH:LINE:COLUMN: error[RULE]: MESSAGE (MSL 2.4, SECTION).

Exit codes:
  0  every file is accepted
  1  a file breaks a rule
  2  the command line makes no sense
  3  a file cannot be read, or clang is missing

Environment:
  AQUATINT_CLANG         The clang to use instead of the one that is found
";

struct Arguments {
    files: Vec<String>,
    options: Options,
    quiet: bool,
    json: bool,
    warnings: bool,
    jobs: usize,
}

/// What to do: check, or print a text and leave.
enum Wanted {
    Check(Arguments),
    Print(String),
}

fn main() -> ExitCode {
    match arguments(std::env::args().skip(1)) {
        Ok(Wanted::Print(text)) => ExitCode::from(if print(&text) { 0 } else { 3 }),
        Ok(Wanted::Check(arguments)) => ExitCode::from(run(&arguments)),
        Err(problem) => {
            eprintln!("error: {problem}\n\nTry `aquatint-metal-check --help`.");
            ExitCode::from(2)
        }
    }
}

fn arguments(given: impl Iterator<Item = String>) -> Result<Wanted, String> {
    let jobs = std::thread::available_parallelism().map_or(2, usize::from);
    let options = Options::default();
    let mut result = Arguments { files: Vec::new(), options, quiet: false, json: false, warnings: false, jobs };
    let mut given = given.peekable();
    let mut only_files = false;
    while let Some(argument) = given.next() {
        if only_files || argument == "-" || !argument.starts_with('-') {
            result.files.push(argument);
            continue;
        }
        // `--option=value`; `-DNAME`, `-j4`.
        let (name, mut value) = match argument.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name.to_owned(), Some(value.to_owned())),
            _ if argument.len() > 2 && (argument.starts_with("-D") || argument.starts_with("-j")) => {
                (argument[..2].to_owned(), Some(argument[2..].to_owned()))
            }
            _ => (argument, None),
        };
        let takes_value = matches!(name.as_str(), "--std" | "-D" | "--define" | "-j" | "--jobs");
        if takes_value && value.is_none() {
            value = Some(given.next().ok_or_else(|| format!("`{name}` needs a value"))?);
        } else if !takes_value && value.is_some() {
            return Err(format!("`{name}` takes no value"));
        }
        let value = value.unwrap_or_default();
        match name.as_str() {
            "--" => only_files = true,
            "-q" | "--quiet" => result.quiet = true,
            "--json" => result.json = true,
            "--warnings" => result.warnings = true,
            "--no-compile" => result.options.compile = false,
            "-D" | "--define" => result.options.defines.push(value),
            "--std" => {
                result.options.language_version = match value.trim_start_matches("metal") {
                    "2.4" => 240,
                    "3.0" => 300,
                    "3.1" => 310,
                    "3.2" => 320,
                    _ => return Err(format!("`{value}` is no language version: 2.4, 3.0, 3.1 or 3.2")),
                };
            }
            "-j" | "--jobs" => {
                result.jobs = value
                    .parse()
                    .ok()
                    .filter(|&jobs| jobs > 0)
                    .ok_or_else(|| format!("`{value}` is no number of jobs"))?;
            }
            "--rules" => return Ok(Wanted::Print(rules())),
            "-h" | "--help" => return Ok(Wanted::Print(HELP.to_owned())),
            "-V" | "--version" => {
                return Ok(Wanted::Print(concat!("aquatint-metal-check ", env!("CARGO_PKG_VERSION"), "\n").into()));
            }
            _ => return Err(format!("there is no option `{name}`")),
        }
    }
    if result.files.is_empty() {
        return Err("no file is given".into());
    }
    Ok(Wanted::Check(result))
}

fn rules() -> String {
    Rule::ALL
        .iter()
        .map(|rule| format!("{}\n    {} (MSL 2.4, {})\n", rule.name(), rule.says(), rule.section()))
        .collect()
}

/// Whether standard output took the text; that its reader has left is no failure.
fn print(text: &str) -> bool {
    let written = std::io::stdout().lock().write_all(text.as_bytes());
    written.map_or_else(|error| error.kind() == std::io::ErrorKind::BrokenPipe, |()| true)
}

/// What became of a file.
enum Outcome {
    Checked(Report),
    Unreadable(String),
    Failed(CheckError),
}

fn outcome(file: &str, options: &Options) -> Outcome {
    let mut bytes = Vec::new();
    let read = if file == "-" {
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| ())
    } else {
        std::fs::read(file).map(|content| bytes = content)
    };
    if let Err(error) = read {
        return Outcome::Unreadable(error.to_string());
    }
    let Ok(text) = String::from_utf8(bytes) else { return Outcome::Unreadable("is no UTF-8 text".into()) };
    match check(&text, options) {
        Ok(report) => Outcome::Checked(report),
        Err(error) => Outcome::Failed(error),
    }
}

fn run(arguments: &Arguments) -> u8 {
    let next = AtomicUsize::new(0);
    let outcomes: Mutex<Vec<Option<Outcome>>> = Mutex::new(arguments.files.iter().map(|_| None).collect());
    std::thread::scope(|scope| {
        for _ in 0..arguments.jobs.min(arguments.files.len()) {
            scope.spawn(|| {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(file) = arguments.files.get(place) else { break };
                    let outcome = outcome(file, &arguments.options);
                    outcomes.lock().unwrap_or_else(PoisonError::into_inner)[place] = Some(outcome);
                }
            });
        }
    });
    let outcomes = outcomes.into_inner().unwrap_or_else(PoisonError::into_inner);
    let (mut code, mut text, mut files) = (0, String::new(), Vec::new());
    for (file, outcome) in arguments.files.iter().zip(outcomes.into_iter().flatten()) {
        let file = if file == "-" { "<stdin>" } else { file };
        match outcome {
            Outcome::Checked(report) => {
                code = code.max(u8::from(!report.accepted()));
                show(file, &report, arguments, &mut text);
                files.push(as_json(file, &report));
            }
            Outcome::Unreadable(error) | Outcome::Failed(CheckError(error)) => {
                code = 3;
                eprintln!("error: {file}: {error}");
                files.push(json!({ "path": file, "error": error }));
            }
        }
    }
    if arguments.json {
        text = format!("{:#}\n", json!({ "language": arguments.options.language_version, "files": files }));
    }
    if !arguments.quiet && !print(&text) {
        code = 3;
    }
    code
}

fn show(file: &str, report: &Report, arguments: &Arguments, text: &mut String) {
    for finding in &report.findings {
        text.push_str(&format!("{file}:{finding}\n"));
    }
    if arguments.warnings {
        for (line, column, warning) in &report.warnings {
            text.push_str(&format!("{file}:{line}:{column}: warning: {warning}\n"));
        }
    }
}

fn as_json(file: &str, report: &Report) -> serde_json::Value {
    let findings: Vec<_> = report
        .findings
        .iter()
        .map(|finding| {
            json!({
                "line": finding.line,
                "column": finding.column,
                "rule": finding.rule.name(),
                "section": finding.rule.section(),
                "message": finding.message,
            })
        })
        .collect();
    let warnings: Vec<_> = report
        .warnings
        .iter()
        .map(|(line, column, message)| json!({ "line": line, "column": column, "message": message }))
        .collect();
    json!({ "path": file, "accepted": report.accepted(), "findings": findings, "warnings": warnings })
}
