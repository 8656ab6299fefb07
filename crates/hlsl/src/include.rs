//! Where included files come from (sheet A3.12).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How the name was written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IncludeKind {
    /// In quotes: the folder of the including file first.
    Quoted,
    /// In angle brackets: include paths alone.
    Angled,
}

/// What a file is called.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CanonicalName {
    /// The same for two requests exactly if they mean the same file. Never printed.
    pub key: String,
    /// What messages and dependency lists call it.
    pub display: String,
}

impl CanonicalName {
    /// A name that is its own key.
    pub fn plain(name: impl Into<String>) -> Self {
        let name = name.into();
        Self { key: name.clone(), display: name }
    }
}

/// Why a file cannot be included.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IncludeError {
    /// It is in none of these places.
    NotFound(Vec<String>),
    /// It is there and cannot be read, or may not be.
    Refused(String),
}

/// An included file, with its name.
pub type Included = Result<(CanonicalName, Arc<[u8]>), IncludeError>;

/// Finds and reads included files.
pub trait IncludeHandler {
    /// The file that `request`, written in `from`, means.
    ///
    /// # Errors
    /// That there is none, or that it may not be read.
    fn open(&mut self, request: &str, kind: IncludeKind, from: &CanonicalName) -> Included;

    /// The canonical name of the main file, so that a file that includes it again is recognised.
    fn main(&mut self, name: &str) -> CanonicalName {
        CanonicalName::plain(name)
    }
}

/// The file system, which this crate does not touch: the program gives it.
pub trait Disk: std::fmt::Debug + Send + Sync {
    /// The one path of a file or folder that is there, however it is written.
    fn canonical(&self, path: &Path) -> Option<PathBuf>;

    /// Whether a file is there, no folder.
    fn is_file(&self, path: &Path) -> bool;

    /// The bytes of a file that is there.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn read(&self, path: &Path) -> Result<Vec<u8>, String>;
}

/// Files of a file system, and virtual ones.
#[derive(Clone, Debug, Default)]
pub struct FileIncludes {
    /// Folders, in order.
    pub paths: Vec<PathBuf>,
    /// Files that exist only here, by name; looked for last.
    pub virtual_files: BTreeMap<String, Arc<[u8]>>,
    /// The folder that no file may lie outside of.
    pub root: Option<PathBuf>,
    /// The file system; virtual files alone where there is none.
    pub disk: Option<Arc<dyn Disk>>,
}

impl FileIncludes {
    /// Virtual files alone.
    pub fn virtual_only<N: Into<String>, T: AsRef<[u8]>>(files: impl IntoIterator<Item = (N, T)>) -> Self {
        let virtual_files = files.into_iter().map(|(name, text)| (name.into(), Arc::from(text.as_ref()))).collect();
        Self { virtual_files, ..Self::default() }
    }

    fn read(&self, disk: &dyn Disk, path: &Path) -> Option<Included> {
        if !disk.is_file(path) {
            return None;
        }
        let canonical = disk.canonical(path)?;
        let display = path.display().to_string();
        if let Some(root) = &self.root {
            let root = disk.canonical(root).unwrap_or_else(|| root.clone());
            if !canonical.starts_with(&root) {
                return Some(Err(IncludeError::Refused(format!("'{display}' lies outside of the root folder"))));
            }
        }
        Some(match disk.read(path) {
            Ok(bytes) => {
                Ok((CanonicalName { key: canonical.to_string_lossy().into_owned(), display }, Arc::from(bytes)))
            }
            Err(error) => Err(IncludeError::Refused(format!("'{display}' cannot be read: {error}"))),
        })
    }
}

/// A name of a virtual file, `.` and `..` resolved.
fn normal(name: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in name.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|&p| p != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

impl IncludeHandler for FileIncludes {
    fn open(&mut self, request: &str, kind: IncludeKind, from: &CanonicalName) -> Included {
        let mut tried = Vec::new();
        // Windows separators are common in shaders.
        let portable = request.replace('\\', "/");
        let folder = Path::new(&from.display).parent().unwrap_or(Path::new(""));
        if let Some(disk) = &self.disk {
            let beside = (kind == IncludeKind::Quoted).then(|| folder.to_path_buf());
            for base in beside.into_iter().chain(self.paths.iter().cloned()) {
                let path = base.join(&portable);
                match self.read(disk.as_ref(), &path) {
                    Some(result) => return result,
                    None => tried.push(path.display().to_string()),
                }
            }
        }
        let beside = (kind == IncludeKind::Quoted).then(|| normal(&format!("{}/{portable}", folder.display())));
        for name in beside.into_iter().chain([normal(&portable)]) {
            if let Some(bytes) = self.virtual_files.get(&name) {
                return Ok((CanonicalName::plain(name), Arc::clone(bytes)));
            }
            if !tried.contains(&name) {
                tried.push(name);
            }
        }
        Err(IncludeError::NotFound(tried))
    }

    fn main(&mut self, name: &str) -> CanonicalName {
        let key = self.disk.as_ref().and_then(|disk| disk.canonical(Path::new(name)));
        CanonicalName {
            key: key.map_or_else(|| normal(name), |k| k.to_string_lossy().into_owned()),
            display: name.into(),
        }
    }
}
