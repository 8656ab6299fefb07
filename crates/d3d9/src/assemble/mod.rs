//! Assembly text to shader tokens (sheet 6.1 to 6.3, 6.6).
//!
//! | module | holds |
//! |---|---|
//! | [`preprocess`] | comments, macros, conditions, includes; each line with its place |
//! | [`cursor`] | characters of a line, and numbers |
//! | [`operand`] | registers, swizzles, modifiers, relative addresses |
//! | [`statement`](mod@statement) | mnemonics with their suffixes and operands |
//!
//! Text that parses is decoded again, so that the structural rules (and under `strict` those of the version) are the
//! ones of [`crate::tokens`], reported at the statements.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod cursor;
mod operand;
mod preprocess;
mod statement;

pub use preprocess::{Include, Includes};

use crate::ctab::{self, ConstantTable};
use crate::tokens::opcode::END;
use crate::tokens::{self, DecodeOptions, Version};
use crate::{codes, tokens::validate};
use aquatint_base::{Code, Diagnostic, Diags, Limits, SourceId, Span};
use cursor::Cursor;
use preprocess::Line;

/// How to assemble.
#[derive(Clone, Default)]
pub struct AssembleOptions<'a> {
    /// Refuse what the native assembler refuses: profile faults are errors.
    pub strict: bool,
    /// Bounds, on the text and on the words.
    pub limits: Limits,
    /// Supplies the texts of `#include`; without it an include is an error.
    pub includes: Option<&'a dyn Includes>,
    /// Names that are defined before the first line.
    pub defines: &'a [(&'a str, &'a str)],
    /// The text is in the compact style, which cuts a swizzle to the lanes that the write mask needs: the lanes of
    /// `mul r0.zw, r1.xy, …` belong to z and w. In the usual style a short swizzle repeats its last lane.
    pub compact: bool,
    /// A constant table to write behind the version word.
    pub ctab: Option<&'a ConstantTable>,
}

/// Assembles a text to the words of a stream. Several errors a run, each with its place in the text; `None` after one.
pub fn assemble(text: &str, source: SourceId, options: &AssembleOptions<'_>, diags: &mut Diags) -> Option<Vec<u32>> {
    let errors = diags.errors();
    if text.len() > options.limits.input_bytes {
        let message = format!("the text has {} bytes, the limit is {}", text.len(), options.limits.input_bytes);
        diags.push(Diagnostic::error(&codes::E_SIZE, message).at(Span::new(source, 0, 0), "").help("raise the limit"));
        return None;
    }
    let lines = preprocess::preprocess(text, source, options, diags);
    let mut assembler = Assembler {
        version: None,
        words: Vec::new(),
        trailing: Vec::new(),
        places: Vec::new(),
        strict: options.strict,
        compact: options.compact,
        preshader: false,
        diags,
        data: None,
        coissue: false,
    };
    for line in &lines {
        assembler.line(line, options);
    }
    assembler.finish(lines.last());
    let Assembler { mut words, trailing, places, version, .. } = assembler;
    if version.is_none() {
        if diags.errors() == errors {
            diags.push(
                Diagnostic::error(&codes::E_SYNTAX, "the text has no statement")
                    .at(Span::new(source, 0, text.len().min(u32::MAX as usize) as u32), "")
                    .help("a shader begins with its version, such as vs_3_0"),
            );
        }
        return None;
    }
    words.push(END);
    words.extend(trailing);
    if diags.errors() == errors {
        check(&words, &places, options, diags);
    }
    (diags.errors() == errors).then_some(words)
}

/// The words of one statement, or `None` where it does not parse. For comparisons: nothing is checked beyond the syntax.
pub(crate) fn statement(version: Version, line: &str) -> Option<Vec<u32>> {
    let mut words = Vec::new();
    let mut cursor = Cursor::new(line);
    statement::parse(&mut cursor, &Context { version, strict: false, compact: false }, false, &mut words).ok()?;
    cursor.at_end().then_some(words)
}

