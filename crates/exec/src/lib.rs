//! Running shaders without a GPU.
//!
//! | module | holds |
//! |---|---|
//! | [`interpret`] | what a module means: the interpreter, and drawing with it |
//! | [`texture`] | texel storage, samplers, and what sampling means for every executor |
//! | [`raster`] | assembly, clipping, rasterisation in 2×2 quads, depth, stencil and blending |
//! | [`compare`] | the eight comparison functions that samplers, depth and stencil share |
//! | [`srgb`] | the sRGB transfer functions |
//!
//! Nothing here starts a thread, reads a file or asks a clock. Whoever wants several cores hands
//! [`raster::Band`]s to threads of their own.

pub mod compare;
pub mod interpret;
pub mod raster;
pub mod srgb;
pub mod texture;
