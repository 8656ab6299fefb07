//! What a compilation may be told.

use crate::target::Target;
use aquatint_base::Limits;
pub use aquatint_passes::Level;

/// Options of a compilation. [`Options::new`] gives what most callers want.
#[derive(Clone, Debug)]
pub struct Options {
    /// What to produce.
    pub target: Target,
    /// Entry point to write; the only one where absent.
    pub entry: Option<String>,
    /// How much is optimised.
    pub level: Level,
    /// Faults of a shader version's profile are errors, not warnings.
    pub strict: bool,
    /// Whether faults of the profile are looked for and reported as warnings. Off by default: a program that translates
    /// shipped shaders as it loads them has nobody to read the advice, and it costs a tenth of the time.
    pub advise: bool,
    /// Unroll loops of at most this many trips.
    pub unroll: Option<u32>,
    /// Bounds.
    pub limits: Limits,
    /// Verify, and print and re-read, after each pass.
    pub checks: aquatint_passes::run::Options,
    /// Options of the bytecode reader.
    #[cfg(feature = "d3d9")]
    pub d3d9: aquatint_d3d9::lower::Options,
    /// The driver's work around a Direct3D 9 shader.
    #[cfg(feature = "d3d9")]
    pub driver: aquatint_d3d9::driver::Options,
    /// Options of the HLSL reader; [`Options::entry`] names an entry point there too.
    #[cfg(feature = "hlsl")]
    pub hlsl: aquatint_hlsl::CompileOptions,
    /// Options of the Metal writer; the profile of the input's language where absent.
    #[cfg(feature = "msl")]
    pub msl: Option<aquatint_msl::Options>,
    /// Options of the SPIR-V writer.
    #[cfg(feature = "spirv")]
    pub spirv: aquatint_spirv::Options,
}

impl Options {
    /// Default options for a target.
    pub fn new(target: Target) -> Self {
        Self {
            target,
            entry: None,
            level: Level::Default,
            strict: false,
            advise: false,
            unroll: None,
            limits: Limits::default(),
            checks: aquatint_passes::run::Options::default(),
            #[cfg(feature = "d3d9")]
            d3d9: aquatint_d3d9::lower::Options::default(),
            #[cfg(feature = "d3d9")]
            driver: aquatint_d3d9::driver::Options::default(),
            #[cfg(feature = "hlsl")]
            hlsl: aquatint_hlsl::CompileOptions::default(),
            #[cfg(feature = "msl")]
            msl: None,
            #[cfg(feature = "spirv")]
            spirv: aquatint_spirv::Options::default(),
        }
    }
}
