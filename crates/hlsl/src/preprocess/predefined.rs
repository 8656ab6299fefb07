//! Predefined macros (sheet A3.17).

use crate::options::PreprocessOptions;
use std::fmt::Write;

/// The stages with their numbers, which `__SHADER_TARGET_STAGE` compares with.
pub const STAGES: &[(&str, u32)] = &[
    ("PIXEL", 0),
    ("VERTEX", 1),
    ("GEOMETRY", 2),
    ("HULL", 3),
    ("DOMAIN", 4),
    ("COMPUTE", 5),
    ("LIBRARY", STAGE_LIBRARY),
    ("MESH", 13),
    ("AMPLIFICATION", 14),
];

/// The stage of several entry points together.
pub const STAGE_LIBRARY: u32 = 6;

/// The definitions, as text. `__DATE__` and `__TIME__` are not among them: they would make outputs differ.
pub fn text(options: &PreprocessOptions) -> String {
    let mut out = String::with_capacity(1024);
    let mut define = |name: &str, value: &dyn std::fmt::Display| {
        let _ = writeln!(out, "#define {name} {value}");
    };
    define("__HLSL_VERSION", &options.version.year());
    define("__SHADER_TARGET_MAJOR", &options.target.0);
    define("__SHADER_TARGET_MINOR", &options.target.1);
    define("__SHADER_TARGET_STAGE", &options.stage);
    for (stage, number) in STAGES {
        define(&format!("__SHADER_STAGE_{stage}"), number);
    }
    if options.native_16_bit {
        define("__HLSL_ENABLE_16_BIT", &1);
    }
    define("__AQUATINT__", &1);
    define("__AQUATINT_VERSION_MAJOR", &env!("CARGO_PKG_VERSION_MAJOR"));
    define("__AQUATINT_VERSION_MINOR", &env!("CARGO_PKG_VERSION_MINOR"));
    define("__spirv__", &1);
    if options.dxc_compat_macros {
        define("__hlsl_dx_compiler", &1);
    }
    out
}
