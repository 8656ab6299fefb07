//! Compiles Metal sources with clang: finds it, builds the headers once, and leads messages back to the original's positions.

use crate::source::{Prepared, prepare};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, OnceLock};

/// The oldest clang that has what the headers need.
const OLDEST: u32 = 14;
/// Where the headers are.
pub const INCLUDE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/include");

/// What comes out of a compilation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Output {
    /// Nothing: the source is only checked.
    #[default]
    Check,
    /// Clang's dump of the AST, in [`Compiled::stdout`].
    Ast {
        /// JSON rather than indented text.
        json: bool,
        /// Only declarations whose qualified name contains this.
        filter: Option<String>,
    },
    /// A shared object.
    SharedObject {
        /// Where it goes.
        path: PathBuf,
        /// Objects linked into it.
        objects: Vec<PathBuf>,
    },
}

/// How to compile.
#[derive(Clone, Debug)]
pub struct CompileOptions {
    /// 240 for MSL 2.4; 300, 310 or 320 for sources that need more.
    pub language_version: u32,
    /// Macros: `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Values of function constants by index, as C++ expressions.
    pub function_constants: BTreeMap<u32, String>,
    /// C++ that follows the source, and is not rewritten.
    pub epilogue: String,
    /// What to make.
    pub output: Output,
    /// More flags for clang, at the end.
    pub flags: Vec<String>,
}

impl Default for CompileOptions {
    fn default() -> Self {
        CompileOptions {
            language_version: 240,
            defines: Vec::new(),
            function_constants: BTreeMap::new(),
            epilogue: String::new(),
            output: Output::Check,
            flags: Vec::new(),
        }
    }
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The source compiles.
    Warning,
    /// It does not.
    Error,
}

/// What clang has to say about a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Error or warning.
    pub severity: Severity,
    /// Line in the original, from 1; 0 where the message is about no place in it.
    pub line: usize,
    /// Column in the original, from 1, in bytes; 0 likewise.
    pub column: usize,
    /// What it says.
    pub text: String,
    /// The notes that follow it.
    pub notes: Vec<String>,
}

impl Message {
    /// An error without a place.
    pub fn failure(text: impl Into<String>) -> Self {
        Message { severity: Severity::Error, line: 0, column: 0, text: text.into(), notes: Vec::new() }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(f, "{}:{}: {severity}: {}", self.line, self.column, self.text)?;
        self.notes.iter().try_for_each(|note| write!(f, "\n    {note}"))
    }
}

/// A source that compiles.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The source as clang got it, with the attributes found in it.
    pub prepared: Prepared,
    /// Warnings.
    pub warnings: Vec<Message>,
    /// What clang wrote: the AST, where it was asked for.
    pub stdout: Vec<u8>,
}

/// Clang, found.
#[derive(Clone, Debug)]
pub struct Clang {
    /// The program.
    pub program: OsString,
    /// Its major version.
    pub major: u32,
    /// The first line of what it says about itself.
    pub version: String,
}

/// The clang of this machine: `$AQUATINT_CLANG`, `clang`, or one with a number in its name. `None` where there is none of version 14 or newer.
pub fn find() -> Option<&'static Clang> {
    static FOUND: OnceLock<Option<Clang>> = OnceLock::new();
    FOUND
        .get_or_init(|| {
            let named = std::env::var_os("AQUATINT_CLANG").into_iter();
            let numbered = (OLDEST..=22).rev().map(|major| OsString::from(format!("clang-{major}")));
            named.chain([OsString::from("clang")]).chain(numbered).find_map(|program| ask_version(&program))
        })
        .as_ref()
}

fn ask_version(program: &OsString) -> Option<Clang> {
    let output = Command::new(program).arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let version = text.lines().next()?.to_owned();
    let number = version.split("clang version ").nth(1)?;
    let major = number.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()?;
    (major >= OLDEST).then(|| Clang { program: program.clone(), major, version })
}

