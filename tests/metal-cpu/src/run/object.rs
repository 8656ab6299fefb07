//! From a function's source to a shared object, once for each text: objects are kept in clang's cache folder, by content.

use super::error::Error;
use super::job::Stage;
use super::plan::Plan;
use crate::clang::{CompileOptions, Message, Output, cache_folder, cache_key, compile, find};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// FNV-1a over texts, each ended by a zero.
fn hash<'a>(parts: impl IntoIterator<Item = &'a str>) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    for part in parts {
        for byte in part.bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }
    hash
}

/// The file of a key, made by `make` at another name first, so that nobody sees half of it.
fn cached(name: &str, key: u64, make: impl FnOnce(&Path) -> Result<(), Error>) -> Result<PathBuf, Error> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let folder = cache_folder().map_err(Error::Process)?;
    let path = folder.join(format!("{name}-{key:016x}"));
    if path.is_file() {
        return Ok(path);
    }
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let partial = folder.join(format!("{name}-{key:016x}.{}.{number}", std::process::id()));
    make(&partial)?;
    std::fs::rename(&partial, &path).map_err(|e| Error::Process(format!("{}: {e}", path.display())))?;
    Ok(path)
}

/// The runtime's object.
fn runtime() -> Result<PathBuf, Error> {
    const SOURCES: [&str; 2] =
        [include_str!("../../runtime/runtime.cpp"), include_str!("../../include/metal/runtime.h")];
    const FLAGS: [&str; 7] = [
        "-O2",
        "-fPIC",
        "-fno-exceptions",
        "-fno-omit-frame-pointer",
        // The frame whose address is handed over must live.
        "-fno-optimize-sibling-calls",
        "-c",
        "-o",
    ];
    static MADE: OnceLock<Result<PathBuf, Error>> = OnceLock::new();
    let make = || {
        let clang = find().ok_or_else(|| Error::Process("clang 14 or newer is not installed".to_owned()))?;
        let key = hash(SOURCES.into_iter().chain(FLAGS).chain([clang.version.as_str()]));
        cached("runtime", key, |path| {
            let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime/runtime.cpp");
            let mut command = Command::new(&clang.program);
            command.args(FLAGS).arg(path).args(["-x", "c++"]).arg(source);
            let output = command.output().map_err(|e| Error::Process(format!("clang: {e}")))?;
            let said = || Error::Process(String::from_utf8_lossy(&output.stderr).into_owned());
            if output.status.success() { Ok(()) } else { Err(said()) }
        })
    };
    MADE.get_or_init(make).clone()
}

/// The shared object of a stage's function.
pub(super) fn build(stage: &Stage) -> Result<PathBuf, Error> {
    let plan = Plan::of(&stage.source, &stage.entry).map_err(Error::Job)?;
    let mut options = CompileOptions { epilogue: plan.text, ..CompileOptions::default() };
    options.function_constants = stage.constants.iter().cloned().collect();
    let runtime = runtime()?;
    let environment = cache_key(options.language_version).map_err(Error::Process)?;
    let constants = format!("{:?}", options.function_constants);
    let runtime_name = runtime.to_string_lossy().into_owned();
    let parts = [&stage.source, &options.epilogue, &constants, &environment, &runtime_name];
    cached("function", hash(parts.map(String::as_str)), |path| {
        options.output = Output::SharedObject { path: path.to_owned(), objects: vec![runtime] };
        let lines = |messages: Vec<Message>| messages.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        compile(&stage.source, &options).map(drop).map_err(|messages| Error::Compile(lines(messages)))
    })
}
