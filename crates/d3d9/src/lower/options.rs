//! What a translation may be told.

use super::semantics::Semantic;
use aquatint_base::Limits;

/// The float rules (sheet 2.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum FloatRules {
    /// `Legacy` and `Documented` of the sheet: `0 * x = 0` for every x, and the documented results of `rcp(0)` and the like.
    #[default]
    Strict,
    /// IEEE products, which a target may fuse with a following sum, and the documented results of `rcp(0)` and the like.
    Fast,
    /// The `Ieee` option of the sheet: IEEE products, infinities and NaN.
    Ieee,
}

impl FloatRules {
    /// The rules of that name: `strict` (also `legacy`, `documented`), `fast`, `ieee`.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "strict" | "legacy" | "documented" => Some(FloatRules::Strict),
            "fast" => Some(FloatRules::Fast),
            "ieee" => Some(FloatRules::Ieee),
            _ => None,
        }
    }
}

/// Which source lane a scalar opcode takes when its swizzle does not replicate one (sheet 2.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum ScalarLane {
    /// The x selector, as documented.
    #[default]
    X,
    /// The w selector, as wined3d does.
    W,
}

/// The kind of texture that a sampler reads. (What a dcl says is [`crate::tokens::SamplerKind`].)
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum TextureKind {
    /// A 2D texture; 1D samplers read one of height 1.
    D2,
    /// A cube map.
    Cube,
    /// A volume.
    Volume,
}

impl TextureKind {
    /// The kind of that name: `2d`, `cube`, `volume`.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "2d" => Some(TextureKind::D2),
            "cube" => Some(TextureKind::Cube),
            "volume" | "3d" => Some(TextureKind::Volume),
            _ => None,
        }
    }

    /// `2d`, `cube` or `volume`.
    pub const fn name(self) -> &'static str {
        match self {
            TextureKind::D2 => "2d",
            TextureKind::Cube => "cube",
            TextureKind::Volume => "volume",
        }
    }
}

/// How a stage's coordinates are projected in ps_1_1–ps_1_3 (TEXTURETRANSFORMFLAGS with D3DTTFF_PROJECTED, sheet 2.5).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Projection {
    /// Not.
    #[default]
    None,
    /// COUNT2: by the second coordinate.
    Count2,
    /// COUNT3: by the third.
    Count3,
    /// COUNT4 or no count: by the fourth.
    Count4,
}

/// What the vertex stage of a pair writes, for the pixel stage's defaults (sheet 3.4).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LinkedOutputs {
    /// Major version of the vertex shader.
    pub major: u8,
    /// Each semantic written, with its lanes as a mask of 4 bits.
    pub written: Vec<(Semantic, u8)>,
}

/// Options of the lowering.
#[derive(Clone, Debug)]
pub struct Options {
    /// Float rules.
    pub float: FloatRules,
    /// Lane of scalar opcodes without a replicate swizzle.
    pub scalar_lane: ScalarLane,
    /// A co-issued `cnd` whose mask is not `.a` selects its first choice, as most hardware did (sheet 2.4).
    pub coissued_cnd_first: bool,
    /// Kinds of the bound textures, by sampler: used for ps_1_x, and where a dcl names no kind.
    pub texture_kinds: [Option<TextureKind>; 16],
    /// Projection by stage, ps_1_1–ps_1_3.
    pub projections: [Projection; 8],
    /// Samplers (bits) with a depth texture that compares (sheet 2.5).
    pub depth_compare: u16,
    /// Samplers (bits) whose plain reads gather four texels (FETCH4, sheet 2.5).
    pub fetch4: u16,
    /// Values of bool constants that are known now; they are folded (sheet 4.3).
    pub bools: [Option<bool>; 16],
    /// With relative addressing, upload only the registers of the CTAB array that covers the base (sheet 4.2); reads outside
    /// give 0.
    pub pack_by_ctab: bool,
    /// The host copies `def`s over the application's values before it uploads a file that is addressed relatively; the
    /// shader then need not test for them.
    pub defs_uploaded: bool,
    /// What the vertex stage writes, if it is known.
    pub linked: Option<LinkedOutputs>,
    /// Locations for semantics that have no fixed one.
    pub locations: Vec<(Semantic, u32)>,
    /// Multisampling: all COLOR inputs are centroid (sheet 3.5).
    pub msaa: bool,
    /// Name of the entry point.
    pub entry: String,
    /// Bounds.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            float: FloatRules::Strict,
            scalar_lane: ScalarLane::X,
            coissued_cnd_first: false,
            texture_kinds: [None; 16],
            projections: [Projection::None; 8],
            depth_compare: 0,
            fetch4: 0,
            bools: [None; 16],
            pack_by_ctab: false,
            defs_uploaded: false,
            linked: None,
            locations: Vec::new(),
            msaa: false,
            entry: "main".to_owned(),
            limits: Limits::default(),
        }
    }
}
