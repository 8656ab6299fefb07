//! The state operations that an effect can assign, in the order of their ids.

/// What kind of state an operation sets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Group {
    /// A render state: the number is its D3DRENDERSTATETYPE.
    Render,
    /// A texture stage state, by stage: the number is its D3DTEXTURESTAGESTATETYPE.
    TextureStage,
    /// The number of patch segments.
    NPatchMode,
    /// The vertex format.
    Fvf,
    /// A transform: the number is its D3DTRANSFORMSTATETYPE.
    Transform,
    /// The same, with the index added.
    IndexedTransform,
    /// A field of the material, by position.
    Material,
    /// A field of a light, by position.
    Light,
    /// Whether a light is on.
    LightEnable,
    /// The vertex shader.
    VertexShader,
    /// The pixel shader.
    PixelShader,
    /// Vertex shader constants from the register of the index: the number is their register set, as in a constant table.
    VertexConstant,
    /// Pixel shader constants, likewise.
    PixelConstant,
    /// A texture.
    Texture,
    /// A sampler state: the number is its D3DSAMPLERSTATETYPE.
    SamplerState,
    /// A whole sampler parameter.
    Sampler,
}

/// A state operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StateInfo {
    /// The name in effect text.
    pub name: &'static str,
    /// What it sets.
    pub group: Group,
    /// Its number in that group's enumeration, 0 where the group has one state.
    pub number: u32,
}

impl StateInfo {
    /// Whether the index of an assignment says anything.
    pub fn is_indexed(&self) -> bool {
        match self.group {
            Group::Render
            | Group::NPatchMode
            | Group::Fvf
            | Group::Transform
            | Group::Material
            | Group::VertexShader
            | Group::PixelShader => false,
            Group::TextureStage
            | Group::IndexedTransform
            | Group::Light
            | Group::LightEnable
            | Group::VertexConstant
            | Group::PixelConstant
            | Group::Texture
            | Group::SamplerState
            | Group::Sampler => true,
        }
    }
}

/// The id of the vertex shader assignment.
pub const VERTEX_SHADER: u32 = 146;
/// The id of the pixel shader assignment.
pub const PIXEL_SHADER: u32 = 147;
/// The id of the texture assignment.
pub const TEXTURE: u32 = 164;

/// The operation of that id.
pub fn find(operation: u32) -> Option<&'static StateInfo> {
    STATES.get(usize::try_from(operation).ok()?)
}

const fn state(name: &'static str, group: Group, number: u32) -> StateInfo {
    StateInfo { name, group, number }
}

use Group::{
    Fvf, IndexedTransform, Light, LightEnable, Material, NPatchMode, PixelConstant, PixelShader, Render, Sampler,
    SamplerState, Texture, TextureStage, Transform, VertexConstant, VertexShader,
};