/// The flags that the headers and every source are compiled with.
fn flags(language_version: u32) -> Vec<String> {
    let mut flags: Vec<String> = [
        "--target=x86_64-linux-gnu",
        "-cl-std=clc++2021",
        "-cl-no-stdinc",
        "-fdeclspec",
        // A literal without a suffix is a float, and there is no double.
        "-cl-single-precision-constant",
        "-Xclang",
        "-cl-ext=-all,+cl_khr_fp16,+__opencl_c_generic_address_space,+__opencl_c_program_scope_global_variables",
        "-ffp-contract=off",
        "-fwrapv",
        "-fPIC",
        // The runner tells the places where threads wait apart by the chain of frames: calls must be neither merged, moved
        // nor turned into jumps, and lie in the order of the source.
        "-O0",
        "-fno-omit-frame-pointer",
        "-fno-optimize-sibling-calls",
        // Large frames touch the guard page below a thread's stack instead of stepping over it.
        "-fstack-clash-protection",
        "-fno-caret-diagnostics",
        "-fno-color-diagnostics",
        "-ferror-limit=50",
        "-Wno-defaulted-function-deleted",
        "-Wno-unused-value",
        "-isystem",
        INCLUDE,
    ]
    .map(str::to_owned)
    .into();
    flags.push(format!("-D__METAL_VERSION__={language_version}"));
    flags
}

