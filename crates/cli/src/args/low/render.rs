//! What was typed after `render`.

use super::Shader;
use crate::args::values;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  aquatint render --ps ripple.asm -o ripple.png --size 640x400
  aquatint render --ps copy.pso --tex 0=photo.png --samp 0=clamp,linear -o copy.png
  aquatint render --vs lit.vso --ps lit.pso --mesh torus --camera --constants lit.json --tex 0=checker -o lit.png
  aquatint render --vs lit.vso --ps lit.pso --mesh sphere --mvp c0 --c 0=1,0.5,0.2,1 -o lit.png

Without --vs and --mesh a pixel shader covers the whole picture: every texture coordinate runs from (0, 0) at the upper
left to (1, 1), colours are white. With a mesh and without --vs the mesh is transformed by the camera.

Textures (--tex N=...): a PNG file, or checker, gradient, white, noise; with ,srgb behind it the texels are decoded.
Sampler states (--samp N=...): wrap, mirror, clamp, border, mirroronce; point, linear, aniso; mip, nomip; bias:X;
border:R:G:B:A. The default is wrap,linear,mip.

The constants file is a JSON object. A key is the name of a constant in a shader's constant table, or a register below
\"vs\" or \"ps\"; matrices are given row by row, and go to registers by row or by column as the table says:
  {\"g_mWorld\": [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1], \"g_Lights\": [{\"dir\": [0,1,0]}, {\"dir\": [1,0,0]}],
   \"ps\": {\"c3\": [1, 1, 1, 1], \"b0\": true}}

Rows of pixels are drawn on all cores. The centres of pixels are at half-integers, as Metal and Vulkan have it;
--half-pixel draws as Direct3D 9 does.";

/// Draws a shader to a PNG file, without a GPU.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Render {
    /// The pixel shader: bytecode or assembly
    #[arg(long, value_name = "FILE")]
    pub ps: PathBuf,
    /// The vertex shader: bytecode or assembly
    #[arg(long, value_name = "FILE")]
    pub vs: Option<PathBuf>,
    /// Where to write the picture; - is standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// The size of the picture in pixels
    #[arg(long, value_name = "WxH", default_value = "512x512", value_parser = values::size)]
    pub size: [u32; 2],
    /// What is drawn; quad with --vs where absent, the whole picture without
    #[arg(long, value_enum)]
    pub mesh: Option<Mesh>,

    /// A texture of the pixel shader: a PNG file, or checker, gradient, white, noise
    #[arg(long, value_name = "N=IMAGE", value_parser = values::for_sampler, help_heading = "Bindings")]
    pub tex: Vec<(u16, String)>,
    /// A texture of the vertex shader
    #[arg(long, value_name = "N=IMAGE", value_parser = values::for_sampler, help_heading = "Bindings")]
    pub vtex: Vec<(u16, String)>,
    /// Sampler states of the pixel shader, such as wrap,linear
    #[arg(long, value_name = "N=STATES", value_parser = values::for_sampler, help_heading = "Bindings")]
    pub samp: Vec<(u16, String)>,
    /// A float constant of the pixel shader
    #[arg(
        long, value_name = "N=X,Y,Z,W", value_parser = values::float_constant, allow_hyphen_values = true,
        help_heading = "Bindings"
    )]
    pub c: Vec<(u16, [f32; 4])>,
    /// A float constant of the vertex shader
    #[arg(
        long, value_name = "N=X,Y,Z,W", value_parser = values::float_constant, allow_hyphen_values = true,
        help_heading = "Bindings"
    )]
    pub vc: Vec<(u16, [f32; 4])>,
    /// An integer constant of both shaders
    #[arg(
        long, value_name = "N=X,Y,Z,W", value_parser = values::int_constant, allow_hyphen_values = true,
        help_heading = "Bindings"
    )]
    pub i: Vec<(u16, [i32; 4])>,
    /// A bool constant of both shaders
    #[arg(long, value_name = "N=0|1", value_parser = values::bool_constant, help_heading = "Bindings")]
    pub b: Vec<(u16, bool)>,
    /// Constants by name or register, from a JSON file; - is standard input
    #[arg(long, value_name = "FILE", help_heading = "Bindings")]
    pub constants: Option<PathBuf>,

    /// Fill matrices from a camera: those whose names say world, view, projection or all (WorldViewProj, wvp, mvp)
    #[arg(long, help_heading = "Camera")]
    pub camera: bool,
    /// Fill the four registers from cN of the vertex shader with the columns of world * view * projection
    #[arg(long, value_name = "cN", value_parser = values::float_register, help_heading = "Camera")]
    pub mvp: Vec<u16>,
    /// Where the camera is; it looks at the origin
    #[arg(
        long, value_name = "X,Y,Z", default_value = "0,1.6,-2.6", value_parser = values::floats::<3>,
        allow_hyphen_values = true, help_heading = "Camera"
    )]
    pub eye: [f32; 3],
    /// Its vertical field of view in degrees
    #[arg(long, value_name = "DEGREES", default_value_t = 40.0, help_heading = "Camera")]
    pub fov: f32,
    /// Turn the mesh around x, y and z, in degrees
    #[arg(
        long, value_name = "X,Y,Z", default_value = "0,0,0", value_parser = values::floats::<3>,
        allow_hyphen_values = true, help_heading = "Camera"
    )]
    pub rotate: [f32; 3],

    /// The colour behind everything
    #[arg(long, value_name = "R,G,B,A", default_value = "0,0,0,1", value_parser = values::floats::<4>, help_heading = "State")]
    pub clear: [f32; 4],
    /// Faces that are not drawn
    #[arg(long, value_enum, default_value_t, help_heading = "State")]
    pub cull: Cull,
    /// Where pixel centres lie: at halves as in Metal and Vulkan, or at integers as in Direct3D 9
    #[arg(long, value_enum, default_value_t, help_heading = "State")]
    pub pixel_centre: PixelCentre,
    /// The depth test, against a depth buffer cleared to 1; lessequal with a mesh where absent
    #[arg(long, value_enum, help_heading = "State")]
    pub depth: Option<Depth>,
    /// Blending: none, over, add, multiply, or SOURCE,DEST or SOURCE,DEST,OP with Direct3D's names (srcalpha,invsrcalpha,add)
    #[arg(long, value_name = "BLEND", default_value = "none", help_heading = "State")]
    pub blend: String,
    /// Write the depth buffer to a PNG file of 16-bit grey
    #[arg(long, value_name = "FILE", help_heading = "State")]
    pub depth_target: Option<PathBuf>,
    /// Which colour target becomes the picture
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..8), help_heading = "State")]
    pub color_target: u32,
    /// Keep alpha in the picture; it is opaque otherwise
    #[arg(long, help_heading = "State")]
    pub alpha: bool,
    /// Options of the shaders
    #[command(flatten)]
    pub shader: Shader,
}

/// Built-in meshes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Mesh {
    /// A square
    Quad,
    /// A cube
    Cube,
    /// A sphere
    Sphere,
    /// A torus
    Torus,
}

impl Mesh {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Mesh::Quad => "quad",
            Mesh::Cube => "cube",
            Mesh::Sphere => "sphere",
            Mesh::Torus => "torus",
        }
    }
}

/// Which faces are not drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Cull {
    /// All are drawn
    #[default]
    None,
    /// Clockwise ones, which are front faces
    #[value(alias = "front")]
    Cw,
    /// Counter-clockwise ones, which are back faces
    #[value(alias = "back")]
    Ccw,
}

/// Where pixel centres lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum PixelCentre {
    /// At halves
    #[default]
    Half,
    /// At integers
    D3d9,
}

/// The depth test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Depth {
    /// No test
    Off,
    /// Never passes
    Never,
    /// New depth less than stored
    Less,
    /// Equal
    Equal,
    /// Less or equal
    Lessequal,
    /// Greater
    Greater,
    /// Not equal
    Notequal,
    /// Greater or equal
    Greaterequal,
    /// Always passes
    Always,
}
