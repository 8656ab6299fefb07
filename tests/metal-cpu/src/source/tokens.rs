//! Tokens of a source: all but comments and directives, and which brackets belong together.

use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Word,
    Number,
    Quoted,
    /// One byte of punctuation, but `::` as a whole.
    Sign,
}

#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) range: Range<usize>,
}

/// All tokens outside of comments and directives.
pub(crate) fn tokens(source: &str) -> Vec<Token> {
    let bytes = source.as_bytes();
    let mut found = Vec::with_capacity(bytes.len() / 4);
    let mut at = 0;
    let mut line_is_blank = true;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        let rest = &bytes[at..];
        if byte == b'\n' {
            line_is_blank = true;
            at += 1;
            continue;
        }
        if byte.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        if rest.starts_with(b"//") {
            at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
            continue;
        }
        if rest.starts_with(b"/*") {
            at += rest.windows(2).skip(2).position(|pair| pair == b"*/").map_or(rest.len(), |found| found + 4);
            continue;
        }
        if byte == b'#' && line_is_blank {
            at = end_of_directive(bytes, at);
            continue;
        }
        line_is_blank = false;
        let kind = if byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80 {
            at += rest
                .iter()
                .position(|b| !(b.is_ascii_alphanumeric() || *b == b'_' || *b >= 0x80))
                .unwrap_or(rest.len());
            Kind::Word
        } else if byte.is_ascii_digit() || (byte == b'.' && rest.get(1).is_some_and(u8::is_ascii_digit)) {
            at += number_length(rest);
            Kind::Number
        } else if byte == b'"' || byte == b'\'' {
            at += quoted_length(rest);
            Kind::Quoted
        } else {
            at += if rest.starts_with(b"::") { 2 } else { 1 };
            Kind::Sign
        };
        found.push(Token { kind, range: start..at });
    }
    found
}

/// A preprocessing number: letters, digits and dots, and a sign after an exponent's letter.
pub(super) fn number_length(rest: &[u8]) -> usize {
    let mut length = 0;
    while let Some(&byte) = rest.get(length) {
        let sign = (byte == b'+' || byte == b'-')
            && length > 0
            && matches!(rest[length - 1], b'e' | b'E' | b'p' | b'P')
            && (matches!(rest[length - 1], b'p' | b'P') || !rest.starts_with(b"0x"));
        if !(byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'_' || sign) {
            break;
        }
        length += 1;
    }
    length
}

pub(super) fn quoted_length(rest: &[u8]) -> usize {
    let mut length = 1;
    while let Some(&byte) = rest.get(length) {
        length += 1;
        match byte {
            b'\\' => length += 1,
            b'\n' => return length - 1,
            _ if byte == rest[0] => break,
            _ => {}
        }
    }
    length.min(rest.len())
}

pub(super) fn end_of_directive(bytes: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = bytes.get(at) {
        if byte == b'\n' && bytes.get(at.wrapping_sub(1)) != Some(&b'\\') {
            break;
        }
        at += 1;
    }
    at
}

/// For each bracket the index of its partner; `usize::MAX` where there is none.
pub(super) fn partners(source: &str, tokens: &[Token]) -> Vec<usize> {
    let mut partners = vec![usize::MAX; tokens.len()];
    let mut open: Vec<(usize, u8)> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        if token.kind != Kind::Sign {
            continue;
        }
        match source.as_bytes()[token.range.start] {
            b'(' => open.push((index, b')')),
            b'[' => open.push((index, b']')),
            b'{' => open.push((index, b'}')),
            close @ (b')' | b']' | b'}') => {
                if let Some(&(opener, wanted)) = open.last()
                    && wanted == close
                {
                    open.pop();
                    partners[opener] = index;
                    partners[index] = opener;
                }
            }
            _ => {}
        }
    }
    partners
}
