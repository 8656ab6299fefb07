//! Committed expectations.

use std::path::Path;

/// Compares a text with a committed file, or rewrites the file where `UPDATE_EXPECT=1`.
///
/// # Errors
/// What differs, and how to bless it.
pub fn expect_file(path: &Path, found: &str) -> Result<(), String> {
    if std::env::var_os("UPDATE_EXPECT").is_some_and(|value| value != "0") {
        return std::fs::write(path, found).map_err(|e| format!("{}: {e}", path.display()));
    }
    let wanted = std::fs::read_to_string(path).unwrap_or_default();
    if wanted == found {
        return Ok(());
    }
    let mut message = format!("{} is another; UPDATE_EXPECT=1 rewrites it. Lines that differ:\n", path.display());
    let (old, new): (Vec<&str>, Vec<&str>) = (wanted.lines().collect(), found.lines().collect());
    for line in old.iter().filter(|line| !new.contains(line)).take(40) {
        message.push_str(&format!("- {line}\n"));
    }
    for line in new.iter().filter(|line| !old.contains(line)).take(40) {
        message.push_str(&format!("+ {line}\n"));
    }
    Err(message)
}
