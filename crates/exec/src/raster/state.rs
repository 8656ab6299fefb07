//! What a draw is told besides its vertices.

use super::{Blend, DepthState, Provoking, StencilState};

/// Where pixel centres lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PixelCentre {
    /// At integers: Direct3D 9 and before. The shader's position is an integer (vPos).
    D3d9,
    /// At half-integers: everyone else. The shader's position ends in .5.
    #[default]
    HalfInteger,
}

/// Which way y of clip space points on the target, whose rows count downward.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ClipY {
    /// Up: Direct3D, Metal, OpenGL.
    #[default]
    Up,
    /// Down: Vulkan.
    Down,
}

/// The visible range of z in clip space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ClipZ {
    /// 0 … w: Direct3D, Vulkan, Metal.
    #[default]
    ZeroToW,
    /// −w … w: OpenGL.
    MinusWToW,
}

/// The viewport, in pixels. A negative height turns the picture over, as Vulkan has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewport {
    /// Left edge.
    pub x: f32,
    /// Top edge.
    pub y: f32,
    /// Width.
    pub width: f32,
    /// Height.
    pub height: f32,
    /// Depth of the near plane.
    pub min_depth: f32,
    /// Depth of the far plane.
    pub max_depth: f32,
}

impl Viewport {
    /// A whole target, depth 0 to 1.
    pub fn whole(width: u32, height: u32) -> Viewport {
        Viewport { x: 0.0, y: 0.0, width: width as f32, height: height as f32, min_depth: 0.0, max_depth: 1.0 }
    }
}

/// Pixels from (x0, y0) up to but not including (x1, y1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rect {
    /// Left, inclusive.
    pub x0: i32,
    /// Top, inclusive.
    pub y0: i32,
    /// Right, exclusive.
    pub x1: i32,
    /// Bottom, exclusive.
    pub y1: i32,
}

impl Rect {
    /// What both contain.
    pub fn intersect(self, other: Rect) -> Rect {
        Rect {
            x0: self.x0.max(other.x0),
            y0: self.y0.max(other.y0),
            x1: self.x1.min(other.x1),
            y1: self.y1.min(other.y1),
        }
    }

    /// Whether there is no pixel in it.
    pub fn is_empty(self) -> bool {
        self.x0 >= self.x1 || self.y0 >= self.y1
    }
}

/// A direction of turning, as seen on the target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Winding {
    /// As the clock's hands (front in Direct3D).
    #[default]
    Clockwise,
    /// Against them.
    CounterClockwise,
}

/// Which faces are not drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Cull {
    /// All are drawn.
    #[default]
    None,
    /// Front faces are dropped.
    Front,
    /// Back faces are dropped.
    Back,
}

impl Cull {
    /// The meaning of a `D3DCULL` number (1 none, 2 clockwise, 3 counter-clockwise) where clockwise is front.
    pub fn from_d3d9(number: u32) -> Option<Cull> {
        Some(match number {
            1 => Cull::None,
            2 => Cull::Front,
            3 => Cull::Back,
            _ => return None,
        })
    }
}

/// Whether colours are interpolated. The discriminant is the `D3DSHADEMODE` number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ShadeMode {
    /// Varyings marked [`Varying::color`] are flat.
    Flat = 1,
    /// All as their own [`Interpolation`] says.
    #[default]
    Gouraud = 2,
}

/// How a varying gets from vertices to pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Interpolation {
    /// Linear in the space of the primitive.
    #[default]
    Perspective,
    /// Linear on the target (`noperspective`).
    Linear,
    /// The provoking vertex's.
    Flat,
    /// At a place that is covered: the centre, since there is one sample a pixel.
    Centroid,
}

/// What a point sprite puts into a varying.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sprite {
    /// Nothing: the varying stays.
    #[default]
    Keep,
    /// 0 at the left to 1 at the right.
    U,
    /// 0 at the top to 1 at the bottom.
    V,
    /// 0 (the third and fourth lane of a Direct3D 9 texture coordinate).
    Zero,
}

