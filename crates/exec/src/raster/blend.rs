//! Blending.

/// A weight of blending. In the alpha lane a colour factor means its alpha.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlendFactor {
    /// 0.
    Zero,
    /// 1.
    One,
    /// The shader's colour.
    SrcColor,
    /// 1 − the shader's colour.
    InvSrcColor,
    /// The shader's alpha.
    SrcAlpha,
    /// 1 − the shader's alpha.
    InvSrcAlpha,
    /// The target's alpha.
    DstAlpha,
    /// 1 − the target's alpha.
    InvDstAlpha,
    /// The target's colour.
    DstColor,
    /// 1 − the target's colour.
    InvDstColor,
    /// min(shader's alpha, 1 − target's alpha); 1 in the alpha lane.
    SrcAlphaSaturate,
    /// The constant's colour.
    Constant,
    /// 1 − the constant's colour.
    InvConstant,
    /// The constant's alpha.
    ConstantAlpha,
    /// 1 − the constant's alpha.
    InvConstantAlpha,
    /// The shader's second colour (output 1).
    Src1Color,
    /// 1 − the shader's second colour.
    InvSrc1Color,
    /// The shader's second alpha.
    Src1Alpha,
    /// 1 − the shader's second alpha.
    InvSrc1Alpha,
}

impl BlendFactor {
    /// The factor of a `D3DBLEND` number. 12 and 13, which stand for a pair of factors, have none.
    pub fn from_d3d9(number: u32) -> Option<BlendFactor> {
        Some(match number {
            1 => BlendFactor::Zero,
            2 => BlendFactor::One,
            3 => BlendFactor::SrcColor,
            4 => BlendFactor::InvSrcColor,
            5 => BlendFactor::SrcAlpha,
            6 => BlendFactor::InvSrcAlpha,
            7 => BlendFactor::DstAlpha,
            8 => BlendFactor::InvDstAlpha,
            9 => BlendFactor::DstColor,
            10 => BlendFactor::InvDstColor,
            11 => BlendFactor::SrcAlphaSaturate,
            14 => BlendFactor::Constant,
            15 => BlendFactor::InvConstant,
            16 => BlendFactor::Src1Color,
            17 => BlendFactor::InvSrc1Color,
            _ => return None,
        })
    }

    /// The weight in one lane (0 to 2 colour, 3 alpha).
    fn weight(self, colors: &Colors, lane: usize) -> f32 {
        let Colors { src, src1, dst, constant } = colors;
        match self {
            BlendFactor::Zero => 0.0,
            BlendFactor::One => 1.0,
            BlendFactor::SrcColor => src[lane],
            BlendFactor::InvSrcColor => 1.0 - src[lane],
            BlendFactor::SrcAlpha => src[3],
            BlendFactor::InvSrcAlpha => 1.0 - src[3],
            BlendFactor::DstAlpha => dst[3],
            BlendFactor::InvDstAlpha => 1.0 - dst[3],
            BlendFactor::DstColor => dst[lane],
            BlendFactor::InvDstColor => 1.0 - dst[lane],
            BlendFactor::SrcAlphaSaturate if lane == 3 => 1.0,
            BlendFactor::SrcAlphaSaturate => src[3].min(1.0 - dst[3]),
            BlendFactor::Constant => constant[lane],
            BlendFactor::InvConstant => 1.0 - constant[lane],
            BlendFactor::ConstantAlpha => constant[3],
            BlendFactor::InvConstantAlpha => 1.0 - constant[3],
            BlendFactor::Src1Color => src1[lane],
            BlendFactor::InvSrc1Color => 1.0 - src1[lane],
            BlendFactor::Src1Alpha => src1[3],
            BlendFactor::InvSrc1Alpha => 1.0 - src1[3],
        }
    }
}

/// How the weighted colours are combined. The discriminant is the `D3DBLENDOP` number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlendOp {
    /// src · S + dst · D.
    Add = 1,
    /// src · S − dst · D.
    Subtract = 2,
    /// dst · D − src · S.
    ReverseSubtract = 3,
    /// min(src, dst), without factors.
    Min = 4,
    /// max(src, dst), without factors.
    Max = 5,
}

impl BlendOp {
    /// The operation of a `D3DBLENDOP` number (1 to 5).
    pub fn from_d3d9(number: u32) -> Option<BlendOp> {
        Some(match number {
            1 => BlendOp::Add,
            2 => BlendOp::Subtract,
            3 => BlendOp::ReverseSubtract,
            4 => BlendOp::Min,
            5 => BlendOp::Max,
            _ => return None,
        })
    }
}

/// Two factors and an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlendEquation {
    /// S, the weight of the shader's colour.
    pub src: BlendFactor,
    /// D, the weight of the target's colour.
    pub dst: BlendFactor,
    /// How they are combined.
    pub op: BlendOp,
}

/// The equations of colour and of alpha.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Blend {
    /// For red, green and blue.
    pub color: BlendEquation,
    /// For alpha.
    pub alpha: BlendEquation,
}

impl Blend {
    /// One equation for all lanes.
    pub const fn uniform(src: BlendFactor, dst: BlendFactor, op: BlendOp) -> Blend {
        let equation = BlendEquation { src, dst, op };
        Blend { color: equation, alpha: equation }
    }

    /// `src + dst`.
    pub const ADDITIVE: Blend = Self::uniform(BlendFactor::One, BlendFactor::One, BlendOp::Add);
    /// `src · α + dst · (1 − α)`.
    pub const OVER: Blend = Self::uniform(BlendFactor::SrcAlpha, BlendFactor::InvSrcAlpha, BlendOp::Add);
}

/// What a blend reads.
pub(super) struct Colors {
    pub src: [f32; 4],
    pub src1: [f32; 4],
    pub dst: [f32; 4],
    pub constant: [f32; 4],
}

impl Blend {
    /// The blended colour.
    pub(super) fn apply(&self, colors: &Colors) -> [f32; 4] {
        std::array::from_fn(|lane| {
            let equation = if lane == 3 { &self.alpha } else { &self.color };
            let (src, dst) = (colors.src[lane], colors.dst[lane]);
            let weighted = || (src * equation.src.weight(colors, lane), dst * equation.dst.weight(colors, lane));
            match equation.op {
                BlendOp::Add => weighted().0 + weighted().1,
                BlendOp::Subtract => weighted().0 - weighted().1,
                BlendOp::ReverseSubtract => weighted().1 - weighted().0,
                BlendOp::Min => src.min(dst),
                BlendOp::Max => src.max(dst),
            }
        })
    }
}
