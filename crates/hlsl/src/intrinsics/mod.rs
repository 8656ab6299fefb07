//! The one table of Part B: every intrinsic function and every method, its signature, where it may be used, and what it does.
//! Overload resolution, lowering, documentation and completion in editors read it.
//!
//! | module | holds |
//! |---|---|
//! | [`signature`] | the compact notation of signatures |
//! | [`functions`] | functions (B1 to B9) |
//! | [`methods`] | methods of textures and buffers (B10, B11) |

pub mod functions;
pub mod methods;
pub mod signature;

pub use functions::{Intrinsic, Operation, Special, find};
pub use methods::{Method, MethodRow};
pub use signature::{Class, Extent, Param, Signature};

/// The stages in which something may be used: the stage column of the tables (B0.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Stages {
    /// All.
    All,
    /// Pixel.
    Pixel,
    /// Compute.
    Compute,
    /// Pixel and compute.
    PixelCompute,
    /// Pixel, since it needs derivatives: elsewhere AQ3032 instead of AQ3030.
    Derivative,
}

impl Stages {
    /// Whether a stage is among them.
    pub fn admits(self, stage: aquatint_ir::Stage) -> bool {
        use aquatint_ir::Stage::{Compute, Fragment};
        match self {
            Stages::All => true,
            Stages::Pixel | Stages::Derivative => stage == Fragment,
            Stages::Compute => stage == Compute,
            Stages::PixelCompute => stage == Fragment || stage == Compute,
        }
    }
}
