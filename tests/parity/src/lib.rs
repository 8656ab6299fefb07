//! One shader, one input, every executor: all must agree.
//!
//! | module | holds |
//! |---|---|
//! | [`golden`], [`job`] | golden cases and their jobs, as data |
//! | [`golden_scene`] | golden jobs as parity scenes |
//! | [`metal_text`] | Metal, and where its arguments are bound |
//! | [`prepare`] | a pair of stages with all that they read |
//! | [`on_interpreter`], [`on_vulkan`], [`on_metal`] | executors of golden jobs |
//! | [`languages`] | the languages of parity cases |
//! | [`vulkan_scene`], [`metal_scene`] | executors of parity cases: Vulkan, Metal on the CPU |
//! | [`translate`] | bytecode to a cleaned module |
//! | [`spirv_val`] | SPIR-V's own validator, over many modules at once |
//! | [`bless`] | committed expectations, rewritten with `UPDATE_EXPECT=1` |

pub mod bless;
pub mod golden;
pub mod golden_scene;
pub mod job;
pub mod languages;
pub mod metal_scene;
pub mod metal_text;
pub mod on_interpreter;
pub mod on_metal;
pub mod on_vulkan;
pub mod prepare;
pub mod spirv_val;
pub mod translate;
pub mod vulkan_scene;

use std::path::PathBuf;

/// A path below the root of the repository.
pub fn in_repository(path: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(path)
}

/// The folder of real shaders, if it is there.
pub fn corpus() -> Option<PathBuf> {
    let path = in_repository("../shared/corpus/d3d9");
    path.is_dir().then_some(path)
}

/// All streams of the folder of real shaders, sorted; `None` where it is absent.
pub fn corpus_streams() -> Option<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(corpus()?)
        .ok()?
        .filter_map(|entry| std::fs::read_dir(entry.ok()?.path()).ok())
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "bin"))
        .collect();
    files.sort();
    Some(files)
}

/// Whether the long form of a test is asked for (`AQUATINT_FULL=1`).
pub fn full() -> bool {
    std::env::var_os("AQUATINT_FULL").is_some_and(|value| value != "0")
}
