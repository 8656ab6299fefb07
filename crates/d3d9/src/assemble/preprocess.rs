//! Comments, macros, conditions and includes (sheet 6.1): text to lines that know where they came from.

mod condition;

use super::AssembleOptions;
use crate::codes;
use aquatint_base::{Diagnostic, Diags, HashMap, SourceId, Span};
use std::borrow::Cow;

/// A text that an `#include` names.
#[derive(Clone, Debug)]
pub struct Include {
    /// The number that the caller has given it, for spans.
    pub source: SourceId,
    /// Its content.
    pub text: String,
}

/// Supplies the texts of `#include "name"` and `#include <name>`. Nothing here reads files.
pub trait Includes {
    /// The text of `name`; `system` for the form in angle brackets.
    fn open(&self, name: &str, system: bool) -> Option<Include>;
}

/// A line after preprocessing.
#[derive(Debug)]
pub(super) struct Line<'a> {
    /// Its text, comments blanked out.
    pub text: Cow<'a, str>,
    source: SourceId,
    /// Byte offset of the line in its source.
    start: u32,
    /// Where macros were expanded: from byte `.0` of the text on, bytes of the line from `.1` on; `.2`: the text is a
    /// macro's, so all of it lies at the one place.
    map: Vec<(u32, u32, bool)>,
}

impl Line<'_> {
    /// The place of a byte range of the text.
    pub fn span(&self, start: usize, end: usize) -> Span {
        let (start, end) = (start as u32, end.max(start) as u32);
        Span::new(self.source, self.start.saturating_add(self.place(start)), self.start.saturating_add(self.place(end)))
    }

    fn place(&self, at: u32) -> u32 {
        let i = self.map.partition_point(|&(out, ..)| out <= at);
        match i.checked_sub(1).and_then(|i| self.map.get(i)) {
            None => at,
            Some(&(_, original, true)) => original,
            Some(&(out, original, false)) => original + (at - out),
        }
    }
}

/// Includes within includes.
const INCLUDE_DEPTH: u32 = 16;
/// Macros within macros.
const MACRO_DEPTH: u32 = 32;
/// Bytes that all expansions and includes of a run may take together: macros double at will.
const BUDGET: usize = 16 << 20;

/// Preprocesses a text.
pub(super) fn preprocess<'a>(
    text: &'a str,
    source: SourceId,
    options: &AssembleOptions<'_>,
    diags: &mut Diags,
) -> Vec<Line<'a>> {
    let macros = options.defines.iter().map(|&(name, body)| (name.to_owned(), body.to_owned())).collect();
    let mut run = Run { options, diags, macros, conditions: Vec::new(), budget: BUDGET, exhausted: false, depth: 0 };
    let mut lines = Vec::new();
    run.text(text, source, &mut |line| lines.push(line));
    lines
}

/// An open `#if`.
struct Condition {
    /// Lines inside are read.
    active: bool,
    /// A branch was taken already, or the whole block is inside one that is not read.
    done: bool,
    /// `#else` was seen.
    otherwise: bool,
    place: Span,
}

struct Run<'r> {
    options: &'r AssembleOptions<'r>,
    diags: &'r mut Diags,
    macros: HashMap<String, String>,
    conditions: Vec<Condition>,
    budget: usize,
    exhausted: bool,
    depth: u32,
}

