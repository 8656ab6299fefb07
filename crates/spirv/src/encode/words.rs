//! Writing instructions as words.

use spirv::Op;

/// A growing list of SPIR-V instructions.
#[derive(Clone, Debug, Default)]
pub struct Words {
    words: Vec<u32>,
}

impl Words {
    /// Room for `capacity` words.
    pub fn with_capacity(capacity: usize) -> Self {
        Self { words: Vec::with_capacity(capacity) }
    }

    /// Appends an instruction.
    #[inline]
    pub fn op(&mut self, op: Op, operands: &[u32]) {
        self.words.push((operands.len() as u32 + 1) << 16 | op as u32);
        self.words.extend_from_slice(operands);
    }

    /// Appends an instruction in two parts, which spares a temporary list.
    #[inline]
    pub fn op2(&mut self, op: Op, first: &[u32], second: &[u32]) {
        self.words.push(((first.len() + second.len() + 1) as u32) << 16 | op as u32);
        self.words.extend_from_slice(first);
        self.words.extend_from_slice(second);
    }

    /// Appends an instruction with a string between two lists of operands.
    pub fn op_text(&mut self, op: Op, before: &[u32], text: &str, after: &[u32]) {
        let start = self.words.len();
        self.words.push(0);
        self.words.extend_from_slice(before);
        // A string is UTF-8 in little-endian words with a NUL, padded with zeros (SPIR-V 2.2.1).
        let mut word = 0;
        for (index, byte) in text.bytes().filter(|&b| b != 0).chain(std::iter::once(0)).enumerate() {
            word |= u32::from(byte) << (8 * (index % 4));
            if index % 4 == 3 {
                self.words.push(word);
                word = 0;
            }
        }
        if text.bytes().filter(|&b| b != 0).count() % 4 != 3 {
            self.words.push(word);
        }
        self.words.extend_from_slice(after);
        self.words[start] = ((self.words.len() - start) as u32) << 16 | op as u32;
    }

    /// The number of words.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Overwrites a word that was a placeholder.
    pub fn patch(&mut self, at: usize, word: u32) {
        if let Some(place) = self.words.get_mut(at) {
            *place = word;
        }
    }

    /// The words.
    pub fn as_slice(&self) -> &[u32] {
        &self.words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_end_in_a_nul_and_fill_words() {
        for (text, words) in [("", 1), ("abc", 1), ("abcd", 2), ("main", 2), ("abcdefg", 2)] {
            let mut list = Words::default();
            list.op_text(Op::Name, &[7], text, &[]);
            assert_eq!(list.len(), 2 + words, "{text:?}");
            assert_eq!(list.as_slice()[0] >> 16, 2 + words as u32);
        }
    }
}
