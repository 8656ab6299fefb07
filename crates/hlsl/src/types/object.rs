//! Object types: buffers, textures, samplers (A5).

use aquatint_ir::RegisterClass;
use aquatint_ir::types::Dim;

/// What an object type can do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Family {
    /// `ConstantBuffer<S>`.
    Constant,
    /// `TextureBuffer<S>`.
    TextureBuffer,
    /// `StructuredBuffer<T>` and its writable forms.
    Structured,
    /// `ByteAddressBuffer` and its writable form.
    Bytes,
    /// Textures, and typed buffers (`Dim::Buffer`).
    Texture,
    /// `SamplerState`.
    Sampler,
    /// `SamplerComparisonState`.
    ComparisonSampler,
    /// Recognised, and not implemented.
    Unsupported,
}

/// The counter of a structured buffer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Counter {
    /// None, or `IncrementCounter` and `DecrementCounter`.
    Plain,
    /// `Append`.
    Append,
    /// `Consume`.
    Consume,
}

/// A row of the table of object types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ObjectRow {
    /// Spelling.
    pub name: &'static str,
    /// What it can do.
    pub family: Family,
    /// Dimension, where it is a texture or typed buffer.
    pub dim: Dim,
    /// Whether it has layers.
    pub arrayed: bool,
    /// Whether it has samples.
    pub multisampled: bool,
    /// Whether it may be written.
    pub writable: bool,
    /// Its counter.
    pub counter: Counter,
    /// Whether accesses of overlapping pixels are ordered.
    pub ordered: bool,
}

impl ObjectRow {
    /// The register class of its resources (A8.1).
    pub const fn class(&self) -> RegisterClass {
        match self.family {
            Family::Constant => RegisterClass::B,
            Family::Sampler | Family::ComparisonSampler => RegisterClass::S,
            _ if self.writable => RegisterClass::U,
            _ => RegisterClass::T,
        }
    }

    /// Whether `<…>` may follow.
    pub const fn takes_element(&self) -> bool {
        !matches!(self.family, Family::Bytes | Family::Sampler | Family::ComparisonSampler)
    }
}

macro_rules! objects {
    ($($variant:ident $name:literal $family:ident $dim:ident $flags:literal;)*) => {
        /// The kind of an object type: a row of the table.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        pub enum ObjectKind { $(#[doc = concat!("`", $name, "`.")] $variant,)* }

        static ROWS: &[ObjectRow] = &[$(row($name, Family::$family, Dim::$dim, $flags)),*];

        impl ObjectKind {
            /// All kinds in the order of the table.
            pub const ALL: &'static [ObjectKind] = &[$(ObjectKind::$variant),*];
        }
    };
}

/// Flags: `a` layers, `m` samples, `w` writable, `+` append, `-` consume, `o` ordered.
const fn row(name: &'static str, family: Family, dim: Dim, flags: &str) -> ObjectRow {
    let flags = flags.as_bytes();
    let mut all = ObjectRow {
        name,
        family,
        dim,
        arrayed: false,
        multisampled: false,
        writable: false,
        counter: Counter::Plain,
        ordered: false,
    };
    let mut i = 0;
    while i < flags.len() {
        match flags[i] {
            b'a' => all.arrayed = true,
            b'm' => all.multisampled = true,
            b'w' => all.writable = true,
            b'+' => all.counter = Counter::Append,
            b'-' => all.counter = Counter::Consume,
            _ => all.ordered = true,
        }
        i += 1;
    }
    all
}

