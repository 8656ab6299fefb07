//! Text to tokens.

use super::label::is_name_byte;
use crate::codes;
use aquatint_base::{Diagnostic, Diags, SourceId, Span};

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A word.
    Word,
    /// `%name`, with its sign.
    Local,
    /// `@name`, with its sign.
    Global,
    /// A string, with its quotes.
    Text,
    /// Something that begins like a number, or `-inf`.
    Number,
    /// `->`.
    Arrow,
    /// One other character.
    Mark(u8),
    /// The end of the text.
    End,
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    /// Whether it is the first of its line.
    pub first: bool,
    pub start: u32,
    pub end: u32,
}

/// The tokens of a text, an end token last. What is no token is reported and left out.
pub(super) fn lex(text: &str, source: SourceId, diags: &mut Diags) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::with_capacity(bytes.len() / 4 + 1);
    let mut at = 0;
    let mut first = true;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        let kind = match byte {
            b'\n' => {
                first = true;
                at += 1;
                continue;
            }
            b' ' | b'\t' | b'\r' => {
                at += 1;
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at = line_end(bytes, at);
                continue;
            }
            b'%' | b'@' => {
                at += 1;
                if bytes.get(at) == Some(&b'"') {
                    at = string(text, at, source, diags);
                } else {
                    at = run(bytes, at);
                }
                if byte == b'%' { Kind::Local } else { Kind::Global }
            }
            b'"' => {
                at = string(text, at, source, diags);
                Kind::Text
            }
            b'-' if bytes.get(at + 1) == Some(&b'>') => {
                at += 2;
                Kind::Arrow
            }
            b'0'..=b'9' | b'-' => {
                at = number(bytes, at + 1);
                Kind::Number
            }
            b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'$' => {
                at = run(bytes, at);
                Kind::Word
            }
            b'{' | b'}' | b'(' | b')' | b'[' | b']' | b'<' | b'>' | b',' | b':' | b'=' | b'!' | b'.' => {
                at += 1;
                Kind::Mark(byte)
            }
            _ => {
                at += text[at..].chars().next().map_or(1, char::len_utf8);
                let span = Span::new(source, start as u32, at as u32);
                let message = format!("{:?} begins nothing here", &text[start..at]);
                diags.push(Diagnostic::error(&codes::TOKEN, message).at(span, ""));
                continue;
            }
        };
        tokens.push(Token { kind, first, start: start as u32, end: at as u32 });
        first = false;
    }
    let end = bytes.len() as u32;
    tokens.push(Token { kind: Kind::End, first: true, start: end, end });
    tokens
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |n| at + n)
}

fn run(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().position(|&b| !is_name_byte(b)).map_or(bytes.len(), |n| at + n)
}

/// Digits, letters and points, and a sign behind an `e` of a decimal.
fn number(bytes: &[u8], mut at: usize) -> usize {
    let hex = bytes.get(at - 1) == Some(&b'0') && matches!(bytes.get(at), Some(b'x'));
    while let Some(&b) = bytes.get(at) {
        let sign = matches!(b, b'+' | b'-') && !hex && matches!(bytes[at - 1], b'e' | b'E');
        if !(b.is_ascii_alphanumeric() || b == b'.' || sign) {
            break;
        }
        at += 1;
    }
    at
}

/// The end of the string that begins at `at`.
fn string(text: &str, start: usize, source: SourceId, diags: &mut Diags) -> usize {
    let bytes = text.as_bytes();
    let mut at = start + 1;
    while let Some(&b) = bytes.get(at) {
        match b {
            b'"' => return at + 1,
            b'\n' => break,
            b'\\' if matches!(bytes.get(at + 1), Some(b'"' | b'\\')) => at += 2,
            _ => at += 1,
        }
    }
    let span = Span::new(source, start as u32, at as u32);
    diags.push(Diagnostic::error(&codes::TOKEN, "the string does not end on its line").at(span, "begins here"));
    at
}

/// What a quoted token (without its sign) says; `None` for a broken escape.
pub(super) fn unescape(quoted: &str) -> Option<String> {
    let inner = quoted.strip_prefix('"')?.strip_suffix('"')?;
    let mut out = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let escape = &rest[at + 1..];
        if let Some(tail) = escape.strip_prefix("u{") {
            let (hex, tail) = tail.split_once('}')?;
            out.push(char::from_u32(u32::from_str_radix(hex, 16).ok()?)?);
            rest = tail;
        } else {
            let c = escape.chars().next().filter(|c| matches!(c, '"' | '\\'))?;
            out.push(c);
            rest = &escape[1..];
        }
    }
    out.push_str(rest);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> (Vec<(Kind, &str)>, usize) {
        let mut diags = Diags::new();
        let tokens = lex(text, SourceId(0), &mut diags);
        (tokens.iter().map(|t| (t.kind, &text[t.start as usize..t.end as usize])).collect(), diags.errors())
    }

    #[test]
    fn numbers_names_and_marks() {
        let (tokens, errors) = kinds("%a.1: -1e-7, -inf -> @\"x y\"[0x1F]// no\n1.5:f16");
        let words: Vec<_> = tokens.iter().map(|t| t.1).collect();
        let expected = ["%a.1", ":", "-1e-7", ",", "-inf", "->", "@\"x y\"", "[", "0x1F", "]", "1.5", ":", "f16", ""];
        assert_eq!(words, expected);
        assert_eq!(errors, 0);
        assert_eq!(tokens[2].0, Kind::Number);
        assert_eq!(tokens[4].0, Kind::Number);
    }

    #[test]
    fn bad_characters_and_open_strings_are_reported_and_passed() {
        assert_eq!(kinds("é ; \"abc").1, 3);
        assert_eq!(kinds("\"a\\").1, 1);
    }

    #[test]
    fn escapes() {
        assert_eq!(unescape(r#""a\"b\\c\u{e9}""#).as_deref(), Some("a\"b\\cé"));
        assert_eq!(unescape(r#""\n""#), None);
        assert_eq!(unescape(r#""\u{110000}""#), None);
        assert_eq!(unescape("\""), None);
    }
}