/// Runs the rules of the tokens over the words and reports what they find at the statements that the words came from.
fn check(words: &[u32], places: &[(u32, Span)], options: &AssembleOptions<'_>, diags: &mut Diags) {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut found = Diags::new();
    found.keep = diags.keep;
    let limits = Limits { input_bytes: options.limits.input_bytes.saturating_mul(4), ..options.limits.clone() };
    let decode = DecodeOptions { strict: options.strict, limits };
    // The profile runs on what decodes, so that both kinds of fault are seen as far as possible.
    if let Some(shader) = tokens::decode(&bytes, SourceId(0), &decode, &mut found)
        && options.strict
    {
        validate::profile(&shader, true, &mut found);
    }
    for diagnostic in &found {
        let mut diagnostic = diagnostic.clone();
        if !options.strict && diagnostic.severity == aquatint_base::Severity::Warning {
            continue;
        }
        for label in &mut diagnostic.labels {
            let word = label.span.start / 4;
            let at = places.partition_point(|&(first, _)| first <= word);
            label.span = at.checked_sub(1).and_then(|i| places.get(i)).map_or(Span::NONE, |&(_, span)| span);
            label.excerpt = None;
            if label.text.starts_with("word ") {
                label.text = label.text.split_once(": ").map(|(_, text)| text.to_owned()).unwrap_or_default();
            }
        }
        diags.push(diagnostic);
    }
}

/// How statements are read.
struct Context {
    version: Version,
    strict: bool,
    compact: bool,
}

/// A syntax error in a line: byte range in its text, message, hint.
#[derive(Debug)]
pub(crate) struct SyntaxError {
    pub start: usize,
    pub end: usize,
    pub code: &'static Code,
    pub message: String,
    pub help: &'static str,
}

/// Hex words that a directive still expects.
struct Data {
    left: u64,
    trailing: bool,
    /// Where the directive stands.
    place: Span,
}

struct Assembler<'d> {
    version: Option<Version>,
    words: Vec<u32>,
    trailing: Vec<u32>,
    /// First word of each statement, and its place.
    places: Vec<(u32, Span)>,
    strict: bool,
    compact: bool,
    /// Lines of a preshader's listing are passed over until the version comes.
    preshader: bool,
    diags: &'d mut Diags,
    data: Option<Data>,
    /// A `+` stood alone, or at the end of the line before.
    coissue: bool,
}

