//! What is drawn or computed: plain data that travels to the child process.

use super::wire::{Wire, wire_enum, wire_struct};
use aquatint_exec::compare::Compare;
use aquatint_exec::raster::{
    Blend, BlendEquation, BlendFactor, BlendOp, ClipY, ClipZ, ColorFormat, ColorState, Cull, DepthBias, DepthFormat,
    DepthState, Interpolation, PixelCentre, Provoking, Rect, ShadeMode, Sprite, State, StencilFace, StencilOp,
    StencilState, Topology, Varying, Viewport, Winding,
};
use aquatint_exec::texture::{
    Address, Channel, Dimension, Extent, Filter, MipFilter, Sampler, Shape, ShapeError, Swizzle, Texture,
};

/// The texels of an image, in the order of [`Texture`]'s constructors: level 0 or all levels, four a texel.
#[derive(Clone, Debug, PartialEq)]
pub enum Texels {
    /// Floats.
    Float(Vec<f32>),
    /// Integers; signed ones as their two's complement.
    Integer(Vec<u32>),
}

/// A texture.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    /// Dimension, size and counts. A texture buffer is a [`Dimension::D1`] texture.
    pub shape: Shape,
    /// The texels.
    pub texels: Texels,
    /// What each lane of a result shows.
    pub swizzle: Swizzle,
    /// The texels are fixed-point: a comparison's reference is clamped to 0…1 first.
    pub fixed_point: bool,
}

impl Image {
    /// A float image.
    pub fn float(shape: Shape, rgba: Vec<f32>) -> Image {
        Image { shape, texels: Texels::Float(rgba), swizzle: Swizzle::IDENTITY, fixed_point: false }
    }

    /// An integer image.
    pub fn integer(shape: Shape, rgba: Vec<u32>) -> Image {
        Image { shape, texels: Texels::Integer(rgba), swizzle: Swizzle::IDENTITY, fixed_point: false }
    }

    /// The texture that it is.
    ///
    /// # Errors
    /// What [`Texture`]'s constructors refuse.
    pub fn texture(&self) -> Result<Texture, ShapeError> {
        let mut made = match &self.texels {
            Texels::Float(rgba) => Texture::from_f32(self.shape, rgba),
            Texels::Integer(rgba) => Texture::from_u32(self.shape, rgba),
        }?;
        (made.swizzle, made.fixed_point) = (self.swizzle, self.fixed_point);
        Ok(made)
    }

    /// All levels of a texture.
    pub fn of(texture: &Texture) -> Image {
        let plain = texture.clone().with_swizzle(Swizzle::IDENTITY);
        let shape = *texture.shape();
        let faces = if shape.dimension == Dimension::Cube { 6 } else { 1 };
        let mut words = Vec::new();
        for level in 0..shape.levels {
            let Extent { width, height, depth } = shape.level(level);
            for layer in 0..shape.layers * faces {
                for sample in 0..shape.samples {
                    for z in 0..depth {
                        for y in 0..height {
                            for x in 0..width {
                                let at = [x, y, z].map(|i| i as i32);
                                words.extend(plain.fetch_bits(at, layer as i32, level as i32, sample as i32));
                            }
                        }
                    }
                }
            }
        }
        let texels = match texture.is_integer() {
            true => Texels::Integer(words),
            false => Texels::Float(words.into_iter().map(f32::from_bits).collect()),
        };
        Image { shape, texels, swizzle: texture.swizzle, fixed_point: texture.fixed_point }
    }
}

/// A function of a Metal source, and what it is given. Indices are those of `[[buffer(n)]]`, `[[texture(n)]]` and
/// `[[sampler(n)]]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stage {
    /// The source.
    pub source: String,
    /// The function's name.
    pub entry: String,
    /// Function constants by index, as literals: `true`, `3`, `4u`, `1.5f`.
    pub constants: Vec<(u32, String)>,
    /// Buffers.
    pub buffers: Vec<(u32, Vec<u8>)>,
    /// Textures; where none is given, black is read.
    pub textures: Vec<(u32, Image)>,
    /// Samplers; where none is given, nearest texels are read.
    pub samplers: Vec<(u32, Sampler)>,
}

impl Stage {
    /// A function without arguments.
    pub fn new(source: &str, entry: &str) -> Stage {
        Stage { source: source.to_owned(), entry: entry.to_owned(), ..Stage::default() }
    }
}

/// The render target.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Colour attachments.
    pub colors: Vec<ColorFormat>,
    /// What they are cleared to.
    pub clear: [f32; 4],
    /// How depth is held, if there is any.
    pub depth: Option<DepthFormat>,
    /// What depth is cleared to.
    pub clear_depth: f32,
    /// What stencil, which is always there, is cleared to.
    pub clear_stencil: u8,
}