/// Compiles a Metal source. `Err` has at least one error; warnings come along.
pub fn compile(text: &str, options: &CompileOptions) -> Result<Compiled, Vec<Message>> {
    let Some(clang) = find() else {
        return Err(vec![Message::failure("clang 14 or newer is not installed")]);
    };
    let headers = headers(clang, options.language_version).map_err(|text| vec![Message::failure(text)])?;
    let prepared = prepare(text, &options.function_constants);
    let mut command = Command::new(&clang.program);
    command.args(flags(options.language_version));
    command.args(options.defines.iter().map(|define| format!("-D{define}")));
    command.arg("-include-pch").arg(headers);
    match &options.output {
        Output::Check => {
            command.arg("-fsyntax-only");
        }
        Output::Ast { json, filter } => {
            command.args(["-fsyntax-only", "-Xclang", if *json { "-ast-dump=json" } else { "-ast-dump" }]);
            if let Some(filter) = filter {
                command.args(["-Xclang", &format!("-ast-dump-filter={filter}")]);
            }
        }
        Output::SharedObject { path, .. } => {
            command.arg("-shared").arg("-o").arg(path);
        }
    }
    command.args(&options.flags).args(["-x", "cl", "-"]);
    if let Output::SharedObject { objects, .. } = &options.output {
        command.args(["-x", "none"]).args(objects).arg("-lm");
    }
    let input = [prepared.text.as_str(), "\n", options.epilogue.as_str()].concat();
    let output = run(&mut command, &input).map_err(|error| vec![Message::failure(format!("clang: {error}"))])?;
    let mut messages = messages(&String::from_utf8_lossy(&output.stderr), &prepared);
    if output.status.success() {
        return Ok(Compiled { prepared, warnings: messages, stdout: output.stdout });
    }
    if messages.iter().all(|message| message.severity < Severity::Error) {
        messages.push(Message::failure(format!(
            "clang: {}: {}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        )));
    }
    Err(messages)
}

fn run(command: &mut Command, input: &str) -> io::Result<std::process::Output> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let mut stdin = child.stdin.take();
    std::thread::scope(|scope| {
        // Clang may give up before it has read everything.
        scope.spawn(move || stdin.as_mut().map(|stdin| stdin.write_all(input.as_bytes())));
        child.wait_with_output()
    })
}

/// Reads clang's messages. One about a header is put where the source brought it about.
fn messages(stderr: &str, prepared: &Prepared) -> Vec<Message> {
    let mut found: Vec<Message> = Vec::new();
    let lines = prepared.text.lines().count();
    for line in stderr.lines() {
        let Some((place, severity, text)) = split_message(line) else {
            // The linker's words, and counts of errors.
            continue;
        };
        let place = place.and_then(|(file, line, column)| {
            (file == "<stdin>" && line <= lines).then(|| prepared.original_position(line, column))
        });
        match severity {
            "note" => {
                let Some(last) = found.last_mut() else { continue };
                if let Some((line, column)) = place {
                    if last.line == 0 {
                        (last.line, last.column) = (line, column);
                    }
                    last.notes.push(format!("{line}:{column}: {text}"));
                } else {
                    last.notes.push(text.to_owned());
                }
            }
            _ => {
                let (line, column) = place.unwrap_or((0, 0));
                let severity = if severity == "warning" { Severity::Warning } else { Severity::Error };
                found.push(Message { severity, line, column, text: text.to_owned(), notes: Vec::new() });
            }
        }
    }
    found
}

type Place<'a> = (&'a str, usize, usize);

/// `FILE:LINE:COLUMN: SEVERITY: TEXT`, or without a place.
fn split_message(line: &str) -> Option<(Option<Place<'_>>, &str, &str)> {
    for severity in ["fatal error", "error", "warning", "note"] {
        let marker = format!("{severity}: ");
        let Some(at) = line.find(&marker) else { continue };
        let (before, text) = (&line[..at], &line[at + marker.len()..]);
        let mut parts = before.trim_end().trim_end_matches(':').rsplitn(3, ':');
        let place = match (parts.next().map(str::parse), parts.next().map(str::parse), parts.next()) {
            (Some(Ok(column)), Some(Ok(line)), Some(file)) => Some((file, line, column)),
            _ => None,
        };
        if !before.is_empty() && place.is_none() && !before.starts_with("clang") && !before.starts_with("/usr/bin/ld") {
            continue;
        }
        return Some((place, &line[at..at + severity.len()], text));
    }
    None
}

/// The precompiled headers, built where they are not there yet.
fn headers(clang: &Clang, language_version: u32) -> Result<PathBuf, String> {
    static BUILT: Mutex<BTreeMap<u32, Result<PathBuf, String>>> = Mutex::new(BTreeMap::new());
    let mut built = BUILT.lock().map_err(|_| "another thread failed".to_owned())?;
    built.entry(language_version).or_insert_with(|| build_headers(clang, language_version)).clone()
}

/// What compilations depend on besides the source: stands for headers, flags and clang's version in the names of cached files.
pub(crate) fn cache_key(language_version: u32) -> Result<String, String> {
    let clang = find().ok_or("clang 14 or newer is not installed")?;
    headers(clang, language_version).map(|path| path.to_string_lossy().into_owned())
}

fn build_headers(clang: &Clang, language_version: u32) -> Result<PathBuf, String> {
    let flags = flags(language_version);
    let mut hash = Hash::new();
    hash.add(clang.version.as_bytes());
    hash.add(flags.join(" ").as_bytes());
    add_files(Path::new(INCLUDE), &mut hash).map_err(|error| format!("{INCLUDE}: {error}"))?;
    let folder = cache_folder()?;
    let path = folder.join(format!("headers-{language_version}-{:016x}.pch", hash.0));
    if path.is_file() {
        return Ok(path);
    }
    let partial = folder.join(format!("headers-{language_version}-{:016x}.{}", hash.0, std::process::id()));
    let output = Command::new(&clang.program)
        .args(&flags)
        .args([
            "-Xclang",
            "-emit-pch",
            "-Xclang",
            "-fno-pch-timestamp",
            "-Wno-pragma-once-outside-header",
            "-c",
            "-x",
            "cl",
        ])
        .arg(Path::new(INCLUDE).join("metal_stdlib"))
        .arg("-o")
        .arg(&partial)
        .output()
        .map_err(|error| format!("clang: {error}"))?;
    if !output.status.success() {
        return Err(format!("the headers do not compile:\n{}", String::from_utf8_lossy(&output.stderr)));
    }
    std::fs::rename(&partial, &path).map_err(|error| format!("{}: {error}", path.display()))?;
    remove_old_headers(&folder);
    Ok(path)
}

/// Precompiled headers that nothing has built for a day make room: each change of the headers leaves some.
fn remove_old_headers(folder: &Path) {
    const OLD: std::time::Duration = std::time::Duration::from_secs(24 * 60 * 60);
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_header = entry.file_name().to_string_lossy().starts_with("headers-");
        let age = entry.metadata().and_then(|data| data.modified()).ok().and_then(|built| built.elapsed().ok());
        if is_header && age.is_some_and(|age| age > OLD) {
            // Another process may have removed it, or still read it: neither matters here.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Where precompiled headers and shared objects are kept: `metal-cpu` in the target folder, or in the temporary one.
pub fn cache_folder() -> Result<PathBuf, String> {
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target"), PathBuf::from);
    let candidates = [target.join("metal-cpu"), std::env::temp_dir().join("aquatint-metal-cpu")];
    let made = candidates.iter().find(|folder| std::fs::create_dir_all(folder).is_ok());
    made.cloned().ok_or_else(|| "no folder for precompiled headers".to_owned())
}

fn add_files(folder: &Path, hash: &mut Hash) -> io::Result<()> {
    let mut entries = std::fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        if entry.file_type()?.is_dir() {
            add_files(&entry.path(), hash)?;
        } else {
            hash.add(entry.path().as_os_str().as_encoded_bytes());
            hash.add(&std::fs::read(entry.path())?);
        }
    }
    Ok(())
}

/// FNV-1a.
struct Hash(u64);

impl Hash {
    fn new() -> Self {
        Hash(0xCBF2_9CE4_8422_2325)
    }

    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes.iter().chain(&[0]) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }
}