impl Run<'_> {
    fn error(&mut self, span: Span, message: impl Into<String>, help: &'static str) {
        self.diags.push(Diagnostic::error(&codes::E_PREPROCESS, message).at(span, "").help(help));
    }

    /// Whether lines are read here.
    fn active(&self) -> bool {
        self.conditions.last().is_none_or(|c| c.active)
    }

    /// Takes bytes off the budget; whether they were there.
    fn spend(&mut self, bytes: usize, span: Span) -> bool {
        match self.budget.checked_sub(bytes) {
            Some(left) => {
                self.budget = left;
                true
            }
            None => {
                if !std::mem::replace(&mut self.exhausted, true) {
                    self.error(
                        span,
                        "macros and includes expand beyond 16 MiB",
                        "a macro may name itself through others",
                    );
                }
                false
            }
        }
    }

    fn text<'a>(&mut self, text: &'a str, source: SourceId, emit: &mut dyn FnMut(Line<'a>)) {
        let outer = self.conditions.len();
        let mut in_comment = false;
        let mut start = 0usize;
        let mut lines = text.split_inclusive('\n');
        while let Some(raw) = lines.next() {
            let at = start;
            start += raw.len();
            let line = raw.trim_end_matches(['\n', '\r']);
            if self.exhausted {
                return;
            }
            let clean = strip(line, &mut in_comment);
            if clean.trim_ascii_start().starts_with('#') {
                // A directive goes on behind a backslash at the end of its line.
                let mut whole = clean.into_owned();
                while whole.trim_ascii_end().ends_with('\\') {
                    whole.truncate(whole.trim_ascii_end().len() - 1);
                    let Some(next) = lines.next() else { break };
                    start += next.len();
                    whole.push(' ');
                    whole.push_str(&strip(next.trim_end_matches(['\n', '\r']), &mut in_comment));
                }
                let span = Span::new(source, at as u32, (at + line.len()) as u32);
                self.directive(whole.trim_ascii(), span, emit);
            } else if self.active() && !clean.trim_ascii().is_empty() {
                emit(self.expand_line(clean, source, at as u32));
            }
        }
        while self.conditions.len() > outer {
            let Some(open) = self.conditions.pop() else { break };
            self.error(open.place, "#if without #endif", "add #endif");
        }
    }

    fn directive<'a>(&mut self, text: &str, span: Span, emit: &mut dyn FnMut(Line<'a>)) {
        let text = text.strip_prefix('#').unwrap_or(text).trim_ascii_start();
        let split = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
        let (name, rest) = text.split_at(split);
        let rest = rest.trim_ascii();
        match name {
            "if" | "ifdef" | "ifndef" => {
                if self.conditions.len() >= self.options.limits.nesting {
                    return self.error(span, "conditions nest too deep", "flatten them");
                }
                let outer = self.active();
                let holds = outer
                    && match name {
                        "if" => self.condition(rest, span),
                        _ => self.macros.contains_key(identifier(rest)) == (name == "ifdef"),
                    };
                self.conditions.push(Condition { active: holds, done: holds || !outer, otherwise: false, place: span });
            }
            "elif" | "else" => {
                let Some(last) = self.conditions.last() else {
                    return self.error(span, format!("#{name} without #if"), "remove it");
                };
                if last.otherwise {
                    return self.error(span, format!("#{name} behind #else"), "a block has one #else, at its end");
                }
                let holds = !last.done && (name == "else" || self.condition(rest, span));
                if let Some(last) = self.conditions.last_mut() {
                    last.active = holds;
                    last.done |= holds;
                    last.otherwise = name == "else";
                }
            }
            "endif" => {
                if self.conditions.pop().is_none() {
                    self.error(span, "#endif without #if", "remove it");
                }
            }
            _ if !self.active() => {}
            "define" => {
                let macro_name = identifier(rest);
                let body = rest.get(macro_name.len()..).unwrap_or("");
                if macro_name.is_empty() || body.starts_with('(') {
                    return self.error(span, "expected #define NAME text", "macros take no parameters here");
                }
                self.macros.insert(macro_name.to_owned(), body.trim_ascii().to_owned());
            }
            "undef" => {
                self.macros.remove(identifier(rest));
            }
            "include" => self.include(rest, span, emit),
            // Positions stay those of the text that we were given.
            "line" | "pragma" | "" => {}
            "error" => self.error(span, format!("#error {rest}"), "the text asks for this error"),
            _ => self.error(
                span,
                format!("unknown directive #{name}"),
                "there are #define #undef #if #ifdef #ifndef #elif #else #endif #include #line",
            ),
        }
    }

    fn condition(&mut self, text: &str, span: Span) -> bool {
        let Some(text) = self.expand_condition(text, span) else { return false };
        match condition::evaluate(&text) {
            Some(value) => value != 0,
            None => {
                self.error(
                    span,
                    "cannot evaluate the condition",
                    "integers, defined(NAME), ! && || == != < > <= >= + - and ( )",
                );
                false
            }
        }
    }

    /// A condition with `defined(X)` answered and macros expanded.
    fn expand_condition(&mut self, text: &str, span: Span) -> Option<String> {
        let mut out = String::new();
        let mut rest = text;
        while !rest.is_empty() {
            let word = identifier(rest);
            if word == "defined" {
                rest = rest.get(word.len()..)?.trim_ascii_start();
                let open = rest.strip_prefix('(');
                rest = open.unwrap_or(rest).trim_ascii_start();
                let name = identifier(rest);
                out.push(if self.macros.contains_key(name) { '1' } else { '0' });
                rest = rest.get(name.len()..)?.trim_ascii_start();
                if open.is_some() {
                    rest = rest.strip_prefix(')').unwrap_or(rest);
                }
            } else if word.is_empty() {
                let c = rest.chars().next()?;
                out.push(c);
                rest = rest.get(c.len_utf8()..)?;
            } else {
                self.expand_word(word, 0, span, &mut out);
                rest = rest.get(word.len()..)?;
            }
        }
        Some(out)
    }

    fn include<'a>(&mut self, rest: &str, span: Span, emit: &mut dyn FnMut(Line<'a>)) {
        let quoted =
            |open, close| rest.strip_prefix(open).and_then(|r: &str| r.split_once(close)).map(|(name, _)| name);
        let (name, system) = match (quoted('"', '"'), quoted('<', '>')) {
            (Some(name), _) => (name, false),
            (_, Some(name)) => (name, true),
            _ => return self.error(span, "expected #include \"name\"", "the name stands between quotes or < >"),
        };
        if self.depth >= INCLUDE_DEPTH {
            return self.error(span, "includes nest too deep", "a file may include itself");
        }
        let Some(include) = self.options.includes.and_then(|includes| includes.open(name, system)) else {
            return self.error(span, format!("cannot include `{name}`"), "the caller supplies included texts");
        };
        if !self.spend(include.text.len(), span) {
            return;
        }
        self.depth += 1;
        // Lines of an included text own their text: the text itself goes when this returns.
        self.text(&include.text, include.source, &mut |line: Line<'_>| {
            emit(Line {
                text: Cow::Owned(line.text.into_owned()),
                source: line.source,
                start: line.start,
                map: line.map,
            });
        });
        self.depth -= 1;
    }

    /// Expands the macros of a line.
    fn expand_line<'a>(&mut self, text: Cow<'a, str>, source: SourceId, start: u32) -> Line<'a> {
        if self.macros.is_empty() {
            return Line { text, source, start, map: Vec::new() };
        }
        let mut out: Option<String> = None;
        let mut map = Vec::new();
        let mut at = 0;
        let mut copied = 0;
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            let word = identifier(rest);
            if word.is_empty() {
                // A number's letters, as in 1e5, are no name of their own.
                let digits = rest.bytes().take_while(|b| b.is_ascii_digit()).count();
                let skip = match digits {
                    0 => rest.chars().next().map_or(1, char::len_utf8),
                    _ => rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count(),
                };
                at += skip;
                continue;
            }
            if self.macros.contains_key(word) {
                let out = out.get_or_insert_default();
                out.push_str(text.get(copied..at).unwrap_or(""));
                map.push((out.len() as u32, at as u32, true));
                let span = Span::new(source, start + at as u32, start + (at + word.len()) as u32);
                self.expand_word(word, 0, span, out);
                copied = at + word.len();
                map.push((out.len() as u32, copied as u32, false));
            }
            at += word.len();
        }
        match out {
            None => Line { text, source, start, map },
            Some(mut out) => {
                out.push_str(text.get(copied..).unwrap_or(""));
                Line { text: Cow::Owned(out), source, start, map }
            }
        }
    }

    /// Appends a word, expanded if it is a macro.
    fn expand_word(&mut self, word: &str, depth: u32, span: Span, out: &mut String) {
        let Some(body) = self.macros.get(word).filter(|_| depth < MACRO_DEPTH).cloned() else {
            out.push_str(word);
            return;
        };
        // Each expansion costs something even if its text is empty.
        if !self.spend(body.len() + 16, span) {
            return;
        }
        let mut rest = body.as_str();
        while let Some(c) = rest.chars().next() {
            let inner = identifier(rest);
            let length = if inner.is_empty() { c.len_utf8() } else { inner.len() };
            match inner.is_empty() || inner == word {
                true => out.push_str(rest.get(..length).unwrap_or("")),
                false => self.expand_word(inner, depth + 1, span, out),
            }
            rest = rest.get(length..).unwrap_or("");
        }
    }
}

