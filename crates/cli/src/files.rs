//! Reading inputs, and writing outputs whole or not at all.

use crate::exit::Failure;
use aquatint::hlsl::include::{self, FileIncludes};
use std::fs::{self, File, OpenOptions};
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Bytes of one input at most: far more than any shader or effect has, and a bound for `/dev/zero`.
const MOST_BYTES: u64 = 256 << 20;

/// Whether a path means standard input or output.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// How messages call an input.
pub fn display(path: &Path) -> String {
    if is_standard(path) { "<stdin>".to_owned() } else { path.display().to_string() }
}

/// Reads a file, or standard input for `-`.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let name = display(path);
    let fail = |error: io::Error| Failure::read(&name, error);
    let mut bytes = Vec::new();
    let count = if is_standard(path) {
        io::stdin().lock().take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(fail)?
    } else {
        let file = File::open(path).map_err(fail)?;
        if let Ok(meta) = file.metadata() {
            if meta.is_dir() {
                return Err(Failure::read(&name, "it is a directory"));
            }
            bytes.reserve_exact(usize::try_from(meta.len().min(MOST_BYTES)).unwrap_or(0) + 1);
        }
        file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(fail)?
    };
    if count as u64 > MOST_BYTES {
        return Err(Failure::read(&name, format_args!("it is longer than {} MiB", MOST_BYTES >> 20)));
    }
    Ok(bytes)
}

/// Writes to a file whole or not at all, or to standard output where there is no path or it is `-`.
pub fn write(path: Option<&Path>, bytes: &[u8]) -> Result<(), Failure> {
    match path.filter(|path| !is_standard(path)) {
        Some(path) => replace(path, bytes).map_err(|error| Failure::write(&path.display().to_string(), error)),
        None => standard_output(bytes),
    }
}

/// Writes to standard output. A reader that has seen enough is no error.
pub fn standard_output(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::write("<stdout>", error)),
        _ => Ok(()),
    }
}

/// Refuses to throw bytes at a terminal.
pub fn forbid_terminal(path: Option<&Path>, what: &str) -> Result<(), Failure> {
    match path {
        None if io::stdout().is_terminal() => {
            Err(Failure::Usage(format!("{what} is not text: name a file with -o, or write it to a terminal with -o -")))
        }
        _ => Ok(()),
    }
}

/// Puts a file in place of an older one: written under another name beside it, then renamed.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    // What is no regular file (a device, a pipe) is not replaced but written to; a link keeps pointing where it does.
    let target = match fs::metadata(path) {
        Ok(meta) if meta.is_dir() => return Err(io::Error::other("it is a directory")),
        Ok(meta) if !meta.is_file() => return OpenOptions::new().write(true).open(path)?.write_all(bytes),
        Ok(_) => fs::canonicalize(path)?,
        Err(_) => path.to_owned(),
    };
    let name = target.file_name().ok_or_else(|| io::Error::other("it has no file name"))?;
    let mut temporary = std::ffi::OsString::from(".");
    temporary.push(name);
    temporary.push(format!(".{}.{}.tmp", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)));
    let temporary = target.with_file_name(temporary);
    let written = (|| {
        let mut file = OpenOptions::new().write(true).create_new(true).open(&temporary)?;
        if let Ok(old) = fs::metadata(&target) {
            file.set_permissions(old.permissions())?;
        }
        file.write_all(bytes)?;
        drop(file);
        fs::rename(&temporary, &target)
    })();
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Makes a directory and those above it.
pub fn make_directory(path: &Path) -> Result<(), Failure> {
    fs::create_dir_all(path).map_err(|error| Failure::write(&path.display().to_string(), error))
}

/// All regular files below a directory, in the order of their names, each with its path relative to it. Links to
/// directories are not followed, so the walk ends.
pub fn walk(directory: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    let mut open = vec![PathBuf::new()];
    while let Some(relative) = open.pop() {
        let here = directory.join(&relative);
        let fail = |error| Failure::read(&here.display().to_string(), error);
        for entry in fs::read_dir(&here).map_err(fail)? {
            let entry = entry.map_err(fail)?;
            let kind = entry.file_type().map_err(fail)?;
            let path = relative.join(entry.file_name());
            if kind.is_dir() {
                open.push(path);
            } else if kind.is_file() || (kind.is_symlink() && entry.path().is_file()) {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// The file system, as includes of HLSL see it.
#[derive(Debug)]
pub struct Disk;

impl Disk {
    /// Included files: beside the including file, then in these directories.
    pub fn includes(paths: &[PathBuf]) -> FileIncludes {
        FileIncludes { paths: paths.to_vec(), disk: Some(Arc::new(Disk)), ..FileIncludes::default() }
    }
}

impl include::Disk for Disk {
    fn canonical(&self, path: &Path) -> Option<PathBuf> {
        path.canonicalize().ok()
    }

    fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }

    fn read(&self, path: &Path) -> Result<Vec<u8>, String> {
        let fail = |error: io::Error| error.to_string();
        let mut bytes = Vec::new();
        File::open(path).map_err(fail)?.take(MOST_BYTES).read_to_end(&mut bytes).map_err(fail)?;
        Ok(bytes)
    }
}
