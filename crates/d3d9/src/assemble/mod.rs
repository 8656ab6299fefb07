//! Assembly text to shader tokens.
use crate::tokens::Version;

/// The words of one statement.
pub(crate) fn statement(_version: Version, _line: &str) -> Option<Vec<u32>> {
    None
}
