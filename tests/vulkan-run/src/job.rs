//! What is drawn or computed: plain data, no Vulkan.

/// Where pixel centres lie in the coordinates that the viewport transform gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PixelCentre {
    /// At halves: Direct3D 10 and later, Vulkan, Metal.
    #[default]
    Half,
    /// At integers: Direct3D 9.
    Integer,
}

/// The render target.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Colour attachments, four 32-bit floats a texel.
    pub colors: u32,
    /// What they are cleared to.
    pub clear: [f32; 4],
    /// What depth is cleared to.
    pub clear_depth: f32,
    /// What stencil is cleared to.
    pub clear_stencil: u32,
    /// Where pixel centres lie.
    pub centre: PixelCentre,
}

impl Target {
    /// One colour attachment, all cleared to zero, depth to one.
    pub fn new(width: u32, height: u32) -> Self {
        Self {
            width,
            height,
            colors: 1,
            clear: [0.0; 4],
            clear_depth: 1.0,
            clear_stencil: 0,
            centre: PixelCentre::default(),
        }
    }
}

/// What vertices make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Topology {
    /// Points. The vertex shader must write their size.
    Points,
    /// Separate lines.
    Lines,
    /// Joined lines.
    LineStrip,
    /// Separate triangles.
    Triangles,
    /// A strip.
    TriangleStrip,
    /// A fan.
    TriangleFan,
}

/// The format of a vertex attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VertexFormat {
    /// One to four 32-bit floats.
    Float(u8),
    /// One to four 32-bit unsigned integers.
    Uint(u8),
    /// One to four 32-bit signed integers.
    Sint(u8),
    /// Four bytes, red first, 0 to 1.
    Rgba8,
    /// Four bytes, blue first, 0 to 1 (D3DCOLOR).
    Bgra8,
}

/// A vertex attribute, from the one vertex buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attribute {
    /// Location in the shader.
    pub location: u32,
    /// Bytes from the start of a vertex.
    pub offset: u32,
    /// Format.
    pub format: VertexFormat,
}

/// A comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Compare {
    /// Never.
    Never,
    /// `<`
    Less,
    /// `==`
    Equal,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `!=`
    NotEqual,
    /// `>=`
    GreaterEqual,
    /// Always.
    #[default]
    Always,
}

impl Compare {
    /// The meaning of a `D3DCMPFUNC` number, 1 to 8.
    pub fn from_d3d9(number: u32) -> Option<Self> {
        use Compare::*;
        [Never, Less, Equal, LessEqual, Greater, NotEqual, GreaterEqual, Always]
            .get(number.checked_sub(1)? as usize)
            .copied()
    }
}

/// Which faces are dropped. Clockwise faces, as seen on the target, are front faces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Cull {
    /// None.
    #[default]
    None,
    /// Clockwise ones.
    Clockwise,
    /// Counter-clockwise ones.
    CounterClockwise,
}

/// Depth test and write.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Depth {
    /// The test.
    pub compare: Compare,
    /// Whether passing pixels write.
    pub write: bool,
}

/// One face's stencil operations, as Vulkan numbers them (0 keep, 1 zero, 2 replace, 3 and 4 clamped, 5 invert, 6 and 7
/// wrapped increment and decrement).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StencilFace {
    /// The test.
    pub compare: Compare,
    /// Where it fails.
    pub fail: i32,
    /// Where depth fails.
    pub depth_fail: i32,
    /// Where both pass.
    pub pass: i32,
}

/// Stencil test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stencil {
    /// Clockwise faces.
    pub front: StencilFace,
    /// Others.
    pub back: StencilFace,
    /// Reference.
    pub reference: u32,
    /// Mask of the comparison.
    pub read_mask: u32,
    /// Mask of writes.
    pub write_mask: u32,
}

/// A blend equation: factors and operation as Vulkan numbers them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlendPart {
    /// Factor of the source.
    pub source: i32,
    /// Factor of what is there.
    pub destination: i32,
    /// 0 add, 1 subtract, 2 reverse subtract, 3 minimum, 4 maximum.
    pub operation: i32,
}

/// Blending.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Blend {
    /// Of red, green and blue.
    pub color: BlendPart,
    /// Of alpha.
    pub alpha: BlendPart,
    /// The constant.
    pub constant: [f32; 4],
}

/// The texels of an image, level after level; within a level slices or faces in order, rows top down.
#[derive(Clone, PartialEq, Debug)]
pub enum Texels {
    /// Four floats a texel.
    Float(Vec<f32>),
    /// Four bytes a texel, 0 to 1.
    Rgba8(Vec<u8>),
    /// Four unsigned integers a texel.
    Uint(Vec<u32>),
    /// Four signed integers a texel, as their two's complement.
    Sint(Vec<u32>),
    /// One word a texel, of this kind: what atomic operations on images need.
    Single(Word, Vec<u32>),
    /// One depth a texel, for comparisons.
    Depth(Vec<f32>),
}

/// The kind of a texel of one component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    /// f32
    Float,
    /// u32
    Uint,
    /// i32
    Sint,
}

