//! What a file is by its first word, and the shader streams inside a `DXBC` container (sheet 1.1).

use super::Version;
use std::ops::Range;

/// What the first word of a file says that it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// A bare stream of this version.
    Shader(Version),
    /// An fx_2_0 effect, `FEFF0901`.
    Effect,
    /// An effect behind the wrapper of XNA 4, `BCF00BCF`.
    WrappedEffect,
    /// An FX expression or preshader, `4658 0200` or `4658 0201`.
    Expression,
    /// A texture shader, `5458 0100`, which nothing here supports.
    TextureShader,
    /// A `DXBC` container; [`streams`] finds feature level 9 shaders in it.
    Container,
    /// None of those.
    Unknown,
}

/// Reads the first word.
pub fn identify(bytes: &[u8]) -> FileKind {
    let Some(word) = word(bytes, 0) else { return FileKind::Unknown };
    match word {
        0xFEFF_0901 => FileKind::Effect,
        0xBCF0_0BCF => FileKind::WrappedEffect,
        0x4658_0200 | 0x4658_0201 => FileKind::Expression,
        0x5458_0100 => FileKind::TextureShader,
        _ if bytes.starts_with(b"DXBC") => FileKind::Container,
        _ => Version::from_word(word).map_or(FileKind::Unknown, FileKind::Shader),
    }
}

/// Most chunks of a container that are looked at; real ones have fewer than ten.
const CHUNKS: u32 = 256;

/// The byte ranges of the shader model 2 streams in the `Aon9` chunks of a `DXBC` container. Empty for a container
/// without one, and for a damaged one.
pub fn streams(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    if !bytes.starts_with(b"DXBC") {
        return found;
    }
    // Magic, 16 bytes of checksum, version, total size, chunk count, then the offsets.
    let count = word(bytes, 28).unwrap_or(0).min(CHUNKS);
    for i in 0..count as usize {
        let Some(chunk) = word(bytes, 32 + 4 * i) else { break };
        found.extend(level9(bytes, chunk as usize));
    }
    found
}

/// The stream of the chunk at `chunk`, if that is an `Aon9` chunk whose fields fit the file.
fn level9(bytes: &[u8], chunk: usize) -> Option<Range<usize>> {
    let start = chunk.checked_add(8)?;
    if bytes.get(chunk..chunk.checked_add(4)?)? != b"Aon9" {
        return None;
    }
    let length = word(bytes, chunk + 4)? as usize;
    let payload = bytes.get(start..start.checked_add(length)?)?;
    let (size, offset) = (word(payload, 8)? as usize, word(payload, 12)? as usize);
    let end = offset.checked_add(size)?;
    Version::from_word(word(payload.get(..end)?, offset)?)?;
    Some(start + offset..start + end)
}

/// The little-endian word at a byte offset.
fn word(bytes: &[u8], offset: usize) -> Option<u32> {
    bytes.get(offset..offset.checked_add(4)?)?.try_into().ok().map(u32::from_le_bytes)
}
