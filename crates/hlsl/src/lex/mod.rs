//! Text to tokens (sheet A2.1 to A2.9), one at a time, without copying.
//!
//! The lexer knows words, numbers by their extent, quoted text, and punctuators. Values are found later ([`value`]), for the
//! tokens that are left after preprocessing, so that what is skipped or never used is never at fault.

pub mod skip;
pub mod value;

use crate::codes::{AQ1002, AQ4010};
use crate::options::FrontLimits;
use crate::token::{Keywords, Token, TokenFlags, TokenKind};
use aquatint_base::{Diagnostic, Diags, Name, Names, SourceId, Span};

/// What the lexer writes to.
pub struct Sink<'a> {
    /// Spellings.
    pub names: &'a mut Names,
    /// Which of them are keywords.
    pub keywords: &'a Keywords,
    /// Faults.
    pub diags: &'a mut Diags,
    /// Bounds.
    pub limits: &'a FrontLimits,
}

/// A place in a text. The text is handed in at each call, so that it can be lent elsewhere in between.
#[derive(Clone, Copy, Debug)]
pub struct Lexer {
    /// Which input.
    pub source: SourceId,
    /// The next byte.
    pub pos: usize,
    /// Whether nothing but blanks has been passed since the start of the line.
    pub line_start: bool,
    /// Whether a line end ends the tokens, as in a directive.
    pub directive: bool,
}

/// Bytes that continue a word.
pub(crate) fn continues_word(byte: u8) -> bool {
    CLASS[byte as usize] & WORD != 0
}

const WORD: u8 = 1;
const BLANK: u8 = 2;
const DIGIT: u8 = 4;

static CLASS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        table[byte] = match b {
            b'0'..=b'9' => WORD | DIGIT,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => WORD,
            b' ' | b'\t' | 0x0b | 0x0c => BLANK,
            _ => 0,
        };
        byte += 1;
    }
    table
};

/// The end of a splice (A2.2: a backslash, perhaps blanks, and a line end) that starts at `pos`, which holds a backslash.
fn splice(bytes: &[u8], pos: usize) -> Option<usize> {
    let mut at = pos + 1;
    while bytes.get(at).is_some_and(|&b| CLASS[b as usize] == BLANK) {
        at += 1;
    }
    match bytes.get(at)? {
        b'\n' => Some(at + 1),
        b'\r' if bytes.get(at + 1) == Some(&b'\n') => Some(at + 2),
        b'\r' => Some(at + 1),
        _ => None,
    }
}

/// A reader of bytes that passes over splices.
#[derive(Clone, Copy)]
struct Cursor<'t> {
    bytes: &'t [u8],
    /// Behind the last byte that was taken.
    pos: usize,
    /// How many were taken.
    taken: usize,
}

impl Cursor<'_> {
    /// The next byte and what lies behind it; 0 at the end.
    #[inline]
    fn look(&self) -> (u8, usize) {
        let mut at = self.pos;
        loop {
            match self.bytes.get(at) {
                Some(b'\\') => match splice(self.bytes, at) {
                    Some(behind) => at = behind,
                    None => return (b'\\', at + 1),
                },
                Some(&byte) => return (byte, at + 1),
                None => return (0, at),
            }
        }
    }

    /// Whether nothing but splices is left. A NUL in the text is no end.
    fn ended(&self) -> bool {
        let (byte, behind) = self.look();
        byte == 0 && (behind == self.pos || self.bytes.get(behind - 1) != Some(&0))
    }

    #[inline]
    fn peek(&self) -> u8 {
        self.look().0
    }

    #[inline]
    fn take(&mut self) -> u8 {
        let (byte, behind) = self.look();
        self.pos = behind;
        self.taken += 1;
        byte
    }

    /// Takes `byte` if it is next.
    #[inline]
    fn eat(&mut self, byte: u8) -> bool {
        let (next, behind) = self.look();
        let is = next == byte && behind <= self.bytes.len() && behind > self.pos;
        if is {
            self.pos = behind;
            self.taken += 1;
        }
        is
    }

    fn words(&mut self) {
        while continues_word(self.peek()) {
            self.take();
        }
    }

    /// The next `N` bytes.
    fn ahead<const N: usize>(&self) -> [u8; N] {
        let mut ahead = *self;
        std::array::from_fn(|_| ahead.take())
    }
}

