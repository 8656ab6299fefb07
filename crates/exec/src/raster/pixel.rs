//! The meeting point of rasteriser and pixel shader.

use super::MAX_COLORS;

/// What a pixel shader may do beside giving colours: decides how early depth can be tested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// It may set [`QuadOutput::kill`].
    pub kills: bool,
    /// [`QuadOutput::depth`] replaces the interpolated depth.
    pub writes_depth: bool,
    /// [`QuadOutput::stencil`] replaces the stencil reference.
    pub writes_stencil: bool,
    /// It writes memory, so that it must run where the depth test fails too.
    pub writes_memory: bool,
    /// Depth and stencil are tested and written before it, whatever it does (`earlydepthstencil`).
    pub early_tests: bool,
}

/// Four pixels on their way into the shader. Lanes are (0,0), (1,0), (0,1), (1,1) from the upper left; all arrays end in the
/// lane.
#[derive(Clone, Copy, Debug)]
pub struct Quad<'a> {
    /// Column of lane 0, even.
    pub x: i32,
    /// Row of lane 0, even; rows count downward from the top of the whole target.
    pub y: i32,
    /// x and y of the pixel centre (integers for Direct3D 9, halves elsewhere), depth, and 1/w.
    pub position: [[f32; 4]; 4],
    /// Bit `lane` is set where the primitive covers the pixel (and, after an early test, where it is visible). The other
    /// lanes are helpers: they feed derivatives and must write nothing.
    pub coverage: u8,
    /// Varyings, in the order of [`State::varyings`](super::State::varyings).
    pub varyings: &'a [[f32; 4]],
    /// Whether a front face is drawn; true for points and lines.
    pub front: bool,
    /// The number of the primitive within the draw.
    pub primitive: u32,
    /// u and v within a point, 0…1 from its upper left corner; 0 for other primitives.
    pub point_coord: [[f32; 4]; 2],
}

/// What the shader gives back, by lane.
#[derive(Clone, Debug)]
pub struct QuadOutput {
    /// Attachment, channel, lane.
    pub colors: [[[f32; 4]; 4]; MAX_COLORS],
    /// Bit `i` is set where attachment `i` has a colour; others stay untouched. Cleared before each call.
    pub written: u8,
    /// Depths, if [`Effects::writes_depth`].
    pub depth: [f32; 4],
    /// Stencil references, if [`Effects::writes_stencil`].
    pub stencil: [u8; 4],
    /// Bits of lanes that are discarded. Cleared before each call.
    pub kill: u8,
}

impl Default for QuadOutput {
    fn default() -> Self {
        Self { colors: [[[0.0; 4]; 4]; MAX_COLORS], written: 0, depth: [0.0; 4], stencil: [0; 4], kill: 0 }
    }
}

impl QuadOutput {
    /// Sets the colour of an attachment: red, green, blue, alpha, each by lane. An attachment beyond the last is dropped.
    #[inline]
    pub fn set_color(&mut self, attachment: usize, rgba: [[f32; 4]; 4]) {
        if let Some(color) = self.colors.get_mut(attachment) {
            *color = rgba;
            self.written |= 1 << attachment;
        }
    }

    /// Sets one colour for all lanes.
    #[inline]
    pub fn fill_color(&mut self, attachment: usize, rgba: [f32; 4]) {
        self.set_color(attachment, rgba.map(|channel| [channel; 4]));
    }

    /// The RGBA of one lane.
    #[inline]
    pub(super) fn rgba(&self, attachment: usize, lane: usize) -> [f32; 4] {
        self.colors[attachment].map(|channel| channel[lane])
    }
}

/// A pixel shader.
pub trait PixelShader {
    /// What it may do beside giving colours.
    fn effects(&self) -> Effects {
        Effects::default()
    }

    /// Shades four pixels. Helper lanes hold extrapolated values, which may be infinite or NaN.
    fn shade(&mut self, quad: &Quad<'_>, out: &mut QuadOutput);
}

impl<F: FnMut(&Quad<'_>, &mut QuadOutput)> PixelShader for F {
    fn shade(&mut self, quad: &Quad<'_>, out: &mut QuadOutput) {
        self(quad, out);
    }
}