impl Target {
    /// One float attachment, all cleared to zero, depth (24 bits) to one.
    pub fn new(width: u32, height: u32) -> Target {
        Target {
            width,
            height,
            colors: vec![ColorFormat::Float],
            clear: [0.0; 4],
            depth: Some(DepthFormat::Unorm24),
            clear_depth: 1.0,
            clear_stencil: 0,
        }
    }
}

/// The contents of a vertex attribute, one entry a vertex (or instance); zeros beyond the end.
#[derive(Clone, Debug, PartialEq)]
pub enum AttributeData {
    /// Floats.
    Float(Vec<[f32; 4]>),
    /// Integers.
    Bits(Vec<[u32; 4]>),
}

/// A vertex attribute.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// The n of `[[attribute(n)]]`.
    pub location: u32,
    /// Its contents.
    pub data: AttributeData,
    /// Whether it advances by instance, not by vertex.
    pub per_instance: bool,
}

/// What Direct3D 9's fixed state does to a varying, which Metal's text does not say.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// The varying: the `name` of its `[[user(name)]]`, or the member's own.
    pub name: String,
    /// Flat shading makes it flat.
    pub color: bool,
    /// Point sprites replace it.
    pub sprite: bool,
}

/// A draw.
#[derive(Clone, Debug, PartialEq)]
pub struct Draw {
    /// The vertex function.
    pub vertex: Stage,
    /// The fragment function.
    pub fragment: Stage,
    /// Vertex attributes.
    pub attributes: Vec<Attribute>,
    /// How vertices join.
    pub topology: Topology,
    /// How many vertices are shaded: numbers 0 up to this.
    pub vertex_count: u32,
    /// Which of them, in which order; all in order if there is none.
    pub indices: Option<Vec<u32>>,
    /// Number of instances.
    pub instances: u32,
    /// The state; `varyings` and `clip_distances` are filled in from the functions.
    pub state: State,
    /// Varyings that fixed state touches.
    pub marks: Vec<Mark>,
}

impl Draw {
    /// A draw of `count` vertices into a target of that size, all state at its plainest.
    pub fn new(vertex: Stage, fragment: Stage, topology: Topology, count: u32, target: &Target) -> Draw {
        Draw {
            vertex,
            fragment,
            attributes: Vec::new(),
            topology,
            vertex_count: count,
            indices: None,
            instances: 1,
            state: State::new(target.width, target.height),
            marks: Vec::new(),
        }
    }
}

/// A dispatch.
#[derive(Clone, Debug, PartialEq)]
pub struct Compute {
    /// The kernel function.
    pub kernel: Stage,
    /// Threadgroups in x, y, z.
    pub groups: [u32; 3],
    /// Threads of a threadgroup in x, y, z; at most 1024.
    pub threads: [u32; 3],
    /// Threads of a SIMD group: 4, 8, 16, 32 or 64.
    pub simd: u32,
    /// Bytes of `[[threadgroup(n)]]` arguments.
    pub memory: Vec<(u32, u32)>,
}

impl Compute {
    /// A dispatch with SIMD groups of 32.
    pub fn new(kernel: Stage, groups: [u32; 3], threads: [u32; 3]) -> Compute {
        Compute { kernel, groups, threads, simd: 32, memory: Vec::new() }
    }
}

/// What a function has written: buffers in device memory that are not const, and textures that it may write.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Written {
    /// Buffers by index.
    pub buffers: Vec<(u32, Vec<u8>)>,
    /// Textures by index.
    pub textures: Vec<(u32, Image)>,
}

/// What was drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// For each colour attachment its texels, rows top down.
    pub colors: Vec<Vec<[f32; 4]>>,
    /// Depths, rows top down; empty without depth.
    pub depth: Vec<f32>,
    /// Stencil, rows top down.
    pub stencil: Vec<u8>,
    /// What the vertex and fragment functions of each draw have written.
    pub written: Vec<[Written; 2]>,
}