impl Lexer {
    /// At the start of a text, behind a byte order mark (A2.1).
    pub fn new(source: SourceId, text: &str) -> Self {
        let pos = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Self { source, pos, line_start: true, directive: false }
    }

    /// The next token: [`TokenKind::Eof`] at the end of the text, [`TokenKind::End`] at the end of a directive, which is left
    /// in front of the line end.
    pub fn next(&mut self, text: &str, sink: &mut Sink<'_>) -> Token {
        let bytes = text.as_bytes();
        let blank = self.blanks(bytes, sink.diags);
        let start = self.pos;
        let mut flags = if blank { TokenFlags::BLANK } else { TokenFlags::NONE };
        if self.line_start {
            flags = flags.with(TokenFlags::LINE_START);
        }
        let Some(&first) = bytes.get(start) else {
            let kind = if self.directive { TokenKind::End } else { TokenKind::Eof };
            return self.token(kind, start, flags, Name::EMPTY);
        };
        if matches!(first, b'\n' | b'\r') {
            return self.token(TokenKind::End, start, flags, Name::EMPTY);
        }
        self.line_start = false;
        let class = CLASS[first as usize];
        if class == WORD {
            // The usual case first: no splice in the word.
            let mut end = start + 1;
            while bytes.get(end).is_some_and(|&b| continues_word(b)) {
                end += 1;
            }
            if bytes.get(end) != Some(&b'\\') {
                self.pos = end;
                return self.word(text, start, flags, end - start, sink);
            }
            let mut cursor = Cursor { bytes, pos: start, taken: 0 };
            cursor.words();
            self.pos = cursor.pos;
            return self.word(text, start, flags, cursor.taken, sink);
        }
        let mut cursor = Cursor { bytes, pos: start, taken: 0 };
        cursor.take();
        if class & DIGIT != 0 || (first == b'.' && cursor.peek().is_ascii_digit()) {
            number(&mut cursor, first);
            self.pos = cursor.pos;
            let name = self.spelling(text, start, cursor.taken, sink);
            return self.token(TokenKind::Number, start, flags, name);
        }
        if matches!(first, b'"' | b'\'') {
            let kind = quoted(&mut cursor, first);
            self.pos = cursor.pos;
            let name = self.spelling(text, start, cursor.taken, sink);
            return self.token(kind, start, flags, name);
        }
        if let Some(kind) = punctuator(&mut cursor, first) {
            self.pos = cursor.pos;
            return self.token(kind, start, flags, Name::EMPTY);
        }
        // One character, or a run of those outside of ASCII.
        self.pos = start + 1;
        if !first.is_ascii() {
            while bytes.get(self.pos).is_some_and(|b| !b.is_ascii()) {
                self.pos += 1;
            }
        }
        let name = self.spelling(text, start, self.pos - start, sink);
        self.token(TokenKind::Other, start, flags, name)
    }

    /// A name between `<` and `>`, if one starts here in a directive.
    pub fn header_name(&mut self, text: &str, sink: &mut Sink<'_>) -> Option<Token> {
        let bytes = text.as_bytes();
        self.blanks(bytes, sink.diags);
        let start = self.pos;
        if bytes.get(start) != Some(&b'<') {
            return None;
        }
        let mut cursor = Cursor { bytes, pos: start, taken: 0 };
        loop {
            match cursor.peek() {
                b'\n' | b'\r' => return None,
                0 if cursor.ended() => return None,
                b'>' => break,
                _ => cursor.take(),
            };
        }
        cursor.take();
        self.pos = cursor.pos;
        let name = self.spelling(text, start, cursor.taken, sink);
        Some(self.token(TokenKind::HeaderName, start, TokenFlags::BLANK, name))
    }

