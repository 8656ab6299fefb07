//! A lexer for tests of what comes behind the preprocessor: no directives, no macros.

use crate::token::{FloatSuffix, IntLiteral, Keywords, Literal, Literals, Token, TokenFlags, TokenKind};
use aquatint_base::{Name, Names, SourceId, Span};

pub(super) fn lex(text: &str, names: &mut Names) -> (Vec<Token>, Literals) {
    let keywords = Keywords::new(names);
    let mut literals = Literals::default();
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut line_start = true;
    let mut punctuators: Vec<TokenKind> = TokenKind::all().filter(|k| k.is_punctuator()).collect();
    punctuators.sort_by_key(|k| std::cmp::Reverse(k.text().len()));
    while at < bytes.len() {
        let c = bytes[at];
        let rest = &text[at..];
        if c == b'\n' {
            line_start = true;
            at += 1;
            continue;
        }
        if c.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        if rest.starts_with("//") || (c == b'#' && line_start) {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        if rest.starts_with("/*") {
            at += rest.find("*/").map_or(rest.len(), |n| n + 2);
            continue;
        }
        let start = at;
        let (kind, value) = if c.is_ascii_alphabetic() || c == b'_' {
            while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_') {
                at += 1;
            }
            (keywords.kind(names.intern(&text[start..at])), None)
        } else if c.is_ascii_digit() || (c == b'.' && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)) {
            let (end, literal) = number(text, at);
            at = end;
            (if matches!(literal, Literal::Int(_)) { TokenKind::IntLit } else { TokenKind::FloatLit }, Some(literal))
        } else if c == b'"' {
            let end = rest[1..].find('"').map_or(bytes.len(), |n| at + n + 2);
            let name = names.intern(text.get(at + 1..end - 1).unwrap_or(""));
            at = end;
            (TokenKind::StringLit, Some(Literal::Str(name)))
        } else if let Some(&kind) = punctuators.iter().find(|k| rest.starts_with(k.text())) {
            at += kind.text().len();
            (kind, None)
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        };
        let name = if kind.is_punctuator() { Name::EMPTY } else { names.intern(&text[start..at]) };
        let mut token = Token::new(kind, Span::new(SourceId(0), start as u32, at as u32), name);
        if let Some(value) = value {
            token.value = literals.enter(name, value);
        }
        if line_start {
            token.flags = token.flags.with(TokenFlags::LINE_START);
        }
        line_start = false;
        tokens.push(token);
    }
    tokens.push(Token::new(TokenKind::Eof, Span::new(SourceId(0), at as u32, at as u32), Name::EMPTY));
    (tokens, literals)
}

fn number(text: &str, start: usize) -> (usize, Literal) {
    let bytes = text.as_bytes();
    let mut at = start;
    let hex = text[start..].starts_with("0x") || text[start..].starts_with("0X");
    if hex {
        at += 2;
        while at < bytes.len() && bytes[at].is_ascii_hexdigit() {
            at += 1;
        }
    } else {
        while at < bytes.len() && bytes[at].is_ascii_digit() {
            at += 1;
        }
    }
    let mut float = false;
    if !hex {
        // `1.xxx` is a swizzle, `1.f` and `1.0` are floats.
        let follows = bytes.get(at + 1).copied().unwrap_or(b' ');
        let suffix_alone = |b: u8| matches!(b, b'f' | b'F' | b'h' | b'H' | b'l' | b'L');
        let more = bytes.get(at + 2).is_some_and(|b| b.is_ascii_alphanumeric());
        if bytes.get(at) == Some(&b'.')
            && (!(follows.is_ascii_alphabetic()) || (suffix_alone(follows) && !more) || follows == b'e')
        {
            float = true;
            at += 1;
            while at < bytes.len() && bytes[at].is_ascii_digit() {
                at += 1;
            }
        }
        if matches!(bytes.get(at), Some(b'e' | b'E')) {
            float = true;
            at += 1;
            if matches!(bytes.get(at), Some(b'+' | b'-')) {
                at += 1;
            }
            while at < bytes.len() && bytes[at].is_ascii_digit() {
                at += 1;
            }
        }
    }
    let digits = &text[start..at];
    let value_end = at;
    while at < bytes.len() && bytes[at].is_ascii_alphabetic() {
        at += 1;
    }
    let suffix = text[value_end..at].to_ascii_lowercase();
    if float || suffix == "f" || suffix == "h" {
        let value: f64 = digits.parse().unwrap_or(0.0);
        let (suffix, value) = match suffix.as_str() {
            "f" => (FloatSuffix::Float, f64::from(value as f32)),
            "h" => (FloatSuffix::Half, value),
            "l" => (FloatSuffix::Double, value),
            _ => (FloatSuffix::None, value),
        };
        return (at, Literal::Float { value, suffix });
    }
    let value = match hex {
        true => u64::from_str_radix(&digits[2..], 16).unwrap_or(0),
        false if digits.len() > 1 && digits.starts_with('0') => u64::from_str_radix(digits, 8).unwrap_or(0),
        false => digits.parse().unwrap_or(0),
    };
    let literal = IntLiteral {
        value,
        unsigned: suffix.contains('u'),
        long: suffix.ends_with('l'),
        long_long: suffix.contains("ll"),
        bits: hex,
    };
    (at, Literal::Int(literal))
}
