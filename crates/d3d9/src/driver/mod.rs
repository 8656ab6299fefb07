//! What a Direct3D 9 driver does around a shader, as passes over the IR with parameters.
//!
//! | pass | stage | sheet |
//! |---|---|---|
//! | [`fog_blend()`] | pixel, below 3_0 | 3.7, runtime 7.3 |
//! | [`alpha_test()`] | pixel | 3.7, runtime 7.3 |
//! | [`srgb_write()`] | pixel | 3.7 |
//! | [`clamp_targets()`] | pixel | 3.7 |
//! | [`point_sprite()`] | pixel | 3.3 |
//! | [`flat_colors()`] | both | 3.5 |
//! | [`vertex_fog()`] | vertex | 3.4, 3.7 |
//! | [`point_size()`] | vertex | 3.3 |
//! | [`clip_planes()`] | vertex | 3.3 |
//! | [`half_pixel()`] | vertex | 3.3 |
//!
//! The kinds of textures that a ps_1_x shader reads are an option of the lowering ([`crate::lower::Options::texture_kinds`]):
//! they decide how many coordinates are read, so they must be known before there are instructions.

pub mod alpha_test;
pub mod clamp_targets;
pub mod clip_planes;
pub mod extras;
pub mod flat_colors;
pub mod fog_blend;
pub mod half_pixel;
mod outputs;
pub mod point_size;
pub mod point_sprite;
pub mod srgb_write;
pub mod vertex_fog;

pub use alpha_test::{AlphaTest, CompareFunction, alpha_test};
pub use clamp_targets::clamp_targets;
pub use clip_planes::clip_planes;
pub use flat_colors::flat_colors;
pub use fog_blend::{FogBlend, FogCoordinate, FogFactor, fog_blend};
pub use half_pixel::half_pixel;
pub use point_size::{PointSize, point_size};
pub use point_sprite::point_sprite;
pub use srgb_write::srgb_write;
pub use vertex_fog::{VertexFog, vertex_fog};

use crate::lower::Lowered;

/// Which passes run, and with what parameters. By default none does.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Options {
    /// Alpha test (pixel).
    pub alpha_test: Option<AlphaTest>,
    /// Fog (pixel shaders below 3_0; those of 3_0 do their own).
    pub fog: Option<FogBlend>,
    /// Linear to sRGB on the way out (pixel): bits by colour target.
    pub srgb_write: u8,
    /// Clamp to 0–1 on the way out (pixel): bits by colour target.
    pub clamp_targets: u8,
    /// Texture coordinates come from the place within a point (pixel).
    pub point_sprite: bool,
    /// COLOR0 and COLOR1 are flat (both stages).
    pub flat_colors: bool,
    /// A fog output where the shader writes none (vertex).
    pub vertex_fog: Option<VertexFog>,
    /// Bounds and default of the point size (vertex).
    pub point_size: Option<PointSize>,
    /// Number of user clip planes, 0–6 (vertex).
    pub clip_planes: u8,
    /// Shift by half a pixel, from the driver's block (vertex).
    pub half_pixel: bool,
}

/// Runs the passes that the options name, in the order in which the pipeline would.
pub fn apply(lowered: &mut Lowered, options: &Options) {
    let module = &mut lowered.module;
    let version = lowered.reflection.version;
    if version.is_pixel() {
        if options.point_sprite {
            point_sprite(module);
        }
        if options.flat_colors {
            flat_colors(module);
        }
        if let Some(fog) = options.fog.filter(|_| version.major < 3) {
            fog_blend(module, &fog);
        }
        // The test reads the alpha that the shader wrote; fog leaves it alone, so the order of the two is free.
        if let Some(test) = options.alpha_test {
            alpha_test(module, &test);
        }
        // After fog: blending in linear light is what the target then encodes.
        if options.clamp_targets != 0 {
            clamp_targets(module, options.clamp_targets);
        }
        if options.srgb_write != 0 {
            srgb_write(module, options.srgb_write);
        }
    } else {
        if options.flat_colors {
            flat_colors(module);
        }
        if let Some(fog) = options.vertex_fog {
            vertex_fog(module, &fog);
        }
        if let Some(size) = options.point_size {
            point_size(module, &size);
        }
        // Distances are of the position before it is shifted.
        clip_planes(module, options.clip_planes);
        if options.half_pixel {
            half_pixel(module);
        }
    }
}