/// The shape of an image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ImageKind {
    /// A row.
    D1,
    /// A picture.
    D2,
    /// Six square pictures: +x −x +y −y +z −z.
    Cube,
    /// A volume.
    D3,
}

/// An image, to sample or to write.
#[derive(Clone, PartialEq, Debug)]
pub struct Image {
    /// Its shape.
    pub kind: ImageKind,
    /// Width, height, depth of level 0.
    pub size: [u32; 3],
    /// Mip levels.
    pub levels: u32,
    /// Elements of an array (of cubes: whole cubes); `None` is no array, whose view has another type.
    pub layers: Option<u32>,
    /// All texels.
    pub texels: Texels,
}

/// A filter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Filter {
    /// The nearest texel or level.
    #[default]
    Nearest,
    /// Between texels or levels.
    Linear,
}

/// What happens outside 0 to 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Address {
    /// The image repeats.
    #[default]
    Wrap,
    /// It repeats mirrored.
    Mirror,
    /// The edge goes on.
    Clamp,
    /// The border colour.
    Border,
    /// Mirrored once, then the edge.
    MirrorOnce,
}

/// The colour of the border.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Border {
    /// Zeros.
    #[default]
    Transparent,
    /// Black, alpha 1.
    Black,
    /// Ones.
    White,
    /// Any; the device must have `VK_EXT_custom_border_color`.
    Custom([f32; 4]),
}

/// A sampler.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sampler {
    /// When texels are larger than pixels.
    pub magnify: Filter,
    /// When they are smaller.
    pub minify: Filter,
    /// Between levels; `None` stays at level 0.
    pub mip: Option<Filter>,
    /// In u, v, w.
    pub address: [Address; 3],
    /// Border colour.
    pub border: Border,
    /// Added to the level.
    pub bias: f32,
    /// Least and greatest level.
    pub levels: [f32; 2],
    /// Compares, if at all.
    pub compare: Option<Compare>,
}

impl Default for Sampler {
    fn default() -> Self {
        Self {
            magnify: Filter::Nearest,
            minify: Filter::Nearest,
            mip: None,
            address: [Address::Wrap; 3],
            border: Border::Transparent,
            bias: 0.0,
            levels: [0.0, 1000.0],
            compare: None,
        }
    }
}

/// What is bound somewhere.
#[derive(Clone, PartialEq, Debug)]
pub enum Resource {
    /// A uniform buffer.
    Uniform(Vec<u8>),
    /// A storage buffer.
    Storage(Vec<u8>),
    /// A sampled image.
    Image(Image),
    /// An image to read and write, of one level.
    StorageImage(Image),
    /// A buffer that is read as texels.
    TexelBuffer(Texels),
    /// A buffer that is read and written as texels.
    StorageTexelBuffer(Texels),
    /// A sampler.
    Sampler(Sampler),
}

/// Resources by (set, binding).
pub type Bindings = Vec<((u32, u32), Resource)>;

/// A draw.
#[derive(Clone, Debug, PartialEq)]
pub struct Draw<'a> {
    /// SPIR-V of the vertex stage, entry point `main`.
    pub vertex: &'a [u32],
    /// SPIR-V of the fragment stage, entry point `main`.
    pub fragment: &'a [u32],
    /// Resources.
    pub bindings: Bindings,
    /// Push constants.
    pub push: Vec<u8>,
    /// The vertex buffer.
    pub vertices: Vec<u8>,
    /// Bytes a vertex.
    pub stride: u32,
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// What vertices make.
    pub topology: Topology,
    /// Number of vertices (or of indices).
    pub count: u32,
    /// Indices, if drawn by them.
    pub indices: Option<Vec<u32>>,
    /// Number of instances.
    pub instances: u32,
    /// Culling.
    pub cull: Cull,
    /// Depth test, if any.
    pub depth: Option<Depth>,
    /// Stencil test, if any.
    pub stencil: Option<Stencil>,
    /// Blending, if any.
    pub blend: Option<Blend>,
    /// Bits 1 red, 2 green, 4 blue, 8 alpha.
    pub write_mask: u32,
    /// x, y, width, height, depth range; `None` is the whole target.
    pub viewport: Option<[f32; 6]>,
}

impl<'a> Draw<'a> {
    /// A draw of `count` vertices without any, to fill in.
    pub fn new(vertex: &'a [u32], fragment: &'a [u32], topology: Topology, count: u32) -> Self {
        Self {
            vertex,
            fragment,
            bindings: Vec::new(),
            push: Vec::new(),
            vertices: Vec::new(),
            stride: 0,
            attributes: Vec::new(),
            topology,
            count,
            indices: None,
            instances: 1,
            cull: Cull::None,
            depth: None,
            stencil: None,
            blend: None,
            write_mask: 15,
            viewport: None,
        }
    }
}

/// A dispatch.
#[derive(Clone, Debug, PartialEq)]
pub struct Compute<'a> {
    /// SPIR-V of the stage, entry point `main`.
    pub shader: &'a [u32],
    /// Resources.
    pub bindings: Bindings,
    /// Push constants.
    pub push: Vec<u8>,
    /// Workgroups in x, y, z.
    pub groups: [u32; 3],
}
