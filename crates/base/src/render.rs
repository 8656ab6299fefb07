//! Diagnostics as text.

use crate::diagnostic::{Diagnostic, Diags, Label, Severity};
use crate::source::{Content, Source, Sources};
use annotate_snippets::{AnnotationKind, Element, Level, Message, Origin, Renderer, Snippet};
use std::fmt::Write;

/// How [`human`] draws.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// ANSI colours.
    pub colour: bool,
    /// Columns of the terminal.
    pub width: usize,
}

impl Default for Look {
    fn default() -> Self {
        Self { colour: false, width: 120 }
    }
}

/// Messages with quoted source and carets, in the look of rustc, and a closing line with the counts.
pub fn human(diags: &Diags, sources: &Sources, look: Look) -> String {
    let renderer = if look.colour { Renderer::styled() } else { Renderer::plain() }.term_width(look.width);
    let mut out = String::new();
    for diagnostic in diags {
        human_one(diagnostic, sources, &renderer, &mut out);
        out.push_str("\n\n");
    }
    out.push_str(&summary(diags));
    out
}

fn human_one(diagnostic: &Diagnostic, sources: &Sources, renderer: &Renderer, out: &mut String) {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group =
        level.primary_title(diagnostic.message.as_str()).id(diagnostic.code.id).elements(Vec::<Message>::new());
    for (index, label) in diagnostic.labels.iter().enumerate() {
        let kind = if index == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
        for element in quoted(label, kind, sources) {
            group = group.element(element);
        }
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let mut text = renderer.render(&[group]);
    // A quoted piece of bytecode stands at its word; the renderer would add that as a line and column.
    for label in &diagnostic.labels {
        if let (Some(source), Some(_)) = (sources.get(label.span.source), &label.excerpt) {
            let path = binary_path(label, &source.name);
            text = text.replace(&format!("{path}:{}:1", label.span.start / 4), &path);
        }
    }
    out.push_str(&text);
}

fn binary_path(label: &Label, name: &str) -> String {
    format!("{name}: {}", binary_place(label))
}

fn quoted<'a>(label: &'a Label, kind: AnnotationKind, sources: &'a Sources) -> Vec<Element<'a>> {
    let Some(source) = sources.get(label.span.source) else {
        return match label.text.is_empty() {
            true => Vec::new(),
            false => vec![Level::NOTE.message(label.text.as_str()).into()],
        };
    };
    let annotate = |range: std::ops::Range<usize>| {
        let annotation = kind.span(range);
        if label.text.is_empty() { annotation } else { annotation.label(label.text.as_str()) }
    };
    match &source.content {
        Content::Text(text) => {
            let start = floor_boundary(text, label.span.start as usize);
            let end = floor_boundary(text, (label.span.end as usize).max(start));
            let name = source.presumed(label.span.start).map_or(source.name.as_str(), |(name, _)| name);
            // Behind a `#line` the text is quoted from there on, so that the lines count as it says.
            let (from, line) = source.mark_at(label.span.start).map_or((0, 1), |m| (m.start as usize, m.line as usize));
            let (from, line) = if text.is_char_boundary(from) && from <= start { (from, line) } else { (0, 1) };
            let snippet = Snippet::source(&text[from..]).path(name).line_start(line);
            vec![snippet.annotation(annotate(start - from..end - from)).into()]
        }
        Content::Binary { .. } => {
            let path = binary_path(label, &source.name);
            match &label.excerpt {
                Some(excerpt) => vec![
                    Snippet::source(excerpt.as_str())
                        .path(path)
                        .line_start(label.span.start as usize / 4)
                        .annotation(annotate(0..excerpt.len()))
                        .into(),
                ],
                None if label.text.is_empty() => vec![Origin::path(path).into()],
                None => vec![Origin::path(path).into(), Level::NOTE.message(label.text.as_str()).into()],
            }
        }
    }
}

fn floor_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

fn binary_place(label: &Label) -> String {
    let start = label.span.start;
    if start.is_multiple_of(4) { format!("byte {start} (word {})", start / 4) } else { format!("byte {start}") }
}

/// One line a message: `path:line:column: severity CODE: message`, or `path: byte B (word W): …` for bytecode;
/// second places and help follow as `note` and `help` lines.
pub fn short(diags: &Diags, sources: &Sources) -> String {
    let mut out = String::new();
    for diagnostic in diags {
        let first = diagnostic.labels.first();
        let place = first.map_or_else(String::new, |label| place(label, sources));
        let _ = writeln!(
            out,
            "{place}{} {}: {}{}",
            diagnostic.severity.word(),
            diagnostic.code.id,
            diagnostic.message,
            first.and_then(|l| l.excerpt.as_deref()).map_or_else(String::new, |e| format!(" [{e}]"))
        );
        for label in diagnostic.labels.iter().skip(1) {
            let _ = writeln!(out, "{}note: {}", self::place(label, sources), label.text);
        }
        for note in &diagnostic.notes {
            let _ = writeln!(out, "note: {note}");
        }
        if let Some(help) = &diagnostic.help {
            let _ = writeln!(out, "help: {help}");
        }
    }
    out.push_str(&summary(diags));
    out
}

fn place(label: &Label, sources: &Sources) -> String {
    let Some(source) = sources.get(label.span.source) else { return String::new() };
    match presumed(source, label.span.start) {
        Some((name, line, column)) => format!("{name}:{line}:{column}: "),
        None => format!("{}: {}: ", source.name, binary_place(label)),
    }
}

/// Name, line and column as `#line` has them.
fn presumed(source: &Source, offset: u32) -> Option<(&str, u32, u32)> {
    let (name, line) = source.presumed(offset)?;
    Some((name, line, source.line_column(offset)?.1))
}

/// A JSON array of `{code, severity, message, file, line, col, end_line, end_col, byte, end_byte, excerpt, notes,
/// help}`; members that do not apply are absent.
pub fn json(diags: &Diags, sources: &Sources) -> String {
    let mut out = String::from("[");
    for (index, diagnostic) in diags.iter().enumerate() {
        out.push_str(if index == 0 { "\n  {" } else { ",\n  {" });
        member(&mut out, "code", diagnostic.code.id);
        out.push_str(", ");
        member(&mut out, "severity", diagnostic.severity.word());
        out.push_str(", ");
        member(&mut out, "message", &diagnostic.message);
        if let Some(label) = diagnostic.labels.first() {
            json_place(&mut out, label, sources);
        }
        out.push_str(", \"notes\": [");
        let mut separator = "";
        for label in diagnostic.labels.iter().skip(1) {
            let _ = write!(out, "{separator}{{");
            member(&mut out, "message", &label.text);
            json_place(&mut out, label, sources);
            out.push('}');
            separator = ", ";
        }
        for note in &diagnostic.notes {
            let _ = write!(out, "{separator}{{");
            member(&mut out, "message", note);
            out.push('}');
            separator = ", ";
        }
        out.push(']');
        if let Some(help) = &diagnostic.help {
            out.push_str(", ");
            member(&mut out, "help", help);
        }
        out.push('}');
    }
    out.push_str(if diags.iter().next().is_some() { "\n]\n" } else { "]\n" });
    out
}

fn json_place(out: &mut String, label: &Label, sources: &Sources) {
    let Some(source) = sources.get(label.span.source) else { return };
    out.push_str(", ");
    let (start, end) = (presumed(source, label.span.start), presumed(source, label.span.end));
    member(out, "file", start.map_or(source.name.as_str(), |(name, ..)| name));
    match (start, end) {
        (Some((_, line, column)), Some((_, end_line, end_column))) => {
            let _ = write!(
                out,
                ", \"line\": {line}, \"col\": {column}, \"end_line\": {end_line}, \"end_col\": {end_column}"
            );
        }
        _ => {
            let _ = write!(out, ", \"byte\": {}, \"end_byte\": {}", label.span.start, label.span.end);
        }
    }
    if let Some(excerpt) = &label.excerpt {
        out.push_str(", ");
        member(out, "excerpt", excerpt);
    }
}

fn member(out: &mut String, key: &str, value: &str) {
    let _ = write!(out, "\"{key}\": ");
    json_string(out, value);
}

/// Appends `value` as a JSON string.
pub fn json_string(out: &mut String, value: &str) {
    out.push('"');
    for c in value.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if (c as u32) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// `N errors, M warnings`, with what was not kept; empty when there is nothing to say.
pub fn summary(diags: &Diags) -> String {
    if diags.is_empty() {
        return String::new();
    }
    let plural = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    let mut out = format!("{}, {}", plural(diags.errors(), "error"), plural(diags.warnings(), "warning"));
    if diags.dropped() > 0 {
        let _ = write!(out, " ({} not shown)", diags.dropped());
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Code, Kind, Source, Span};

    static REG: Code = Code { id: "E-REG", kind: Kind::Invalid, title: "t", explanation: "e" };

    fn sample() -> (Diags, Sources) {
        let mut sources = Sources::new();
        let text = sources.add(Source::text("a.asm", "ps_2_0\nmov r0, q1\n"));
        let binary = sources.add(Source::binary("water.pso", 400));
        let mut diags = Diags::new();
        diags.push(
            Diagnostic::error(&REG, "unknown register 'q1'")
                .at(Span::new(text, 15, 17), "not a register")
                .help("use r#"),
        );
        diags.push(
            Diagnostic::warning(&REG, "t5 does not exist in ps_1_3")
                .at_excerpt(Span::new(binary, 164, 172), "t0 to t3 exist", "tex t5")
                .note("the shader is ps_1_3"),
        );
        (diags, sources)
    }

    #[test]
    fn human_quotes_text_and_bytecode() {
        let (diags, sources) = sample();
        let text = human(&diags, &sources, Look::default());
        assert_eq!(
            text,
            "error[E-REG]: unknown register 'q1'\n \
             --> a.asm:2:9\n  |\n2 | mov r0, q1\n  |         ^^ not a register\n  |\n  = help: use r#\n\n\
             warning[E-REG]: t5 does not exist in ps_1_3\n  \
             --> water.pso: byte 164 (word 41)\n   |\n41 | tex t5\n   | ^^^^^^ t0 to t3 exist\n   |\n   \
             = note: the shader is ps_1_3\n\n1 error, 1 warning\n"
        );
    }

    #[test]
    fn short_is_a_line_a_message() {
        let (diags, sources) = sample();
        assert_eq!(
            short(&diags, &sources),
            "a.asm:2:9: error E-REG: unknown register 'q1'\nhelp: use r#\n\
             water.pso: byte 164 (word 41): warning E-REG: t5 does not exist in ps_1_3 [tex t5]\n\
             note: the shader is ps_1_3\n1 error, 1 warning\n"
        );
    }

    #[test]
    fn places_are_as_line_directives_have_them_and_the_quoted_line_is_the_physical_one() {
        let mut sources = Sources::new();
        let mut source = Source::text("a.hlsl", "x\n#line 7 \"b.h\"\ny\nz\n");
        source.mark(crate::LineMark { start: 16, line: 7, name: Some("b.h".into()) });
        let id = sources.add(source);
        let mut diags = Diags::new();
        diags.push(Diagnostic::error(&REG, "m").at(Span::new(id, 18, 19), ""));
        assert!(short(&diags, &sources).starts_with("b.h:8:1: error"));
        assert!(json(&diags, &sources).contains("\"file\": \"b.h\", \"line\": 8, \"col\": 1"));
        assert!(human(&diags, &sources, Look::default()).contains("--> b.h:8:1\n  |\n8 | z\n  | ^"));
    }

    #[test]
    fn json_escapes() {
        let mut out = String::new();
        json_string(&mut out, "a\"b\\c\n\u{1}");
        assert_eq!(out, r#""a\"b\\c\n\u0001""#);
        let (diags, sources) = sample();
        assert!(json(&diags, &sources).contains("\"line\": 2, \"col\": 9"));
        assert_eq!(json(&Diags::new(), &sources), "[]\n");
    }
}
