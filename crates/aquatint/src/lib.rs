//! Aquatint: shaders in as they exist in the world, out as what another machine runs.
//!
//! This crate is the face of the translator and the one that names every language. A compilation is one call:
//!
//! ```
//! use aquatint::{Input, Options, Session, Target};
//!
//! let shader = b"ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n";
//! let mut session = Session::new();
//! let artifact = session.compile(&Input::new("copy.asm", shader), &Options::new(Target::Msl)).expect("it compiles");
//! assert!(artifact.output.text().unwrap().contains("fragment"));
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`source`], [`target`], [`options`], [`artifact`] | plain data: what goes in and what comes out |
//! | [`compiler`] | the way through: read, run the driver's passes, optimise, write |
//! | [`codes`] | every diagnostic code with its explanation |
//!
//! Nothing here opens files, reads a clock or starts threads.

pub mod artifact;
pub mod codes;
pub mod compiler;
pub mod options;
pub mod source;
pub mod target;

pub use aquatint_base as base;
#[cfg(feature = "d3d9")]
pub use aquatint_d3d9 as d3d9;
#[cfg(feature = "exec")]
pub use aquatint_exec as exec;
#[cfg(feature = "hlsl")]
pub use aquatint_hlsl as hlsl;
pub use aquatint_ir as ir;
#[cfg(feature = "msl")]
pub use aquatint_msl as msl;
pub use aquatint_passes as passes;
#[cfg(feature = "spirv")]
pub use aquatint_spirv as spirv;

pub use artifact::{Artifact, Output};
pub use compiler::{Read, Session};
pub use options::{Level, Options};
pub use source::{Input, Language};
pub use target::Target;
