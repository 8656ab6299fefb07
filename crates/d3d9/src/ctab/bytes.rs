//! Little-endian reads at 64-bit offsets, none of which can go out of bounds.

use aquatint_base::{SourceId, Span};

/// A range of an input, and where in the input it lies.
#[derive(Clone, Copy)]
pub(crate) struct Bytes<'a> {
    /// The range.
    pub data: &'a [u8],
    /// Byte offset of `data` in the input.
    pub base: u32,
    /// The input.
    pub source: SourceId,
}

impl<'a> Bytes<'a> {
    /// The length in bytes.
    pub fn len(&self) -> u64 {
        self.data.len() as u64
    }

    /// `len` bytes from `at`.
    pub fn slice(&self, at: u64, len: u64) -> Option<&'a [u8]> {
        let end = at.checked_add(len)?;
        if end > self.len() {
            return None;
        }
        self.data.get(at as usize..end as usize)
    }

    /// The 16-bit number at `at`.
    pub fn u16(&self, at: u64) -> Option<u16> {
        let bytes = self.slice(at, 2)?;
        Some(u16::from_le_bytes(bytes.try_into().ok()?))
    }

    /// The word at `at`.
    pub fn u32(&self, at: u64) -> Option<u32> {
        let bytes = self.slice(at, 4)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?))
    }

    /// The bytes from `at` up to a NUL, which must follow within `cap` bytes.
    pub fn c_string(&self, at: u64, cap: usize) -> Option<&'a [u8]> {
        let rest = self.data.get(usize::try_from(at).ok()?..)?;
        let rest = &rest[..rest.len().min(cap)];
        rest.iter().position(|&byte| byte == 0).map(|end| &rest[..end])
    }

    /// The place of `len` bytes from `at`, cut to the range.
    pub fn span(&self, at: u64, len: u64) -> Span {
        let clamp = |offset: u64| {
            let offset = offset.min(self.len()) + u64::from(self.base);
            u32::try_from(offset).unwrap_or(u32::MAX)
        };
        Span::new(self.source, clamp(at), clamp(at.saturating_add(len)))
    }
}

/// Text of unknown code page: UTF-8 where it is that, else one scalar value a byte, so that nothing is lost.
pub(crate) fn text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// The words of `bytes`; a tail shorter than a word is left out.
pub(crate) fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}