/// The identifier that a text begins with, or nothing.
fn identifier(text: &str) -> &str {
    let length = match text.bytes().next() {
        Some(first) if first.is_ascii_alphabetic() || first == b'_' => {
            text.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count()
        }
        _ => 0,
    };
    text.get(..length).unwrap_or("")
}

/// A line without its comments: `//` and `;` to the end of the line, `/* … */` blanked out.
fn strip<'a>(line: &'a str, in_comment: &mut bool) -> Cow<'a, str> {
    if !*in_comment && !line.contains(['/', ';']) {
        return Cow::Borrowed(line);
    }
    let mut out = String::new();
    let mut quoted = false;
    let mut bytes = line.char_indices().peekable();
    while let Some((at, c)) = bytes.next() {
        let next = bytes.peek().map(|&(_, c)| c);
        if *in_comment {
            out.push(' ');
            if c == '*' && next == Some('/') {
                bytes.next();
                out.push(' ');
                *in_comment = false;
            }
            // Offsets stay those of the line.
            out.extend(std::iter::repeat_n(' ', c.len_utf8() - 1));
            continue;
        }
        match (c, next) {
            ('/', Some('/')) | (';', _) if !quoted => {
                if out.is_empty() || out.len() == at {
                    return match line.get(..at) {
                        Some(text) if text == out => Cow::Borrowed(text),
                        _ => Cow::Owned(out),
                    };
                }
                return Cow::Owned(out);
            }
            ('/', Some('*')) if !quoted => {
                bytes.next();
                out.push_str("  ");
                *in_comment = true;
            }
            _ => {
                quoted ^= c == '"';
                out.push(c);
            }
        }
    }
    Cow::Owned(out)
}
