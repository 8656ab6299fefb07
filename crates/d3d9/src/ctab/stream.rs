//! The comments directly after a version word, which is where D3DX looks for metadata (5.2).

use aquatint_base::{Diagnostic, Diags, SourceId, Span};

use super::{ConstantTable, parse};
use crate::codes;

/// A comment: its FourCC, the bytes after that, and their byte offset in the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comment<'a> {
    /// The first four bytes, in file order.
    pub four_cc: [u8; 4],
    /// What follows them.
    pub payload: &'a [u8],
    /// Byte offset of `payload` in the stream.
    pub offset: usize,
}

/// The comments that stand between the version word of `stream` and its first other token. Comments shorter than a
/// FourCC are passed over; one that reaches past the end stops the walk.
pub fn leading_comments(stream: &[u8]) -> impl Iterator<Item = Comment<'_>> {
    let mut at = 4;
    std::iter::from_fn(move || {
        loop {
            let token = u32::from_le_bytes(stream.get(at..at + 4)?.try_into().ok()?);
            if token & 0x8000_FFFF != 0xFFFE {
                return None;
            }
            let start = at + 4;
            let end = start + 4 * (token >> 16) as usize;
            let all = stream.get(start..end)?;
            at = end;
            if let Some((four_cc, payload)) = all.split_first_chunk::<4>() {
                return Some(Comment { four_cc: *four_cc, payload, offset: start + 4 });
            }
        }
    })
}

/// The constant table of a shader or expression stream, from the comments after its version word: the first one, with
/// a warning where there is another or where it names another version. `base` is the byte offset of `stream` in the
/// input `source`.
pub fn of_stream(stream: &[u8], base: u32, source: SourceId, diags: &mut Diags) -> Option<ConstantTable> {
    let place = |offset: usize| base.saturating_add(u32::try_from(offset).unwrap_or(u32::MAX));
    let mut tables = leading_comments(stream).filter(|comment| &comment.four_cc == b"CTAB");
    let first = tables.next()?;
    let span =
        |comment: &Comment<'_>| Span::new(source, place(comment.offset), place(comment.offset + comment.payload.len()));
    if let Some(second) = tables.next() {
        let warning =
            Diagnostic::warning(&codes::E_CTAB, "the stream has more than one constant table, the first is used");
        diags.push(warning.at(span(&second), "another table").at(span(&first), "the first"));
    }
    let table = parse(first.payload, place(first.offset), source, diags)?;
    let version = u32::from_le_bytes(stream.get(..4)?.try_into().ok()?);
    table.check_version(version, span(&first), diags);
    Some(table)
}
