//! Draws and computes with SPIR-V on a Vulkan device, for tests.
//!
//! Mesa's CPU driver (the device whose name begins with `llvmpipe`) is preferred; `AQUATINT_VULKAN_DEVICE` names another by a
//! part of its name. `libvulkan` is loaded at run time: where it or a device is missing, [`Gpu::open`] says so and the
//! caller skips. The validation layer watches where it is installed (Debian: `vulkan-validationlayers`), unless
//! `AQUATINT_VULKAN_VALIDATION=0`: a job that it has something against fails.
//!
//! | module | holds |
//! |---|---|
//! | [`job`] | what is drawn: plain data |
//! | [`device`] | instance, device, queue |
//! | [`scope`] | Vulkan objects of one job, destroyed together |
//! | `memory`, `image` | buffers and images |
//! | `bind` | descriptor sets |
//! | `pipeline` | render passes and graphics pipelines |
//! | `draw`, `compute` | running |
//! | `validation` | the validation layer |
//!
//! Clip-space y points up, as in Direct3D: the viewport has a negative height. [`Target::centre`] imitates Direct3D 9's
//! pixel centres by moving the viewport half a pixel.

mod bind;
mod compute;
pub mod device;
mod draw;
mod image;
pub mod job;
mod memory;
mod pipeline;
pub mod scope;
mod validation;

pub use compute::Contents;
pub use device::{Gpu, Unavailable};
pub use draw::Pictures;
pub use job::{
    Address, Attribute, Bindings, Blend, BlendPart, Border, Compare, Compute, Cull, Depth, Draw, Filter, Image,
    ImageKind, PixelCentre, Resource, Sampler, Stencil, StencilFace, Target, Texels, Topology, VertexFormat, Word,
};

/// Why a job was not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(pub String);

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

impl From<ash::vk::Result> for Error {
    fn from(result: ash::vk::Result) -> Self {
        Error(format!("Vulkan: {result}"))
    }
}