wire_enum!(Dimension { D1, D2, D3, Cube });
wire_enum!(Channel { R, G, B, A, Zero, One });
wire_enum!(Address { Wrap, Mirror, Clamp, Border, MirrorOnce });
wire_enum!(Filter { Point, Linear });
wire_enum!(MipFilter { None, Point, Linear });
wire_enum!(Compare { Never, Less, Equal, LessEqual, Greater, NotEqual, GreaterEqual, Always });
wire_enum!(Topology { PointList, LineList, LineStrip, TriangleList, TriangleStrip, TriangleFan });
wire_enum!(ColorFormat { Float, Unorm8, Srgb8 });
wire_enum!(DepthFormat { Float32, Unorm24, Unorm16 });
wire_enum!(PixelCentre { D3d9, HalfInteger });
wire_enum!(ClipY { Up, Down });
wire_enum!(ClipZ { ZeroToW, MinusWToW });
wire_enum!(Winding { Clockwise, CounterClockwise });
wire_enum!(Cull { None, Front, Back });
wire_enum!(ShadeMode { Flat, Gouraud });
wire_enum!(Provoking { First, Last });
wire_enum!(Interpolation { Perspective, Linear, Flat, Centroid });
wire_enum!(Sprite { Keep, U, V, Zero });
wire_enum!(StencilOp { Keep, Zero, Replace, IncrementClamp, DecrementClamp, Invert, IncrementWrap, DecrementWrap });
wire_enum!(BlendOp { Add, Subtract, ReverseSubtract, Min, Max });
wire_enum!(BlendFactor {
    Zero,
    One,
    SrcColor,
    InvSrcColor,
    SrcAlpha,
    InvSrcAlpha,
    DstAlpha,
    InvDstAlpha,
    DstColor,
    InvDstColor,
    SrcAlphaSaturate,
    Constant,
    InvConstant,
    ConstantAlpha,
    InvConstantAlpha,
    Src1Color,
    InvSrc1Color,
    Src1Alpha,
    InvSrc1Alpha,
});
wire_struct!(Extent { width, height, depth });
wire_struct!(Shape { dimension, extent, layers, levels, samples });
wire_struct!(Image { shape, texels, swizzle, fixed_point });
wire_struct!(Sampler {
    min,
    mag,
    mip,
    address,
    border,
    lod_bias,
    min_lod,
    max_lod,
    max_anisotropy,
    compare,
    unnormalised,
    seamless,
});
wire_struct!(Stage { source, entry, constants, buffers, textures, samplers });
wire_struct!(Target { width, height, colors, clear, depth, clear_depth, clear_stencil });
wire_struct!(Attribute { location, data, per_instance });
wire_struct!(Mark { name, color, sprite });
wire_struct!(Draw { vertex, fragment, attributes, topology, vertex_count, indices, instances, state, marks });
wire_struct!(Compute { kernel, groups, threads, simd, memory });
wire_struct!(Written { buffers, textures });
wire_struct!(Picture { colors, depth, stencil, written });
wire_struct!(Viewport { x, y, width, height, min_depth, max_depth });
wire_struct!(Rect { x0, y0, x1, y1 });
wire_struct!(Varying { interpolation, color, sprite });
wire_struct!(BlendEquation { src, dst, op });
wire_struct!(Blend { color, alpha });
wire_struct!(ColorState { blend, write_mask });
wire_struct!(DepthBias { constant, in_steps, slope, clamp });
wire_struct!(DepthState { test, write, compare, bias });
wire_struct!(StencilFace { compare, fail, depth_fail, pass, reference, read_mask, write_mask });
wire_struct!(StencilState { front, back });
wire_struct!(State {
    viewport,
    scissor,
    pixel_centre,
    clip_y,
    clip_z,
    depth_clip,
    pretransformed,
    clip_distances,
    cull,
    front,
    provoking,
    shade_mode,
    varyings,
    point_size,
    point_size_range,
    point_sprites,
    last_pixel,
    depth,
    stencil,
    colors,
    blend_constant,
});

impl Wire for Swizzle {
    fn put(&self, to: &mut Vec<u8>) {
        self.0.put(to);
    }
    fn take(from: &mut &[u8]) -> Option<Self> {
        Wire::take(from).map(Swizzle)
    }
}

impl Wire for Texels {
    fn put(&self, to: &mut Vec<u8>) {
        match self {
            Texels::Float(all) => (0_u8.put(to), all.put(to)).1,
            Texels::Integer(all) => (1_u8.put(to), all.put(to)).1,
        }
    }
    fn take(from: &mut &[u8]) -> Option<Self> {
        Some(match u8::take(from)? {
            0 => Texels::Float(Wire::take(from)?),
            _ => Texels::Integer(Wire::take(from)?),
        })
    }
}

impl Wire for AttributeData {
    fn put(&self, to: &mut Vec<u8>) {
        match self {
            AttributeData::Float(all) => (0_u8.put(to), all.put(to)).1,
            AttributeData::Bits(all) => (1_u8.put(to), all.put(to)).1,
        }
    }
    fn take(from: &mut &[u8]) -> Option<Self> {
        Some(match u8::take(from)? {
            0 => AttributeData::Float(Wire::take(from)?),
            _ => AttributeData::Bits(Wire::take(from)?),
        })
    }
}
