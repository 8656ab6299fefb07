//! Options of `compile` and `render` that change what a shader means, and the driver's work around it.

use crate::args::low::Warnings;
use crate::args::values;
use aquatint::d3d9::driver::{AlphaTest, FogFactor};
use aquatint::d3d9::lower::{FloatRules, Projection, TextureKind};
use clap::Args;
use std::path::PathBuf;

fn float_rules(text: &str) -> Result<FloatRules, String> {
    FloatRules::from_name(text).ok_or_else(|| "it is one of strict, fast, ieee, legacy, documented".to_owned())
}

/// Options of a shader.
#[derive(Debug, Args, Default)]
pub struct Shader {
    /// 0 keeps what the reader made, 1 cleans it up
    #[arg(short = 'O', value_name = "LEVEL", default_value = "1", value_parser = ["0", "1"])]
    pub level: String,
    /// Float rules: strict (also legacy, documented) is 0 * x = 0 and documented results of rcp(0) and the like; fast
    /// multiplies as the target does; ieee leaves infinities and NaN
    #[arg(long, value_name = "RULES", default_value = "strict", value_parser = float_rules)]
    pub float: Option<FloatRules>,
    /// Faults of the shader version's profile are errors
    #[arg(long)]
    pub strict: bool,
    /// Show no warnings
    #[arg(long)]
    pub no_warnings: bool,
    /// Which warnings are shown
    #[arg(short = 'W', long = "warnings", value_enum, default_value_t, value_name = "WHICH")]
    pub warnings: Warnings,
    /// Look for files that assembly includes here, after the directory of the input
    #[arg(short = 'I', long = "include", value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// Define a name for assembly
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]", value_parser = values::definition)]
    pub define: Vec<(String, String)>,

    /// The kind of texture bound to a sampler (2d, cube, volume), where the shader does not say it
    #[arg(long, value_name = "N=KIND", value_parser = values::sampler_kind, help_heading = "Specialisation")]
    pub sampler: Vec<(u16, TextureKind)>,
    /// Project the coordinates of a texture stage by its component 2, 3 or 4 (ps_1_1 to ps_1_3)
    #[arg(long, value_name = "N=COUNT", value_parser = values::projection, help_heading = "Specialisation")]
    pub project: Vec<(u16, Projection)>,
    /// The sampler has a depth texture, whose reads compare
    #[arg(long, value_name = "N", value_parser = values::sampler, help_heading = "Specialisation")]
    pub depth_compare: Vec<u16>,
    /// Plain reads of the sampler gather four texels
    #[arg(long, value_name = "N", value_parser = values::sampler, help_heading = "Specialisation")]
    pub fetch4: Vec<u16>,
    /// The value of a bool constant, folded into the code
    #[arg(long, value_name = "N=0|1", value_parser = values::bool_constant, help_heading = "Specialisation")]
    pub bool: Vec<(u16, bool)>,
    /// With relative addressing, upload only the registers that the constant table names
    #[arg(long, help_heading = "Specialisation")]
    pub pack_by_ctab: bool,
    /// The host copies the shader's own definitions over the constants that it uploads
    #[arg(long, help_heading = "Specialisation")]
    pub defs_uploaded: bool,
    /// Multisampling: colour inputs are taken at the centroid
    #[arg(long, help_heading = "Specialisation")]
    pub msaa: bool,

    /// Discard pixels whose alpha fails: never, less, equal, lessequal, greater, notequal, greaterequal, always; the
    /// reference is 0 to 255, from the driver's block where absent
    #[arg(long, value_name = "FUNC[=REF]", value_parser = values::alpha_test, help_heading = "Driver's work")]
    pub alpha_test: Option<AlphaTest>,
    /// Blend with the fog colour (shaders below 3_0): vertex, linear, exp, exp2
    #[arg(long, value_name = "MODE", value_parser = values::fog, help_heading = "Driver's work")]
    pub fog: Option<FogFactor>,
    /// The fog colour, from the driver's block where absent
    #[arg(long, value_name = "R,G,B", value_parser = values::floats::<3>, help_heading = "Driver's work")]
    pub fog_color: Option<[f32; 3]>,
    /// Start, end and density of table fog, from the driver's block where absent
    #[arg(long, value_name = "START,END,DENSITY", value_parser = values::floats::<3>, help_heading = "Driver's work")]
    pub fog_range: Option<[f32; 3]>,
    /// Table fog goes by w, not z
    #[arg(long, help_heading = "Driver's work")]
    pub fog_w: bool,
    /// User clip planes, 0 to 6, from the driver's block (vertex)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=6), help_heading = "Driver's work")]
    pub clip_planes: Option<u8>,
    /// Bounds and default of the point size (vertex), from the driver's block where no numbers are given
    #[arg(
        long, value_name = "MIN,MAX,SIZE", num_args = 0..=1, require_equals = true, default_missing_value = "",
        value_parser = point_size, help_heading = "Driver's work"
    )]
    pub point_size: Option<PointSizeArg>,
    /// Shift positions by half a pixel, from the driver's block (vertex)
    #[arg(long, help_heading = "Driver's work")]
    pub half_pixel: bool,
    /// Encode colour targets as sRGB: all, or those named
    #[arg(
        long, value_name = "TARGETS", num_args = 0..=1, require_equals = true, default_missing_value = "0,1,2,3",
        value_parser = values::targets, help_heading = "Driver's work"
    )]
    pub srgb_write: Option<u8>,
    /// Clamp colour targets to 0 to 1: all, or those named
    #[arg(
        long, value_name = "TARGETS", num_args = 0..=1, require_equals = true, default_missing_value = "0,1,2,3",
        value_parser = values::targets, help_heading = "Driver's work"
    )]
    pub clamp: Option<u8>,
    /// Colours are not interpolated
    #[arg(long, help_heading = "Driver's work")]
    pub flat: bool,
    /// Texture coordinates come from the place within a point
    #[arg(long, help_heading = "Driver's work")]
    pub point_sprite: bool,
}

impl Shader {
    /// Whether warnings are shown.
    pub fn shows_warnings(&self) -> bool {
        !self.no_warnings && self.warnings == Warnings::All
    }
}

/// Fixed bounds of the point size, or none.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PointSizeArg(pub Option<[f32; 3]>);

fn point_size(text: &str) -> Result<PointSizeArg, String> {
    if text.is_empty() { Ok(PointSizeArg(None)) } else { values::floats(text).map(Some).map(PointSizeArg) }
}