impl Assembler<'_> {
    fn error(&mut self, line: &Line<'_>, error: SyntaxError) {
        self.diags.push(
            Diagnostic::error(error.code, error.message).at(line.span(error.start, error.end), "").help(error.help),
        );
    }

    fn line(&mut self, line: &Line<'_>, options: &AssembleOptions<'_>) {
        let mut cursor = Cursor::new(&line.text);
        cursor.blanks();
        if cursor.at_end() {
            return;
        }
        if self.data.is_some() {
            if let Err(error) = self.hex(&mut cursor) {
                self.data = None;
                self.error(line, error);
            }
            return;
        }
        let Some(version) = self.version else {
            match statement::version(&mut cursor) {
                Ok(version) => {
                    self.version = Some(version);
                    self.words.push(version.word());
                    self.places.push((0, line.span(0, line.text.len())));
                    self.table(line, options);
                }
                // The listing of a preshader comes before the shader; its code is in a comment of the stream.
                Err(_) if self.preshader || line.text.trim_ascii() == "preshader" => self.preshader = true,
                Err(error) => {
                    self.error(line, error);
                    // Go on as the version that knows most, so that one run shows more than this.
                    self.version = Some(Version::pixel(3, 0));
                    self.words.push(0);
                }
            }
            return;
        };
        let result = if cursor.peek() == Some('.') && !cursor.second().is_some_and(|c| c.is_ascii_digit()) {
            self.directive(&mut cursor, line)
        } else {
            self.statements(&mut cursor, line, version)
        };
        if let Err(error) = result {
            self.error(line, error);
        }
    }

    /// The statements of a line: one, or several joined by `+`.
    fn statements(&mut self, cursor: &mut Cursor<'_>, line: &Line<'_>, version: Version) -> Result<(), SyntaxError> {
        let context = Context { version, strict: self.strict, compact: self.compact };
        if line.text.contains('{') {
            // Exact words stand for the whole statement, whatever its text says.
            let first = self.words.len() as u32;
            self.coissue = false;
            cursor.exact_words(&mut self.words)?;
            self.places.push((first, line.span(0, cursor.position())));
            return match cursor.at_end() {
                true => Ok(()),
                false => Err(cursor.error_to_end("text behind exact words", "they end their line")),
            };
        }
        loop {
            cursor.blanks();
            while cursor.eat('+') {
                if std::mem::replace(&mut self.coissue, true) {
                    return Err(cursor.error("a second `+`", "one `+` joins an instruction to the one before it"));
                }
                cursor.blanks();
            }
            if cursor.at_end() {
                return Ok(());
            }
            let start = cursor.position();
            let first = self.words.len() as u32;
            let coissue = std::mem::take(&mut self.coissue);
            let length = self.words.len();
            if let Err(error) = statement::parse(cursor, &context, coissue, &mut self.words) {
                self.words.truncate(length);
                return Err(error);
            }
            self.places.push((first, line.span(start, cursor.position())));
            cursor.blanks();
            if cursor.at_end() {
                return Ok(());
            }
            if cursor.peek() != Some('+') {
                return Err(
                    cursor.error_to_end("text behind the statement", "one statement a line; `+` joins a second one")
                );
            }
        }
    }

    /// `.comment FOURCC length hex…` and `.trailing length hex…` of the exact form.
    fn directive(&mut self, cursor: &mut Cursor<'_>, line: &Line<'_>) -> Result<(), SyntaxError> {
        let start = cursor.position();
        cursor.eat('.');
        let name = cursor.identifier();
        let trailing = match name {
            "comment" => false,
            "trailing" => true,
            _ => return Err(cursor.error_from(start, "unknown directive", "directives are .comment and .trailing")),
        };
        cursor.blanks();
        let mut fourcc = None;
        if !trailing && !cursor.eat('-') {
            let at = cursor.position();
            let name = cursor.identifier();
            let Ok(bytes) = <[u8; 4]>::try_from(name.as_bytes()) else {
                return Err(cursor.error_from(at, "expected four letters or `-`", "such as `.comment CTAB 12`"));
            };
            fourcc = Some(u32::from_le_bytes(bytes));
        }
        cursor.blanks();
        let at = cursor.position();
        let Some(length) = cursor.unsigned() else {
            return Err(cursor.error_from(at, "expected a number of words", "such as `.comment CTAB 12`"));
        };
        let all = length.saturating_add(u64::from(fourcc.is_some()));
        let limit = if trailing { 1 << 20 } else { 0x7FFF };
        if all > limit {
            return Err(cursor.error_from(at, "too many words", "a comment holds at most 32767 words"));
        }
        if !trailing {
            self.places.push((self.words.len() as u32, line.span(start, line.text.len())));
            self.words.push((all as u32) << 16 | 0xFFFE);
            self.words.extend(fourcc);
        }
        let place = line.span(start, cursor.position());
        self.data = (length > 0).then_some(Data { left: length, trailing, place });
        if self.data.is_some() { self.hex(cursor) } else { Ok(()) }
    }

    /// Hex words of the directive in hand, up to the end of the line.
    fn hex(&mut self, cursor: &mut Cursor<'_>) -> Result<(), SyntaxError> {
        loop {
            cursor.blanks();
            if cursor.at_end() {
                return Ok(());
            }
            let Some(data) = &mut self.data else {
                return Err(cursor.error_to_end("more words than the directive says", "check its length"));
            };
            let word = cursor.hex_word()?;
            if data.trailing {
                self.trailing.push(word)
            } else {
                self.words.push(word)
            }
            data.left -= 1;
            if data.left == 0 {
                self.data = None;
            }
        }
    }

    /// The constant table of the options, as a comment.
    fn table(&mut self, line: &Line<'_>, options: &AssembleOptions<'_>) {
        let Some(table) = options.ctab else { return };
        match ctab::comment(&ctab::write(table)) {
            Some(words) => self.words.extend(words),
            None => self.diags.push(
                Diagnostic::error(&codes::E_CTAB, "the constant table is longer than a comment can be")
                    .at(line.span(0, line.text.len()), "")
                    .help("leave out initial values, or split the table"),
            ),
        }
    }

    fn finish(&mut self, last: Option<&Line<'_>>) {
        if let Some(data) = self.data.take() {
            let message = format!("the directive lacks {} words", data.left);
            self.diags.push(Diagnostic::error(&codes::E_SYNTAX, message).at(data.place, "").help("check its length"));
        }
        if self.coissue
            && let Some(line) = last
        {
            let message = "`+` without an instruction behind it";
            let diagnostic = Diagnostic::error(&codes::E_SYNTAX, message).at(line.span(0, line.text.len()), "");
            self.diags.push(diagnostic.help("remove it"));
        }
        // The END token and what follows.
        let span = last.map_or(Span::NONE, |line| line.span(0, line.text.len()));
        self.places.push((self.words.len() as u32, span));
    }
}