    /// Passes blanks, comments and splices, and line ends unless in a directive; whether there were any.
    fn blanks(&mut self, bytes: &[u8], diags: &mut Diags) -> bool {
        let before = self.pos;
        let mut blank = false;
        loop {
            match bytes.get(self.pos) {
                Some(b' ' | b'\t' | 0x0b | 0x0c) => self.pos += 1,
                Some(b'\n' | b'\r') if !self.directive => {
                    self.pos += 1;
                    self.line_start = true;
                }
                Some(b'\\') => match splice(bytes, self.pos) {
                    // A splice alone is nothing, not a blank.
                    Some(behind) => {
                        blank |=
                            self.pos > before && bytes.get(self.pos - 1).is_some_and(|&b| CLASS[b as usize] == BLANK);
                        self.pos = behind;
                        continue;
                    }
                    None => return blank,
                },
                Some(b'/') => {
                    let mut cursor = Cursor { bytes, pos: self.pos, taken: 0 };
                    cursor.take();
                    if cursor.eat(b'/') {
                        self.pos = skip::line_end(bytes, cursor.pos);
                    } else if cursor.eat(b'*') {
                        match skip::comment_end(bytes, cursor.pos) {
                            Some(end) => self.pos = end,
                            None => {
                                diags.push(open_comment(self.source, self.pos, cursor.pos));
                                self.pos = bytes.len();
                            }
                        }
                    } else {
                        return blank;
                    }
                }
                _ => return blank,
            }
            blank = true;
        }
    }

    #[inline]
    fn token(&self, kind: TokenKind, start: usize, flags: TokenFlags, name: Name) -> Token {
        let mut token = Token::new(kind, Span::new(self.source, start as u32, self.pos as u32), name);
        token.flags = flags;
        token
    }

    #[inline]
    fn word(&self, text: &str, start: usize, flags: TokenFlags, length: usize, sink: &mut Sink<'_>) -> Token {
        let name = self.spelling(text, start, length, sink);
        if length > sink.limits.identifier_length {
            sink.diags.push(
                Diagnostic::error(
                    &AQ4010,
                    format!("name has {length} characters; the limit is {}", sink.limits.identifier_length),
                )
                .at(Span::new(self.source, start as u32, self.pos as u32), ""),
            );
        }
        self.token(sink.keywords.kind(name), start, flags, name)
    }

    /// The name of the text from `start` on, `length` bytes without splices.
    fn spelling(&self, text: &str, start: usize, length: usize, sink: &mut Sink<'_>) -> Name {
        if length > sink.limits.literal_length && text.as_bytes().get(start).is_none_or(|&b| CLASS[b as usize] != WORD)
        {
            sink.diags.push(
                Diagnostic::error(
                    &AQ4010,
                    format!("literal has {length} bytes; the limit is {}", sink.limits.literal_length),
                )
                .at(Span::new(self.source, start as u32, self.pos as u32), ""),
            );
        }
        let raw = text.get(start..self.pos).unwrap_or_default();
        if length == raw.len() {
            return sink.names.intern(raw);
        }
        let mut cursor = Cursor { bytes: raw.as_bytes(), pos: 0, taken: 0 };
        let clean: Vec<u8> = (0..length).map(|_| cursor.take()).collect();
        sink.names.intern(&String::from_utf8_lossy(&clean))
    }
}

/// The fault of a comment that is not closed, at its start (A2.3).
pub(crate) fn open_comment(source: SourceId, start: usize, end: usize) -> Diagnostic {
    Diagnostic::error(&AQ1002, "comment is not closed")
        .at(Span::new(source, start as u32, end as u32), "it starts here")
}

/// The rest of a number (A2.5 to A2.7) of which `first` has been taken.
fn number(cursor: &mut Cursor<'_>, first: u8) {
    if first == b'0' && matches!(cursor.peek(), b'x' | b'X') {
        cursor.take();
        return hex(cursor);
    }
    let mut fraction = first == b'.';
    loop {
        match cursor.peek() {
            b'0'..=b'9' => {
                cursor.take();
            }
            b'.' if !fraction && dot_belongs(cursor.ahead()) => {
                fraction = true;
                cursor.take();
                if cursor.peek() == b'#' {
                    cursor.take();
                    return cursor.words();
                }
            }
            b'e' | b'E' => {
                let [_, sign, digit] = cursor.ahead();
                cursor.take();
                if matches!(sign, b'+' | b'-') && digit.is_ascii_digit() {
                    cursor.take();
                }
                return cursor.words();
            }
            _ => return cursor.words(),
        }
    }
}

/// Whether the point that `ahead` starts with belongs to the number, and is not that of a swizzle (A2.7).
fn dot_belongs(ahead: [u8; 4]) -> bool {
    let [_, next, second, third] = ahead;
    match next {
        b'0'..=b'9' => true,
        b'f' | b'F' | b'h' | b'H' | b'l' | b'L' => !continues_word(second),
        b'e' | b'E' => second.is_ascii_digit() || (matches!(second, b'+' | b'-') && third.is_ascii_digit()),
        // `1.#INF`, `1.#IND`, `1.#QNAN`
        b'#' => matches!(second, b'I' | b'Q') && third == b'N',
        _ => !continues_word(next),
    }
}

