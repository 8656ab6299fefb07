//! Committed expectations. `UPDATE_EXPECT=1 cargo test` rewrites them in place; the change is read before it is committed.

use crate::difference;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

/// The end of every message about an expectation that does not hold.
pub const HINT: &str = "UPDATE_EXPECT=1 cargo test rewrites what is expected; read the change before it is committed";

/// Whether `UPDATE_EXPECT` is set, to something other than `0`.
pub fn is_asked() -> bool {
    std::env::var_os("UPDATE_EXPECT").is_some_and(|value| value != "0" && !value.is_empty())
}

/// Puts `text` into the place of a file, by way of a temporary name: who reads it sees the old text or the new one.
///
/// # Errors
/// What the file system says, with the path.
pub fn replace(path: &Path, text: &str) -> Result<(), String> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}-{}.new", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)));
    let temporary = path.with_file_name(name);
    let done = std::fs::write(&temporary, text).and_then(|()| std::fs::rename(&temporary, path));
    done.map_err(|error| {
        // Nothing is lost by a file that cannot be removed either.
        let _ = std::fs::remove_file(&temporary);
        format!("{}: {error}", path.display())
    })
}

/// Compares a text with a committed file, or rewrites the file where that is asked for. A file that is absent is empty.
///
/// # Errors
/// The lines that differ and how to bless them, or what the file system says.
pub fn expect_file(path: &Path, found: &str) -> Result<(), String> {
    expect(path, found, is_asked())
}

fn expect(path: &Path, found: &str, update: bool) -> Result<(), String> {
    let expected = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(format!("{}: {error}", path.display())),
    };
    if expected == found {
        return Ok(());
    }
    if update {
        return replace(path, found);
    }
    Err(format!("{} differs:\n{}{HINT}\n", path.display(), difference::lines(&expected, found)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("aquatint-testkit-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn a_difference_is_shown_with_the_way_to_accept_it_and_then_accepted() {
        let folder = folder("bless");
        let path = folder.join("a.expected");
        let message = expect(&path, "one\ntwo\n", false).unwrap_err();
        assert!(message.contains("+ one") && message.contains("UPDATE_EXPECT=1"), "{message}");
        assert!(!path.exists());
        expect(&path, "one\ntwo\n", true).unwrap();
        expect(&path, "one\ntwo\n", false).unwrap();
        assert!(expect(&path, "one\n", false).unwrap_err().contains("- two"));
        // No temporary file stays.
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_cannot_be_written_is_said_and_leaves_nothing() {
        let folder = folder("unwritable");
        let path = folder.join("absent").join("a.expected");
        assert!(replace(&path, "x").unwrap_err().contains("a.expected"));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