objects! {
    ConstantBuffer "ConstantBuffer" Constant Buffer "";
    TextureBuffer "TextureBuffer" TextureBuffer Buffer "";
    StructuredBuffer "StructuredBuffer" Structured Buffer "";
    RwStructuredBuffer "RWStructuredBuffer" Structured Buffer "w";
    AppendStructuredBuffer "AppendStructuredBuffer" Structured Buffer "w+";
    ConsumeStructuredBuffer "ConsumeStructuredBuffer" Structured Buffer "w-";
    ByteAddressBuffer "ByteAddressBuffer" Bytes Buffer "";
    RwByteAddressBuffer "RWByteAddressBuffer" Bytes Buffer "w";
    Buffer "Buffer" Texture Buffer "";
    RwBuffer "RWBuffer" Texture Buffer "w";
    Texture1D "Texture1D" Texture D1 "";
    Texture1DArray "Texture1DArray" Texture D1 "a";
    Texture2D "Texture2D" Texture D2 "";
    Texture2DArray "Texture2DArray" Texture D2 "a";
    Texture2DMS "Texture2DMS" Texture D2 "m";
    Texture2DMSArray "Texture2DMSArray" Texture D2 "ma";
    Texture3D "Texture3D" Texture D3 "";
    TextureCube "TextureCube" Texture Cube "";
    TextureCubeArray "TextureCubeArray" Texture Cube "a";
    RwTexture1D "RWTexture1D" Texture D1 "w";
    RwTexture1DArray "RWTexture1DArray" Texture D1 "wa";
    RwTexture2D "RWTexture2D" Texture D2 "w";
    RwTexture2DArray "RWTexture2DArray" Texture D2 "wa";
    RwTexture3D "RWTexture3D" Texture D3 "w";
    SamplerState "SamplerState" Sampler Buffer "";
    SamplerComparisonState "SamplerComparisonState" ComparisonSampler Buffer "";
    RovBuffer "RasterizerOrderedBuffer" Texture Buffer "wo";
    RovBytes "RasterizerOrderedByteAddressBuffer" Bytes Buffer "wo";
    RovStructured "RasterizerOrderedStructuredBuffer" Structured Buffer "wo";
    RovTexture1D "RasterizerOrderedTexture1D" Texture D1 "wo";
    RovTexture1DArray "RasterizerOrderedTexture1DArray" Texture D1 "wao";
    RovTexture2D "RasterizerOrderedTexture2D" Texture D2 "wo";
    RovTexture2DArray "RasterizerOrderedTexture2DArray" Texture D2 "wao";
    RovTexture3D "RasterizerOrderedTexture3D" Texture D3 "wo";
    SubpassInput "SubpassInput" Unsupported D2 "";
    SubpassInputMs "SubpassInputMS" Unsupported D2 "m";
    RwTexture2Dms "RWTexture2DMS" Unsupported D2 "wm";
    RwTexture2DmsArray "RWTexture2DMSArray" Unsupported D2 "wma";
    FeedbackTexture2D "FeedbackTexture2D" Unsupported D2 "w";
    FeedbackTexture2DArray "FeedbackTexture2DArray" Unsupported D2 "wa";
    AccelerationStructure "RaytracingAccelerationStructure" Unsupported Buffer "";
    RayQuery "RayQuery" Unsupported Buffer "";
    InputPatch "InputPatch" Unsupported Buffer "";
    OutputPatch "OutputPatch" Unsupported Buffer "";
    PointStream "PointStream" Unsupported Buffer "";
    LineStream "LineStream" Unsupported Buffer "";
    TriangleStream "TriangleStream" Unsupported Buffer "";
}

impl ObjectKind {
    /// Its row.
    pub fn row(self) -> &'static ObjectRow {
        &ROWS[self as usize]
    }

    /// The kind of that spelling. `sampler` is `SamplerState` (A5).
    pub fn from_name(name: &str) -> Option<ObjectKind> {
        match name {
            "sampler" => Some(ObjectKind::SamplerState),
            _ => ObjectKind::ALL.iter().copied().find(|k| k.row().name == name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a8_1_register_classes() {
        for (name, class) in [
            ("ConstantBuffer", RegisterClass::B),
            ("TextureBuffer", RegisterClass::T),
            ("Texture2DMSArray", RegisterClass::T),
            ("Buffer", RegisterClass::T),
            ("RWBuffer", RegisterClass::U),
            ("AppendStructuredBuffer", RegisterClass::U),
            ("SamplerComparisonState", RegisterClass::S),
            ("sampler", RegisterClass::S),
        ] {
            assert_eq!(ObjectKind::from_name(name).map(|k| k.row().class()), Some(class), "{name}");
        }
    }
}
