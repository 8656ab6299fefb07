//! Textures and samplers: what a sample *is*, for every executor.
//!
//! The rules are those that Direct3D 9, Direct3D 10 and later, Vulkan and Metal share; where they differ, a field of
//! [`Sampler`] or of [`Texture`] chooses:
//!
//! - **Texel choice.** A point sample reads texel `floor(u · size)`; a linear one blends `floor(u · size − ½)` and its
//!   successor with weight `fract(u · size − ½)`. The product is exact (it is formed in 64 bits), the weight is rounded to
//!   32 bits once. A weight of 0 reads one texel only, so that an infinite neighbour does not turn into NaN.
//! - **Level of detail.** `ρ = max(|∂(u,v,w)/∂x · size|, |∂(u,v,w)/∂y · size|)`, `λ = log2(ρ) + biases`, clamped to the
//!   sampler's and the call's range. `λ ≤ 0` magnifies. A nearest level is `floor(λ + ½)`. For cubes the gradients are
//!   those of the face coordinates. A NaN level of detail counts as 0.
//! - **Anisotropy** follows the Vulkan specification's model: `N = min(⌈ρmax/ρmin⌉, max)` probes on the longer axis.
//! - **Cubes** are seamless unless [`Sampler::seamless`] is off (Direct3D 9), when filtering stays within the face. At a
//!   corner, where three faces meet, the missing fourth texel is the mean of the other three.
//! - **Hostile coordinates.** NaN counts as 0; infinities go where the address mode sends a very large number.
//! - **No texture bound** reads [`UNBOUND`].

mod address;
mod cube;
mod image;
mod lod;
mod mips;
mod sample;
mod sampler;
mod shape;
mod swizzle;

pub use address::Address;
pub use cube::{Face, FaceCoord};
pub use image::{Encoding, Texture, UNBOUND};
pub use lod::{Detail, LodQuery};
pub use sample::Coord;
pub use sampler::{Filter, MipFilter, Sampler};
pub use shape::{Dimension, Extent, MAX_EXTENT, MAX_TEXELS, Shape, ShapeError};
pub use swizzle::{Channel, Swizzle};
