//! The tokens of a Metal source, as far as signatures need them.

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    /// Its text.
    pub(crate) text: &'a str,
    /// Where it begins and ends, in bytes.
    pub(crate) start: usize,
    /// One past its last byte.
    pub(crate) end: usize,
    /// An identifier or keyword.
    pub(crate) is_word: bool,
}

/// All tokens; comments, white space and preprocessor lines are left out. Punctuation is one character a token, but for `::`.
pub(crate) fn tokens(source: &str) -> Vec<Token<'_>> {
    let bytes = source.as_bytes();
    let (mut all, mut at, mut line_start) = (Vec::new(), 0, true);
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    while let Some(&byte) = bytes.get(at) {
        let rest = &bytes[at..];
        if byte == b'\n' {
            line_start = true;
            at += 1;
        } else if byte.is_ascii_whitespace() {
            at += 1;
        } else if rest.starts_with(b"//") {
            at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        } else if rest.starts_with(b"/*") {
            at += rest.windows(2).skip(2).position(|w| w == b"*/").map_or(rest.len(), |end| end + 4);
        } else if byte == b'#' && line_start {
            // Up to the end of the line that no backslash joins to the next.
            while let Some(&b) = bytes.get(at) {
                if b == b'\n' && bytes.get(at.wrapping_sub(1)) != Some(&b'\\') {
                    break;
                }
                at += 1;
            }
        } else {
            line_start = false;
            let start = at;
            let is_word = word(byte) && !byte.is_ascii_digit();
            if word(byte) {
                while bytes.get(at).is_some_and(|&b| word(b) || (!is_word && b == b'.')) {
                    at += 1;
                }
            } else if byte == b'"' {
                at += 1;
                while bytes.get(at).is_some_and(|&b| b != b'"') {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(bytes.len());
            } else {
                at += if rest.starts_with(b"::") { 2 } else { 1 };
            }
            if let Some(text) = source.get(start..at) {
                all.push(Token { text, start, end: at, is_word });
            }
        }
    }
    all
}