/// One scalar varying.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Varying {
    /// How it is interpolated.
    pub interpolation: Interpolation,
    /// It is part of a colour, which [`ShadeMode::Flat`] makes flat (bytecode sheet 3.5).
    pub color: bool,
    /// What [`State::point_sprites`] puts there.
    pub sprite: Sprite,
}

/// What happens to one colour attachment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColorState {
    /// Blending, or replacement.
    pub blend: Option<Blend>,
    /// Bits 1 red, 2 green, 4 blue, 8 alpha, as Direct3D 9 numbers them.
    pub write_mask: u8,
}

impl Default for ColorState {
    fn default() -> Self {
        Self { blend: None, write_mask: 15 }
    }
}

/// All of a draw's state.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The viewport.
    pub viewport: Viewport,
    /// Where drawing is allowed at all; `None` is everywhere.
    pub scissor: Option<Rect>,
    /// Where pixel centres lie.
    pub pixel_centre: PixelCentre,
    /// Which way y points.
    pub clip_y: ClipY,
    /// The range of z.
    pub clip_z: ClipZ,
    /// Clip against near and far; off, depth is clamped instead (`depthClampEnable`).
    pub depth_clip: bool,
    /// Positions are (x, y, z, 1/w) on the target already (`D3DDECLUSAGE_POSITIONT`): no viewport transform.
    pub pretransformed: bool,
    /// Clip distances a vertex, at most 8. A primitive is cut where one is negative.
    pub clip_distances: u8,
    /// Faces that are not drawn.
    pub cull: Cull,
    /// The winding of front faces.
    pub front: Winding,
    /// Whose flat attributes hold.
    pub provoking: Provoking,
    /// Whether colours are flat.
    pub shade_mode: ShadeMode,
    /// The layout of a vertex's varyings, one entry a scalar.
    pub varyings: Vec<Varying>,
    /// The size of points whose vertices give none, in pixels.
    pub point_size: f32,
    /// The least and greatest point size.
    pub point_size_range: [f32; 2],
    /// Varyings of points are replaced as their [`Varying::sprite`] says.
    pub point_sprites: bool,
    /// The last pixel of a line is drawn (Direct3D 9's LASTPIXEL).
    pub last_pixel: bool,
    /// Depth test, write and bias.
    pub depth: DepthState,
    /// Stencil test; `None` is off.
    pub stencil: Option<StencilState>,
    /// Colour attachments in order; those beyond the end have [`ColorState::default`].
    pub colors: Vec<ColorState>,
    /// The constant of blending, RGBA.
    pub blend_constant: [f32; 4],
}

impl State {
    /// Everything off or at its plainest, for a target of that size: no culling, no depth, no blending, half-integer
    /// centres, y up, front clockwise.
    pub fn new(width: u32, height: u32) -> State {
        State {
            viewport: Viewport::whole(width, height),
            scissor: None,
            pixel_centre: PixelCentre::default(),
            clip_y: ClipY::default(),
            clip_z: ClipZ::default(),
            depth_clip: true,
            pretransformed: false,
            clip_distances: 0,
            cull: Cull::None,
            front: Winding::Clockwise,
            provoking: Provoking::First,
            shade_mode: ShadeMode::Gouraud,
            varyings: Vec::new(),
            point_size: 1.0,
            point_size_range: [1.0, 8192.0],
            point_sprites: false,
            last_pixel: false,
            depth: DepthState::default(),
            stencil: None,
            colors: Vec::new(),
            blend_constant: [0.0; 4],
        }
    }

    /// How a varying is interpolated under the shade mode.
    pub(super) fn interpolation(&self, varying: Varying) -> Interpolation {
        if varying.color && self.shade_mode == ShadeMode::Flat { Interpolation::Flat } else { varying.interpolation }
    }

    /// How far left and up of the API's coordinates ours lie, whose pixel centres are integers.
    pub(super) fn centre(&self) -> f64 {
        match self.pixel_centre {
            PixelCentre::D3d9 => 0.0,
            PixelCentre::HalfInteger => 0.5,
        }
    }
}
