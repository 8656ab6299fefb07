//! Checks a Metal source as Apple's compiler would: what C++ and the headers refuse, and the rules of the Metal Shading
//! Language 2.4 that C++ does not know.
//!
//! The first half is clang's ([`crate::clang`]). The second reads the source's tokens ([`syntax`]): a full AST holds all of the
//! headers and takes seconds to read, and no rule here needs the type of an expression.

mod body;
mod built_in;
mod calls;
mod interface;
mod lex;
mod preprocess;
pub mod rules;
mod scope;
mod syntax;
mod types;

use crate::clang::{self, CompileOptions, Severity};
pub use rules::Rule;
use std::fmt;
use syntax::{Tokens, Unit};

/// How to check.
#[derive(Clone, Debug)]
pub struct Options {
    /// 240 for MSL 2.4; 300, 310 or 320 for sources that need more.
    pub language_version: u32,
    /// Macros: `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Whether clang compiles the source, too; without, only the rules of [`Rule`] are checked.
    pub compile: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { language_version: 240, defines: Vec::new(), compile: true }
    }
}

/// A place where a source breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// Line from 1; 0 where it is about no place.
    pub line: u32,
    /// Column from 1, in bytes.
    pub column: u32,
    /// The rule.
    pub rule: Rule,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding { line, column, rule, message } = self;
        write!(f, "{line}:{column}: error[{}]: {message} (MSL 2.4, {})", rule.name(), rule.section())
    }
}

/// What a check found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Breaches, by place.
    pub findings: Vec<Finding>,
    /// Clang's warnings: line, column, text.
    pub warnings: Vec<(u32, u32, String)>,
}

impl Report {
    /// No rule is broken.
    pub fn accepted(&self) -> bool {
        self.findings.is_empty()
    }
}

/// A check that could not be made: clang is missing, or does not take the headers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckError(pub String);

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CheckError {}

/// Checks a source.
///
/// # Errors
///
/// Where clang is missing or fails by itself. A source that breaks a rule is a [`Report`] with findings.
pub fn check(text: &str, options: &Options) -> Result<Report, CheckError> {
    let mut report = Report::default();
    let source = preprocess::preprocess(text, options.language_version, &options.defines);
    let unit = Unit::new(&source);
    let mut out = Findings { unit: &unit, found: Vec::new() };
    interface::check(&mut out);
    scope::check(&mut out);
    body::check(&mut out);
    calls::check(&mut out);
    report.findings = out.found;
    if options.compile {
        let compile = CompileOptions {
            language_version: options.language_version,
            defines: options.defines.clone(),
            ..CompileOptions::default()
        };
        let messages = match clang::compile(text, &compile) {
            Ok(compiled) => compiled.warnings,
            Err(messages) => messages,
        };
        let placed = messages.iter().any(|message| message.severity == Severity::Error && message.line > 0);
        for message in messages {
            let (line, column) = (message.line as u32, message.column as u32);
            if message.severity == Severity::Warning {
                report.warnings.push((line, column, message.text));
            } else if line == 0 {
                // What follows in a header from an error that has its place says nothing more.
                if !placed {
                    return Err(CheckError(message.text));
                }
            } else if !report.findings.iter().any(|finding| finding.line == line && finding.rule != Rule::Compile) {
                // What a rule says better is not said twice.
                let notes = message.notes.into_iter().take(1);
                let message = std::iter::once(message.text).chain(notes).collect::<Vec<_>>().join("; ");
                report.findings.push(Finding { line, column, rule: Rule::Compile, message });
            }
        }
    }
    report.findings.sort();
    report.findings.dedup();
    Ok(report)
}

/// Findings being collected.
struct Findings<'a> {
    unit: &'a Unit<'a>,
    found: Vec<Finding>,
}

impl Findings<'_> {
    fn add(&mut self, rule: Rule, at: usize, message: String) {
        let (line, column) = self.unit.tokens.get(at).map_or((0, 0), |token| (token.line, token.column));
        let finding = Finding { line, column, rule, message };
        // A struct that two functions use is looked at twice.
        if !self.found.contains(&finding) {
            self.found.push(finding);
        }
    }
}

/// The value of a constant integer: a literal, or a constant of the source that is one.
fn integer(unit: &Unit, range: &Tokens) -> Option<u64> {
    let mut text = unit.text(range.start);
    if range.len() != 1 {
        return None;
    }
    if unit.is_name(range.start) {
        let variable = unit.variables.iter().find(|variable| variable.name == text)?;
        let initialiser = variable.initialiser.clone().filter(|initialiser| initialiser.len() == 1)?;
        text = unit.text(initialiser.start);
    }
    let text = text.trim_end_matches(['u', 'U', 'l', 'L']);
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}
