//! Committed expectations.

use std::path::Path;

/// Compares a text with a committed file, or rewrites the file where `UPDATE_EXPECT=1`. Lines are equal where `key` makes
/// them so.
///
/// # Errors
/// What differs, and how to bless it.
pub fn expect_file(path: &Path, found: &str, key: &dyn Fn(&str) -> String) -> Result<(), String> {
    if std::env::var_os("UPDATE_EXPECT").is_some_and(|value| value != "0") {
        return std::fs::write(path, found).map_err(|e| format!("{}: {e}", path.display()));
    }
    let wanted = std::fs::read_to_string(path).unwrap_or_default();
    let keys = |text: &str| -> Vec<String> { text.lines().map(key).collect() };
    let (old, new) = (keys(&wanted), keys(found));
    if old == new {
        return Ok(());
    }
    let mut message = format!("{} is another; UPDATE_EXPECT=1 rewrites it. Lines that differ:\n", path.display());
    for line in wanted.lines().filter(|line| !new.contains(&key(line))).take(40) {
        message.push_str(&format!("- {line}\n"));
    }
    for line in found.lines().filter(|line| !old.contains(&key(line))).take(40) {
        message.push_str(&format!("+ {line}\n"));
    }
    Err(message)
}
