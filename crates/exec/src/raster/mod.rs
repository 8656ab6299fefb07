//! The rasteriser: from shaded vertices to pixels in a target.
//!
//! ```text
//! assemble ─► clip ─► project, snap, cull            prepare(): once a draw
//! coverage ─► interpolate ─► PixelShader on quads ─► depth, stencil, blend      Prepared::draw(): once a band
//! ```
//!
//! [`prepare`] does everything that does not touch the target; [`Prepared::draw`] then fills one [`Band`] of rows.
//! [`Target::bands`] cuts a target into bands that share nothing, so that a caller may draw them on threads of its own;
//! each pixel gets the same primitives in the same order however the target is cut.
//!
//! The rules:
//!
//! - **Coordinates.** Positions are snapped to 1/256 pixel; coverage is exact integer arithmetic, so that triangles that
//!   share an edge touch each pixel once. Centres exactly on an edge belong to the triangle whose top or left edge it is.
//!   Pixel centres are integers for Direct3D 9 and half-integers elsewhere ([`PixelCentre`]).
//! - **Clipping** is homogeneous: near, far, the user's clip distances, and a guard band of ±65536 pixels. Pixels outside
//!   the viewport are not drawn. Primitives with a vertex that is no finite number are dropped.
//! - **Interpolation** is perspective-correct with weights in 64 bits and attributes in 32. There is one sample a pixel, so
//!   centroid equals centre.
//! - **Quads.** The shader sees aligned 2×2 quads; lanes outside the primitive are helpers, extrapolated, and masked off
//!   in [`Quad::coverage`].
//! - **Lines** step along their longer axis, one pixel a step, from the pixel of the first vertex up to but not including
//!   that of the last ([`State::last_pixel`] adds it). This equals the diamond-exit rule except for lines that begin or end
//!   inside a diamond off the pixel's centre. Lines are one pixel wide.
//! - **Points** are squares, left and top edge inclusive.
//! - **Depth and stencil** are tested before the shader where nobody can tell, after it otherwise ([`Effects`]).

mod assemble;
mod blend;
mod clip;
mod depth_stencil;
mod draw;
mod fill;
pub mod mesh;
mod pixel;
mod prepare;
mod state;
mod target;

pub use assemble::{Elements, Primitive, Provoking, Topology, assemble};
pub use blend::{Blend, BlendEquation, BlendFactor, BlendOp};
pub use depth_stencil::{DepthBias, DepthState, StencilFace, StencilOp, StencilState};
pub use draw::Statistics;
pub use pixel::{Effects, PixelShader, Quad, QuadOutput};
pub use prepare::{DrawError, Prepared, Vertices, prepare};
pub use state::{
    ClipY, ClipZ, ColorState, Cull, Interpolation, PixelCentre, Rect, ShadeMode, Sprite, State, Varying, Viewport,
    Winding,
};
pub use target::{Band, ColorFormat, DepthFormat, MAX_COLORS, Target, TargetError};
