//! From a function's source to a shared object, once for each text: objects are kept in clang's cache folder, by content.

use super::bound::Function;
use super::error::Error;
use super::job::Stage;
use super::plan::{Plan, Planned};
use crate::clang::{CompileOptions, Message, Output, cache_folder, cache_key, compile, find};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

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

/// A compiled source.
#[derive(Debug)]
struct Built {
    library: PathBuf,
    plans: BTreeMap<String, Planned>,
}

/// What is known of a source with constants: the slot is locked while it is compiled.
type Slot = Arc<Mutex<Option<Result<Arc<Built>, Error>>>>;

/// The function of a stage. All functions of its source are compiled together, once in the life of the process at most.
pub(super) fn build(stage: &Stage) -> Result<Function, Error> {
    static KNOWN: Mutex<BTreeMap<(u64, usize), Slot>> = Mutex::new(BTreeMap::new());
    let constants: BTreeMap<u32, String> = stage.constants.iter().cloned().collect();
    let constants_text = format!("{constants:?}");
    let key = (hash([stage.source.as_str(), &constants_text]), stage.source.len());
    let poisoned = || Error::Process("another thread failed".to_owned());
    let slot = Arc::clone(KNOWN.lock().map_err(|_| poisoned())?.entry(key).or_default());
    let mut slot = slot.lock().map_err(|_| poisoned())?;
    let built =
        slot.get_or_insert_with(|| compiled(&stage.source, constants, &constants_text).map(Arc::new)).clone()?;
    drop(slot);
    match built.plans.get(&stage.entry) {
        Some(Ok(plan)) => Ok(Function { library: built.library.clone(), plan: plan.clone() }),
        Some(Err(why)) => Err(Error::Job(why.clone())),
        None => Err(Error::Job(format!("there is no vertex, fragment or kernel function '{}'", stage.entry))),
    }
}

fn compiled(source: &str, constants: BTreeMap<u32, String>, constants_text: &str) -> Result<Built, Error> {
    let (plans, epilogue) = Plan::all(source);
    let mut options = CompileOptions { epilogue, function_constants: constants, ..CompileOptions::default() };
    let runtime = runtime()?;
    let environment = cache_key(options.language_version).map_err(Error::Process)?;
    let runtime_name = runtime.to_string_lossy().into_owned();
    let parts = [source, &options.epilogue, constants_text, &environment, &runtime_name];
    let library = cached("function", hash(parts), |path| {
        options.output = Output::SharedObject { path: path.to_owned(), objects: vec![runtime] };
        let lines = |messages: Vec<Message>| messages.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        compile(source, &options).map(drop).map_err(|messages| Error::Compile(lines(messages)))
    })?;
    Ok(Built { library, plans })
}