/// All operations: the id is the position.
pub static STATES: [StateInfo; 179] = [
    state("ZEnable", Render, 7),
    state("FillMode", Render, 8),
    state("ShadeMode", Render, 9),
    state("ZWriteEnable", Render, 14),
    state("AlphaTestEnable", Render, 15),
    state("LastPixel", Render, 16),
    state("SrcBlend", Render, 19),
    state("DestBlend", Render, 20),
    state("CullMode", Render, 22),
    state("ZFunc", Render, 23),
    state("AlphaRef", Render, 24),
    state("AlphaFunc", Render, 25),
    state("DitherEnable", Render, 26),
    state("AlphaBlendEnable", Render, 27),
    state("FogEnable", Render, 28),
    state("SpecularEnable", Render, 29),
    state("FogColor", Render, 34),
    state("FogTableMode", Render, 35),
    state("FogStart", Render, 36),
    state("FogEnd", Render, 37),
    state("FogDensity", Render, 38),
    state("RangeFogEnable", Render, 48),
    state("StencilEnable", Render, 52),
    state("StencilFail", Render, 53),
    state("StencilZFail", Render, 54),
    state("StencilPass", Render, 55),
    state("StencilFunc", Render, 56),
    state("StencilRef", Render, 57),
    state("StencilMask", Render, 58),
    state("StencilWriteMask", Render, 59),
    state("TextureFactor", Render, 60),
    state("Wrap0", Render, 128),
    state("Wrap1", Render, 129),
    state("Wrap2", Render, 130),
    state("Wrap3", Render, 131),
    state("Wrap4", Render, 132),
    state("Wrap5", Render, 133),
    state("Wrap6", Render, 134),
    state("Wrap7", Render, 135),
    state("Wrap8", Render, 198),
    state("Wrap9", Render, 199),
    state("Wrap10", Render, 200),
    state("Wrap11", Render, 201),
    state("Wrap12", Render, 202),
    state("Wrap13", Render, 203),
    state("Wrap14", Render, 204),
    state("Wrap15", Render, 205),
    state("Clipping", Render, 136),
    state("Lighting", Render, 137),
    state("Ambient", Render, 139),
    state("FogVertexMode", Render, 140),
    state("ColorVertex", Render, 141),
    state("LocalViewer", Render, 142),
    state("NormalizeNormals", Render, 143),
    state("DiffuseMaterialSource", Render, 145),
    state("SpecularMaterialSource", Render, 146),
    state("AmbientMaterialSource", Render, 147),
    state("EmissiveMaterialSource", Render, 148),
    state("VertexBlend", Render, 151),
    state("ClipPlaneEnable", Render, 152),
    state("PointSize", Render, 154),
    state("PointSize_Min", Render, 155),
    state("PointSize_Max", Render, 166),
    state("PointSpriteEnable", Render, 156),
    state("PointScaleEnable", Render, 157),
    state("PointScale_A", Render, 158),
    state("PointScale_B", Render, 159),
    state("PointScale_C", Render, 160),
    state("MultiSampleAntialias", Render, 161),
    state("MultiSampleMask", Render, 162),
    state("PatchEdgeStyle", Render, 163),
    state("DebugMonitorToken", Render, 165),
    state("IndexedVertexBlendEnable", Render, 167),
    state("ColorWriteEnable", Render, 168),
    state("TweenFactor", Render, 170),
    state("BlendOp", Render, 171),
    state("PositionDegree", Render, 172),
    state("NormalDegree", Render, 173),
    state("ScissorTestEnable", Render, 174),
    state("SlopeScaleDepthBias", Render, 175),
    state("AntialiasedLineEnable", Render, 176),
    state("MinTessellationLevel", Render, 178),
    state("MaxTessellationLevel", Render, 179),
    state("AdaptiveTess_X", Render, 180),
    state("AdaptiveTess_Y", Render, 181),
    state("AdaptiveTess_Z", Render, 182),
    state("AdaptiveTess_W", Render, 183),
    state("EnableAdaptiveTessellation", Render, 184),
    state("TwoSidedStencilMode", Render, 185),
    state("CCW_StencilFail", Render, 186),
    state("CCW_StencilZFail", Render, 187),
    state("CCW_StencilPass", Render, 188),
    state("CCW_StencilFunc", Render, 189),
    state("ColorWriteEnable1", Render, 190),
    state("ColorWriteEnable2", Render, 191),
    state("ColorWriteEnable3", Render, 192),
    state("BlendFactor", Render, 193),
    state("SRGBWriteEnable", Render, 194),
    state("DepthBias", Render, 195),
    state("SeparateAlphaBlendEnable", Render, 206),
    state("SrcBlendAlpha", Render, 207),
    state("DestBlendAlpha", Render, 208),
    state("BlendOpAlpha", Render, 209),
    state("ColorOp", TextureStage, 1),
    state("ColorArg0", TextureStage, 26),
    state("ColorArg1", TextureStage, 2),
    state("ColorArg2", TextureStage, 3),
    state("AlphaOp", TextureStage, 4),
    state("AlphaArg0", TextureStage, 27),
    state("AlphaArg1", TextureStage, 5),
    state("AlphaArg2", TextureStage, 6),
    state("ResultArg", TextureStage, 28),
    state("BumpEnvMat00", TextureStage, 7),
    state("BumpEnvMat01", TextureStage, 8),
    state("BumpEnvMat10", TextureStage, 9),
    state("BumpEnvMat11", TextureStage, 10),
    state("TexCoordIndex", TextureStage, 11),
    state("BumpEnvLScale", TextureStage, 22),
    state("BumpEnvLOffset", TextureStage, 23),
    state("TextureTransformFlags", TextureStage, 24),
    state("Constant", TextureStage, 32),
    state("NPatchMode", NPatchMode, 0),
    state("FVF", Fvf, 0),
    state("ProjectionTransform", Transform, 3),
    state("ViewTransform", Transform, 2),
    state("WorldTransform", IndexedTransform, 256),
    state("TextureTransform", IndexedTransform, 16),
    state("MaterialDiffuse", Material, 0),
    state("MaterialAmbient", Material, 1),
    state("MaterialSpecular", Material, 2),
    state("MaterialEmissive", Material, 3),
    state("MaterialPower", Material, 4),
    state("LightType", Light, 0),
    state("LightDiffuse", Light, 1),
    state("LightSpecular", Light, 2),
    state("LightAmbient", Light, 3),
    state("LightPosition", Light, 4),
    state("LightDirection", Light, 5),
    state("LightRange", Light, 6),
    state("LightFalloff", Light, 7),
    state("LightAttenuation0", Light, 8),
    state("LightAttenuation1", Light, 9),
    state("LightAttenuation2", Light, 10),
    state("LightTheta", Light, 11),
    state("LightPhi", Light, 12),
    state("LightEnable", LightEnable, 0),
    state("VertexShader", VertexShader, 0),
    state("PixelShader", PixelShader, 0),
    state("VertexShaderConstantF", VertexConstant, 2),
    state("VertexShaderConstantB", VertexConstant, 0),
    state("VertexShaderConstantI", VertexConstant, 1),
    state("VertexShaderConstant", VertexConstant, 2),
    state("VertexShaderConstant1", VertexConstant, 2),
    state("VertexShaderConstant2", VertexConstant, 2),
    state("VertexShaderConstant3", VertexConstant, 2),
    state("VertexShaderConstant4", VertexConstant, 2),
    state("PixelShaderConstantF", PixelConstant, 2),
    state("PixelShaderConstantB", PixelConstant, 0),
    state("PixelShaderConstantI", PixelConstant, 1),
    state("PixelShaderConstant", PixelConstant, 2),
    state("PixelShaderConstant1", PixelConstant, 2),
    state("PixelShaderConstant2", PixelConstant, 2),
    state("PixelShaderConstant3", PixelConstant, 2),
    state("PixelShaderConstant4", PixelConstant, 2),
    state("Texture", Texture, 0),
    state("AddressU", SamplerState, 1),
    state("AddressV", SamplerState, 2),
    state("AddressW", SamplerState, 3),
    state("BorderColor", SamplerState, 4),
    state("MagFilter", SamplerState, 5),
    state("MinFilter", SamplerState, 6),
    state("MipFilter", SamplerState, 7),
    state("MipMapLodBias", SamplerState, 8),
    state("MaxMipLevel", SamplerState, 9),
    state("MaxAnisotropy", SamplerState, 10),
    state("SRGBTexture", SamplerState, 11),
    state("ElementIndex", SamplerState, 12),
    state("DMapOffset", SamplerState, 13),
    state("Sampler", Sampler, 0),
];
