//! Messages to standard error, in the format and colour that was asked for.

use crate::args::low::{Cli, ColorChoice, ErrorFormat};
use crate::exit::Exit;
use anstream::AutoStream;
use aquatint::base::render::{self, Look};
use aquatint::base::{Diagnostic, Diags, Severity, Sources};
use clap::CommandFactory;
use std::io::{IsTerminal, Write};
use std::sync::Mutex;

/// Prints messages. JSON is one array a run, so it is kept until the end.
#[derive(Debug)]
pub struct Reporter {
    format: ErrorFormat,
    look: Look,
    /// Objects of the JSON array, each without its comma.
    kept: Mutex<Vec<String>>,
    silent: bool,
}

impl Reporter {
    /// A reporter to standard error.
    pub fn new(format: ErrorFormat, color: ColorChoice) -> Self {
        let stderr = std::io::stderr();
        let colour = match color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            // Looks for a terminal, NO_COLOR, CLICOLOR and TERM.
            ColorChoice::Auto => AutoStream::choice(&stderr) != anstream::ColorChoice::Never,
        };
        let width = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).filter(|&w| w >= 40);
        let look = Look { colour, width: width.unwrap_or(120) };
        Self { format, look, kept: Mutex::default(), silent: false }
    }

    /// A reporter that prints nothing.
    #[cfg(test)]
    pub fn silent() -> Self {
        let look = Look { colour: false, width: 120 };
        Self { format: ErrorFormat::Short, look, kept: Mutex::default(), silent: true }
    }

    /// Whether standard error is a terminal where progress may be drawn.
    pub fn shows_progress(&self) -> bool {
        !self.silent && self.format == ErrorFormat::Human && std::io::stderr().is_terminal()
    }

    /// Reports the messages of one session.
    pub fn session(&self, diags: &Diags, sources: &Sources, warnings: bool) {
        if let Some(text) = self.render(diags, sources, warnings) {
            self.print(&text);
        }
    }

    /// The messages of one session as text to hand to [`Reporter::print`]; `None` where there is nothing to say.
    pub fn render(&self, diags: &Diags, sources: &Sources, warnings: bool) -> Option<String> {
        let errors: Diags;
        let diags = if warnings || diags.warnings() == 0 {
            diags
        } else {
            errors = only_errors(diags);
            &errors
        };
        if diags.is_empty() {
            return None;
        }
        let mut text = match self.format {
            ErrorFormat::Human => render::human(diags, sources, self.look),
            ErrorFormat::Short => render::short(diags, sources),
            ErrorFormat::Json => {
                let text = render::json(diags, sources);
                let inner = text.trim().trim_start_matches('[').trim_end_matches(']').trim();
                return Some(inner.to_owned());
            }
        };
        if !text.ends_with('\n') {
            text.push('\n');
        }
        Some(text)
    }

    /// Prints what [`Reporter::render`] made.
    pub fn print(&self, text: &str) {
        if self.silent {
            return;
        }
        if self.format == ErrorFormat::Json {
            if let Ok(mut kept) = self.kept.lock() {
                kept.push(text.to_owned());
            }
            return;
        }
        // Nowhere is left to say that standard error is closed.
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
    }

    /// Reports a message that is about no place in an input.
    pub fn one(&self, diagnostic: Diagnostic) {
        let mut diags = Diags::new();
        diags.push(diagnostic);
        self.session(&diags, &Sources::new(), true);
    }

    /// Reports a command line that makes no sense.
    pub fn usage(&self, message: &str) -> Exit {
        if self.format == ErrorFormat::Json {
            let mut object = String::from("{\"code\": \"usage\", \"severity\": \"error\", \"message\": ");
            render::json_string(&mut object, message);
            object.push_str(", \"notes\": []}");
            self.print(&object);
            return Exit::Usage;
        }
        let error = Cli::command().error(clap::error::ErrorKind::ValueValidation, message);
        let _ = error.print();
        Exit::Usage
    }

    /// A line to people alone: nothing that a program would read.
    pub fn note(&self, text: &str) {
        if !self.silent && self.format != ErrorFormat::Json {
            let _ = writeln!(std::io::stderr(), "{text}");
        }
    }

    /// Ends the report.
    pub fn finish(&self) {
        if self.format != ErrorFormat::Json || self.silent {
            return;
        }
        let kept = self.kept.lock().map(|mut kept| std::mem::take(&mut *kept)).unwrap_or_default();
        let text = if kept.is_empty() { "[]\n".to_owned() } else { format!("[\n  {}\n]\n", kept.join(",\n  ")) };
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
    }
}

fn only_errors(diags: &Diags) -> Diags {
    let mut errors = Diags::new();
    errors.keep = diags.keep;
    for diagnostic in diags.iter().filter(|d| d.severity == Severity::Error) {
        errors.push(diagnostic.clone());
    }
    errors
}