fn hex(cursor: &mut Cursor<'_>) {
    let digits = |cursor: &mut Cursor<'_>| {
        while cursor.peek().is_ascii_hexdigit() {
            cursor.take();
        }
    };
    digits(cursor);
    if cursor.peek() == b'.' {
        // Only with an exponent: `0x1.a` is a member of an integer.
        let mut ahead = *cursor;
        ahead.take();
        digits(&mut ahead);
        if !matches!(ahead.peek(), b'p' | b'P') {
            return;
        }
        *cursor = ahead;
    }
    if matches!(cursor.peek(), b'p' | b'P') {
        let [_, sign, digit] = cursor.ahead();
        cursor.take();
        if matches!(sign, b'+' | b'-') && digit.is_ascii_digit() {
            cursor.take();
        }
    }
    cursor.words();
}

/// The rest of a string or character; [`TokenKind::Other`] where it is not closed on its line.
fn quoted(cursor: &mut Cursor<'_>, quote: u8) -> TokenKind {
    loop {
        let byte = cursor.peek();
        match byte {
            b'\n' | b'\r' => return TokenKind::Other,
            0 if cursor.ended() => return TokenKind::Other,
            b'\\' => {
                cursor.take();
                if !matches!(cursor.peek(), b'\n' | b'\r') && !cursor.ended() {
                    cursor.take();
                }
            }
            _ => {
                cursor.take();
                if byte == quote {
                    return if quote == b'"' { TokenKind::StringLit } else { TokenKind::CharLit };
                }
            }
        }
    }
}

/// The rest of a punctuator that starts with `first`: the longest one.
fn punctuator(cursor: &mut Cursor<'_>, first: u8) -> Option<TokenKind> {
    use TokenKind::*;
    Some(match first {
        b'(' => LParen,
        b')' => RParen,
        b'[' => LBracket,
        b']' => RBracket,
        b'{' => LBrace,
        b'}' => RBrace,
        b';' => Semicolon,
        b',' => Comma,
        b'?' => Question,
        b'~' => Tilde,
        b':' if cursor.eat(b':') => ColonColon,
        b':' => Colon,
        b'.' if cursor.ahead() == [b'.', b'.'] => {
            cursor.take();
            cursor.take();
            Ellipsis
        }
        b'.' => Dot,
        b'#' if cursor.eat(b'#') => HashHash,
        b'#' => Hash,
        b'+' if cursor.eat(b'+') => PlusPlus,
        b'+' if cursor.eat(b'=') => PlusAssign,
        b'+' => Plus,
        b'-' if cursor.eat(b'-') => MinusMinus,
        b'-' if cursor.eat(b'=') => MinusAssign,
        b'-' if cursor.eat(b'>') => Arrow,
        b'-' => Minus,
        b'*' if cursor.eat(b'=') => StarAssign,
        b'*' => Star,
        b'/' if cursor.eat(b'=') => SlashAssign,
        b'/' => Slash,
        b'%' if cursor.eat(b'=') => PercentAssign,
        b'%' => Percent,
        b'^' if cursor.eat(b'=') => CaretAssign,
        b'^' => Caret,
        b'=' if cursor.eat(b'=') => EqEq,
        b'=' => Assign,
        b'!' if cursor.eat(b'=') => NotEq,
        b'!' => Not,
        b'&' if cursor.eat(b'&') => AndAnd,
        b'&' if cursor.eat(b'=') => AndAssign,
        b'&' => And,
        b'|' if cursor.eat(b'|') => OrOr,
        b'|' if cursor.eat(b'=') => OrAssign,
        b'|' => Or,
        b'<' if cursor.eat(b'<') => {
            if cursor.eat(b'=') {
                ShlAssign
            } else {
                Shl
            }
        }
        b'<' if cursor.eat(b'=') => LessEq,
        b'<' => Less,
        b'>' if cursor.eat(b'>') => {
            if cursor.eat(b'=') {
                ShrAssign
            } else {
                Shr
            }
        }
        b'>' if cursor.eat(b'=') => GreaterEq,
        b'>' => Greater,
        _ => return None,
    })
}
