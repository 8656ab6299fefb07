//! What effects and shaders lie in: XNA 4 wrappers, `.xnb` files, and the DXBC blobs of newer files.

use std::ops::Range;

use crate::tokens::container::streams;

/// First word of an effect.
pub const EFFECT: u32 = 0xFEFF_0901;
/// First word of the XNA 4 wrapper. The word after it is the wrapper's size.
pub const WRAPPER: u32 = 0xBCF0_0BCF;

/// Something found inside a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Embedded {
    /// What it is.
    pub kind: EmbeddedKind,
    /// Its bytes in the file. A wrapped effect begins past its wrapper.
    pub range: Range<usize>,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EmbeddedKind {
    /// An fx_2_0 effect.
    Effect,
    /// A DXBC container.
    Dxbc {
        /// The shader model 2 stream in its `Aon9` chunk, where it has one.
        level_9: Option<Range<usize>>,
    },
}

/// Why there is no effect to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoEffect {
    /// An `.xnb` file whose content is compressed.
    Compressed,
    /// A MonoGame effect: its shaders are GLSL or DXBC, see [`embedded`].
    MonoGame,
    /// Nothing known.
    Unknown,
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk::<4>()?))
}

/// Where `needle` stands in `bytes` from `from` on. One pass.
fn find(bytes: &[u8], from: usize, needle: [u8; 4]) -> Option<usize> {
    bytes.get(from..)?.windows(4).position(|window| window == needle).map(|at| from + at)
}

/// The effect in a file: bare, in a wrapper, or in an uncompressed `.xnb`.
pub fn effect_range(bytes: &[u8]) -> Result<Range<usize>, NoEffect> {
    match word(bytes, 0) {
        Some(EFFECT) => return Ok(0..bytes.len()),
        Some(WRAPPER) => return unwrap(bytes, 0).ok_or(NoEffect::Unknown),
        _ => {}
    }
    if bytes.starts_with(b"XNB") && bytes.get(5).is_some_and(|flags| flags & 0xC0 != 0) {
        return Err(NoEffect::Compressed);
    }
    let mut from = 0;
    while let Some(at) = find(bytes, from, WRAPPER.to_le_bytes()) {
        if let Some(range) = unwrap(bytes, at) {
            return Ok(range);
        }
        from = at + 4;
    }
    let mono_game = find(bytes, 0, *b"MGFX").is_some_and(|at| at == 0 || bytes.starts_with(b"XNB"));
    Err(if mono_game { NoEffect::MonoGame } else { NoEffect::Unknown })
}

/// The effect behind the wrapper at `at`. In `.xnb` files the word before the wrapper is the length of both.
fn unwrap(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let start = at.checked_add(word(bytes, at + 4)? as usize)?;
    if word(bytes, start) != Some(EFFECT) {
        return None;
    }
    let length = at.checked_sub(4).and_then(|before| word(bytes, before));
    let end = length.and_then(|length| at.checked_add(length as usize));
    Some(start..end.filter(|end| (start + 8..=bytes.len()).contains(end)).unwrap_or(bytes.len()))
}

/// Everything that a file holds: its effect, and all DXBC containers, in file order. Meant for `.xnb`, `.mgfxo` and
/// `.o` files; other bytes between are passed over. Linear in the file.
pub fn embedded(bytes: &[u8]) -> Vec<Embedded> {
    let mut all = Vec::new();
    let mut from = 0;
    if let Ok(range) = effect_range(bytes) {
        from = range.end;
        all.push(Embedded { kind: EmbeddedKind::Effect, range });
    }
    while let Some(at) = find(bytes, from, *b"DXBC") {
        match dxbc(bytes, at) {
            Some(found) => {
                from = found.range.end;
                all.push(found);
            }
            None => from = at + 4,
        }
    }
    all
}

/// The container at `at`: FourCC, 16 bytes of checksum, 1, size, chunk count.
fn dxbc(bytes: &[u8], at: usize) -> Option<Embedded> {
    let size = word(bytes, at + 24)? as usize;
    let data = bytes.get(at..at.checked_add(size)?)?;
    let count = word(data, 28)? as usize;
    if word(data, 20)? != 1 || count > (size - 32) / 4 {
        return None;
    }
    let level_9 = streams(data).into_iter().next().map(|range| range.start + at..range.end + at);
    Some(Embedded { kind: EmbeddedKind::Dxbc { level_9 }, range: at..at + size })
}
