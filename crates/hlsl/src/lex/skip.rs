//! Passing over text quickly: comments and groups that are skipped.

use super::{CLASS, Cursor, splice};

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = ONES << 7;

/// The bit 7 of the bytes of `word` that are zero. Bytes above the lowest such one can be marked wrongly.
#[inline]
fn zeros(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & HIGHS
}

/// The first of `wanted` at `pos` or behind it, or the length.
#[inline]
pub fn find<const N: usize>(bytes: &[u8], mut pos: usize, wanted: [u8; N]) -> usize {
    let masks = wanted.map(|byte| ONES * u64::from(byte));
    while let Some(&chunk) = bytes.get(pos..).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(chunk);
        let mut hit = 0;
        for mask in masks {
            hit |= zeros(word ^ mask);
        }
        if hit != 0 {
            return pos + (hit.trailing_zeros() / 8) as usize;
        }
        pos += 8;
    }
    while bytes.get(pos).is_some_and(|b| !wanted.contains(b)) {
        pos += 1;
    }
    pos
}

/// The line end at `pos` or behind it that no backslash splices, or the length.
pub fn line_end(bytes: &[u8], mut pos: usize) -> usize {
    loop {
        pos = find(bytes, pos, [b'\n', b'\r', b'\\']);
        match bytes.get(pos) {
            Some(b'\\') => pos = splice(bytes, pos).unwrap_or(pos + 1),
            _ => return pos,
        }
    }
}

/// What lies behind the `*/` that ends a comment of which `pos` is inside.
pub fn comment_end(bytes: &[u8], mut pos: usize) -> Option<usize> {
    loop {
        pos = find(bytes, pos, [b'*']) + 1;
        if pos > bytes.len() {
            return None;
        }
        let mut cursor = Cursor { bytes, pos, taken: 0 };
        if cursor.eat(b'/') {
            return Some(cursor.pos);
        }
    }
}

/// What the rest of a skipped line holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Skipped {
    /// A `#` that is the first of its line, here.
    Hash(usize),
    /// The end of the text.
    End,
    /// A comment that is not closed, from here on.
    OpenComment(usize),
}

/// The next directive at `pos`, which starts a line, or behind it.
///
/// Only comments can hide a `#`, and only quotes can hide a comment; all else is passed eight bytes at a time.
pub fn directive(bytes: &[u8], mut pos: usize) -> Skipped {
    loop {
        // Blanks and comments in front of a `#` leave it the first of its line.
        loop {
            match bytes.get(pos) {
                Some(&b) if CLASS[b as usize] == super::BLANK || b == b'\n' || b == b'\r' => pos += 1,
                Some(b'\\') => match splice(bytes, pos) {
                    Some(behind) => pos = behind,
                    None => break,
                },
                Some(b'/') => {
                    let mut cursor = Cursor { bytes, pos: pos + 1, taken: 0 };
                    if cursor.eat(b'*') {
                        match comment_end(bytes, cursor.pos) {
                            Some(end) => pos = end,
                            None => return Skipped::OpenComment(pos),
                        }
                    } else {
                        break;
                    }
                }
                Some(b'#') => return Skipped::Hash(pos),
                Some(_) => break,
                None => return Skipped::End,
            }
        }
        match rest_of_line(bytes, pos) {
            Ok(end) => pos = end,
            Err(open) => return Skipped::OpenComment(open),
        }
    }
}

/// The line end at `pos` or behind it that neither a splice nor a comment swallows; a comment that is not closed.
pub fn rest_of_line(bytes: &[u8], start: usize) -> Result<usize, usize> {
    let mut pos = start;
    loop {
        pos = find(bytes, pos, [b'\n', b'\r', b'\\', b'/', b'"', b'\'']);
        match bytes.get(pos) {
            None | Some(b'\n' | b'\r') => return Ok(pos),
            Some(b'\\') => pos = splice(bytes, pos).unwrap_or(pos + 1),
            Some(b'/') => {
                let mut cursor = Cursor { bytes, pos: pos + 1, taken: 0 };
                if cursor.eat(b'/') {
                    return Ok(line_end(bytes, cursor.pos));
                }
                if cursor.eat(b'*') {
                    pos = comment_end(bytes, cursor.pos).ok_or(pos)?;
                } else {
                    pos += 1;
                }
            }
            Some(&quote) => {
                let mut cursor = Cursor { bytes, pos: pos + 1, taken: 0 };
                super::quoted(&mut cursor, quote);
                pos = cursor.pos;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn find_gives_the_first_at_every_alignment() {
        for length in 0..40 {
            for at in 0..=length {
                let mut bytes = vec![b'a'; length];
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = b'\n';
                }
                for from in 0..=at {
                    assert_eq!(find(&bytes, from, [b'\n', b'/']), at, "{length} {at} {from}");
                }
            }
        }
        // A borrow of the subtraction marks the byte above a hit: the lowest one counts.
        assert_eq!(find(b"aaa\n\x0baaa", 0, [b'\n']), 3);
        assert_eq!(find(b"aaa\x0b\naaa", 0, [b'\n']), 4);
    }

    #[test]
    fn a3_1_a_directive_is_found_behind_comments_and_not_inside_of_them() {
        let at = |text: &str| directive(text.as_bytes(), 0);
        assert_eq!(at("a # b\n  /* x\n */ # c"), Skipped::Hash(17));
        assert_eq!(at("/* \n# a */ b\n# c"), Skipped::Hash(13));
        assert_eq!(at("a // /* \n# c"), Skipped::Hash(9));
        assert_eq!(at("a // \\\n# b\n# c"), Skipped::Hash(11));
        assert_eq!(at("a \"/*\" b\n# c"), Skipped::Hash(9));
        assert_eq!(at("don't /* b\n# c */ \n# d"), Skipped::Hash(11));
        assert_eq!(at("a \\\n# b\n c"), Skipped::End);
        assert_eq!(at("a\r# b"), Skipped::Hash(2));
        assert_eq!(at("a /* b\n# c"), Skipped::OpenComment(2));
    }
}
