//! Tokens of a Metal source, with their places.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An identifier or a keyword.
    Name,
    /// A number, its suffix included.
    Number,
    /// A string or character literal.
    Literal,
    /// An operator or a bracket.
    Punctuation,
}

/// One token; its text is a part of the source.
#[derive(Clone, Copy, Debug)]
pub struct Token<'a> {
    /// What it is.
    pub kind: Kind,
    /// Its text.
    pub text: &'a str,
    /// Line from 1, by the source's own count (`#line` changes it).
    pub line: u32,
    /// Column from 1, in bytes.
    pub column: u32,
}

/// Operators of more than one byte that the checker must not take apart. `>>` is missing on purpose: two template
/// argument lists may end there; so are `<<` and what begins with either.
const LONG: [&str; 16] =
    ["...", "::", "->", "&&", "||", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "&=", "|=", "^="];

/// The tokens of `source`. Directives are skipped, `#line` and the line marks of a preprocessor are followed.
pub fn tokens(source: &str) -> Vec<Token<'_>> {
    let bytes = source.as_bytes();
    let mut tokens = Vec::with_capacity(source.len() / 4);
    let (mut at, mut line, mut line_start) = (0, 1_u32, 0);
    let mut fresh = true;
    while let Some(&byte) = bytes.get(at) {
        if byte == b'\n' {
            at += 1;
            line += 1;
            line_start = at;
            fresh = true;
            continue;
        }
        if byte.is_ascii_whitespace() || byte == b'\\' {
            at += 1;
            continue;
        }
        if byte == b'#' && fresh {
            let (end, set) = directive(source, at);
            line += source[at..end].bytes().filter(|&b| b == b'\n').count() as u32;
            at = end;
            if let Some(set) = set {
                // The mark numbers the line that follows it.
                line = set.saturating_sub(1);
            }
            continue;
        }
        fresh = false;
        let end = match byte {
            b'/' if source[at..].starts_with("//") => {
                at = source[at..].find('\n').map_or(source.len(), |n| at + n);
                continue;
            }
            b'/' if source[at..].starts_with("/*") => {
                let end = source[at + 2..].find("*/").map_or(source.len(), |n| at + n + 4);
                for (n, _) in source[at..end].bytes().enumerate().filter(|(_, b)| *b == b'\n') {
                    line += 1;
                    line_start = at + n + 1;
                }
                at = end;
                continue;
            }
            b'"' | b'\'' => quoted(bytes, at),
            b'0'..=b'9' => number(bytes, at),
            b'.' if bytes.get(at + 1).is_some_and(u8::is_ascii_digit) => number(bytes, at),
            _ if is_name(byte) => at + bytes[at..].iter().take_while(|&&b| is_name(b) || b.is_ascii_digit()).count(),
            _ => at + LONG.iter().find(|long| source[at..].starts_with(**long)).map_or(1, |long| long.len()),
        };
        let kind = match byte {
            b'"' | b'\'' => Kind::Literal,
            b'0'..=b'9' => Kind::Number,
            b'.' if end > at + 1 && bytes[at + 1].is_ascii_digit() => Kind::Number,
            _ if is_name(byte) => Kind::Name,
            _ => Kind::Punctuation,
        };
        tokens.push(Token { kind, text: &source[at..end], line, column: (at - line_start + 1) as u32 });
        at = end;
    }
    tokens
}

/// Bytes above ASCII count as letters, so that no token ends within a character.
fn is_name(byte: u8) -> bool {
    byte == b'_' || byte == b'$' || byte.is_ascii_alphabetic() || byte >= 0x80
}

fn quoted(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'\n' => return at,
            _ if byte == bytes[start] => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn number(bytes: &[u8], start: usize) -> usize {
    let hexadecimal = bytes[start] == b'0' && matches!(bytes.get(start + 1), Some(b'x' | b'X'));
    let mut at = start;
    while let Some(&byte) = bytes.get(at) {
        let exponent = at > start
            && matches!(bytes[at - 1], b'e' | b'E' | b'p' | b'P')
            && !(hexadecimal && matches!(bytes[at - 1], b'e' | b'E'));
        if byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'\'' || (exponent && matches!(byte, b'+' | b'-')) {
            at += 1;
        } else {
            break;
        }
    }
    at
}

/// Where the directive at `start` ends (before its newline), and the line number that it gives to the line after it.
fn directive(source: &str, start: usize) -> (usize, Option<u32>) {
    let mut end = start;
    loop {
        end = source[end..].find('\n').map_or(source.len(), |n| end + n);
        let text = source[..end].trim_end_matches('\r');
        if end < source.len() && text.ends_with('\\') {
            end += 1;
        } else {
            break;
        }
    }
    let text = source[start + 1..end].trim_start();
    let text = text.strip_prefix("line").unwrap_or(text).trim_start();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    (end, text[..digits].parse().ok())
}

/// For each bracket the place of its partner; for any other token, and a bracket without partner, its own place.
pub fn partners(tokens: &[Token]) -> Vec<usize> {
    let mut partners: Vec<usize> = (0..tokens.len()).collect();
    let mut open: Vec<(usize, &str)> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if token.kind != Kind::Punctuation {
            continue;
        }
        let opener = match token.text {
            "(" | "[" | "{" => {
                open.push((at, token.text));
                continue;
            }
            ")" => "(",
            "]" => "[",
            "}" => "{",
            _ => continue,
        };
        if open.last().is_some_and(|(_, text)| *text == opener)
            && let Some((start, _)) = open.pop()
        {
            partners[start] = at;
            partners[at] = start;
        }
    }
    partners
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_their_places_and_directives_none() {
        let source = "#include <x>\n/* a\n b */ float4  v [[position]]; // c\n#line 90 \"x\"\nx += 1.5e-3f;";
        let all = tokens(source);
        let seen: Vec<_> = all.iter().map(|t| (t.text, t.line, t.column)).collect();
        assert_eq!(seen[..3], [("float4", 3, 7), ("v", 3, 15), ("[", 3, 17)]);
        assert_eq!(seen[8..], [("x", 90, 1), ("+=", 90, 3), ("1.5e-3f", 90, 6), (";", 90, 13)]);
    }

    #[test]
    fn brackets_know_their_partners_even_where_some_are_missing() {
        let all = tokens("f(a[1], {}) ) {");
        let partners = partners(&all);
        assert_eq!((partners[1], partners[3], partners[7]), (9, 5, 8));
        assert_eq!((partners[10], partners[11]), (10, 11));
    }
}
