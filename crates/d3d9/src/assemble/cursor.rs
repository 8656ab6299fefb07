//! Characters of a line, and numbers.

use super::SyntaxError;
use crate::codes;

/// A position in the text of a line.
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    pub fn position(&self) -> usize {
        self.at
    }

    pub fn at_end(&self) -> bool {
        self.rest().trim_ascii_start().is_empty()
    }

    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub fn second(&self) -> Option<char> {
        self.rest().chars().nth(1)
    }

    pub fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_ascii_start().len();
    }

    pub fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    /// The longest prefix whose bytes satisfy `want`; these must be ASCII.
    pub fn take_while(&mut self, want: impl Fn(u8) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.bytes().take_while(|&b| b.is_ascii() && want(b)).count();
        self.at += length;
        rest.get(..length).unwrap_or("")
    }

    /// Letters, digits and underscores.
    pub fn identifier(&mut self) -> &'a str {
        self.take_while(|b| b.is_ascii_alphanumeric() || b == b'_')
    }

    /// Decimal digits; saturates.
    pub fn unsigned(&mut self) -> Option<u64> {
        let digits = self.take_while(|b| b.is_ascii_digit());
        (!digits.is_empty()).then(|| digits.parse().unwrap_or(u64::MAX))
    }

    /// Eight hex digits, or fewer.
    pub fn hex_word(&mut self) -> Result<u32, SyntaxError> {
        let start = self.at;
        let digits = self.take_while(|b| b.is_ascii_alphanumeric());
        match u32::from_str_radix(digits, 16) {
            Ok(word) if digits.len() <= 8 => Ok(word),
            _ => {
                if self.at == start {
                    self.skip();
                }
                Err(self.error_from(start, "expected a word of up to eight hex digits", "such as 800F0000"))
            }
        }
    }

    fn skip(&mut self) {
        self.at += self.peek().map_or(0, char::len_utf8);
    }

    /// The words of ` {XXXXXXXX …}`; the text before them is passed over.
    pub fn exact_words(&mut self, words: &mut Vec<u32>) -> Result<(), SyntaxError> {
        self.at += self.rest().find('{').map_or(0, |open| open + 1);
        let length = words.len();
        let result = loop {
            self.blanks();
            if self.eat('}') {
                break Ok(());
            }
            if self.at_end() {
                break Err(self.error("expected `}`", "exact words stand between braces"));
            }
            match self.hex_word() {
                Ok(word) => words.push(word),
                Err(error) => break Err(error),
            }
        };
        if result.is_err() {
            words.truncate(length);
        }
        result
    }

    /// A float (sheet 6.1), as bits.
    pub fn float(&mut self) -> Result<u32, SyntaxError> {
        let start = self.at;
        let negative = self.sign();
        if self.starts_with_ignoring_case("0x") {
            self.at += 2;
            if negative.is_some() {
                return Err(self.error_from(start, "a sign before raw bits", "0x… gives all 32 bits of the float"));
            }
            return self.hex_word();
        }
        let sign = if negative == Some(true) { 0x8000_0000 } else { 0 };
        for (name, bits) in [("1.#INF", 0x7F80_0000), ("1.#QNAN", 0x7FC0_0000), ("1.#IND", 0x7FC0_0000)] {
            if self.starts_with_ignoring_case(name) {
                self.at += name.len();
                return Ok(bits | sign);
            }
        }
        let digits = self.at;
        self.take_while(|b| b.is_ascii_digit() || b == b'.');
        let mantissa = self.at;
        if matches!(self.peek(), Some('e' | 'E')) && mantissa > digits {
            self.at += 1;
            self.sign();
            self.take_while(|b| b.is_ascii_digit());
        }
        let value =
            self.text.get(digits..self.at).and_then(|text| text.parse::<f32>().ok()).filter(|value| value.is_finite());
        if matches!(self.peek(), Some('f' | 'F')) {
            self.at += 1;
        }
        let after = self.identifier();
        match value {
            Some(value) if after.is_empty() => Ok(value.to_bits() | sign),
            _ => {
                if self.at == start {
                    self.skip();
                }
                Err(self.error_from(start, "expected a number", "such as 1, -0.5, 2e-3, 1.#INF or 0x7FC00001"))
            }
        }
    }

    /// A 32-bit integer, signed or unsigned, decimal or hex.
    pub fn integer(&mut self) -> Result<u32, SyntaxError> {
        let start = self.at;
        let negative = self.sign() == Some(true);
        let hex = self.starts_with_ignoring_case("0x");
        if hex {
            self.at += 2;
        }
        let digits = self.take_while(|b| b.is_ascii_alphanumeric() || b == b'.');
        let value = i64::from_str_radix(digits, if hex { 16 } else { 10 }).ok().filter(|&v| v <= i64::from(u32::MAX));
        let value = value.map(|v| if negative { -v } else { v }).filter(|&v| v >= i64::from(i32::MIN));
        value.map(|v| v as u32).ok_or_else(|| {
            if self.at == start {
                self.skip();
            }
            self.error_from(start, "expected a 32-bit integer", "such as 255 or -1")
        })
    }

    /// A sign: whether it is `-`.
    fn sign(&mut self) -> Option<bool> {
        let negative = match self.peek() {
            Some('-') => true,
            Some('+') => false,
            _ => return None,
        };
        self.at += 1;
        self.blanks();
        Some(negative)
    }

    fn starts_with_ignoring_case(&self, prefix: &str) -> bool {
        self.rest().get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
    }

    /// An error at the character in hand.
    pub fn error(&self, message: impl Into<String>, help: &'static str) -> SyntaxError {
        let width = self.peek().map_or(1, char::len_utf8);
        SyntaxError { start: self.at, end: self.at + width, code: &codes::E_SYNTAX, message: message.into(), help }
    }

    /// An error from `start` to the character in hand.
    pub fn error_from(&self, start: usize, message: impl Into<String>, help: &'static str) -> SyntaxError {
        SyntaxError { start, end: self.at.max(start + 1), code: &codes::E_SYNTAX, message: message.into(), help }
    }

    /// An error from the character in hand to the end of the line.
    pub fn error_to_end(&self, message: impl Into<String>, help: &'static str) -> SyntaxError {
        SyntaxError {
            start: self.at,
            end: self.text.trim_ascii_end().len().max(self.at + 1),
            code: &codes::E_SYNTAX,
            message: message.into(),
            help,
        }
    }
}
