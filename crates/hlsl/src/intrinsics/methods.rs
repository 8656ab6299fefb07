//! Methods of textures and buffers (B10, B11).

use super::Stages;
use crate::types::object::{Counter, Family, ObjectRow};
use aquatint_ir::op::{AtomicOp, SampleAttr};
use aquatint_ir::types::Dim;

/// Which objects have a method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum On {
    /// Textures that a sampler reads.
    Filtered,
    /// Those that compare: not 3D.
    Compared,
    /// 2D and cube textures.
    Gathered,
    /// All textures and typed buffers but cubes.
    Texels,
    /// All textures and typed buffers.
    Textures,
    /// Multisampled textures.
    Multisampled,
    /// Structured buffers that are read by index.
    Structured,
    /// Structured buffers of all kinds.
    AnyStructured,
    /// Writable structured buffers with a counter of their own.
    Counted,
    /// Append buffers.
    Append,
    /// Consume buffers.
    Consume,
    /// Byte-address buffers.
    Bytes,
    /// Writable byte-address buffers.
    WritableBytes,
}

impl On {
    /// Whether an object has it.
    pub fn has(self, row: &ObjectRow) -> bool {
        let texture = row.family == Family::Texture;
        let filtered = texture && !row.writable && !row.multisampled && row.dim != Dim::Buffer;
        let structured = row.family == Family::Structured;
        match self {
            On::Filtered => filtered,
            On::Compared => filtered && row.dim != Dim::D3,
            On::Gathered => filtered && matches!(row.dim, Dim::D2 | Dim::Cube),
            On::Texels => texture && row.dim != Dim::Cube,
            On::Textures => texture,
            On::Multisampled => texture && row.multisampled,
            On::Structured => structured && row.counter == Counter::Plain,
            On::AnyStructured => structured,
            On::Counted => structured && row.writable && row.counter == Counter::Plain,
            On::Append => row.counter == Counter::Append,
            On::Consume => row.counter == Counter::Consume,
            On::Bytes => row.family == Family::Bytes,
            On::WritableBytes => row.family == Family::Bytes && row.writable,
        }
    }
}

/// What a method does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// A filtered read, with what the flags say.
    Sample(u8),
    /// A comparison at level 0.
    CompareLevelZero,
    /// A gather of a component.
    Gather {
        /// Which.
        component: u8,
        /// Whether it compares.
        compare: bool,
    },
    /// A texel by its integer place.
    Load,
    /// Sizes.
    GetDimensions,
    /// Level of detail; whether clamped.
    LevelOfDetail(bool),
    /// The place of a sample.
    SamplePosition,
    /// An element by its index.
    LoadElement,
    /// The counter up.
    Increment,
    /// The counter down.
    Decrement,
    /// `Append`.
    Append,
    /// `Consume`.
    Consume,
    /// That many dwords at a byte offset; 0 is the type of the template argument.
    LoadBytes(u8),
    /// Stores what `LoadBytes` reads.
    StoreBytes(u8),
    /// An interlocked operation at a byte offset, on that many bits; whether on float bits.
    Interlocked(AtomicOp, u8, bool),
    /// Recognised and refused.
    Unsupported,
}

/// A row of the table of methods.
///
/// The signature is a letter a parameter: `s` sampler, `S` comparison sampler, `c` coordinates with the layer, `f` float,
/// `g` gradient, `o` offset, `k` clamp, `p` integer place, `i` int, `u` uint, `v` value, `>` the out parameters that the
/// operation says, `?` before the optional ones.
#[derive(Clone, Copy, Debug)]
pub struct MethodRow {
    /// Name.
    pub name: &'static str,
    /// Objects that have it.
    pub on: On,
    /// Parameters.
    pub signature: &'static str,
    /// Stages.
    pub stages: Stages,
    /// What it does.
    pub method: Method,
}

const fn row(name: &'static str, on: On, signature: &'static str, method: Method) -> MethodRow {
    MethodRow { name, on, signature, stages: Stages::All, method }
}

const fn implicit(name: &'static str, on: On, signature: &'static str, method: Method) -> MethodRow {
    MethodRow { name, on, signature, stages: Stages::Derivative, method }
}

const fn gather(name: &'static str, component: u8) -> MethodRow {
    row(name, On::Gathered, "sc?oooo", Method::Gather { component, compare: false })
}

const fn gather_compare(name: &'static str, component: u8) -> MethodRow {
    row(name, On::Gathered, "Scf?oooo", Method::Gather { component, compare: true })
}

const fn interlocked(name: &'static str, signature: &'static str, op: AtomicOp, bits: u8) -> MethodRow {
    row(name, On::WritableBytes, signature, Method::Interlocked(op, bits, false))
}

const CMP: u8 = SampleAttr::COMPARE;

/// All rows.
pub static METHODS: &[MethodRow] = &[
    // B10
    implicit("Sample", On::Filtered, "sc?ok", Method::Sample(0)),
    implicit("SampleBias", On::Filtered, "scf?ok", Method::Sample(SampleAttr::BIAS)),
    row("SampleLevel", On::Filtered, "scf?o", Method::Sample(SampleAttr::LEVEL)),
    row("SampleGrad", On::Filtered, "scgg?ok", Method::Sample(SampleAttr::GRADIENT)),
    implicit("SampleCmp", On::Compared, "Scf?ok", Method::Sample(CMP)),
    row("SampleCmpLevelZero", On::Compared, "Scf?o", Method::CompareLevelZero),
    row("SampleCmpLevel", On::Compared, "Scff?o", Method::Sample(CMP | SampleAttr::LEVEL)),
    implicit("SampleCmpBias", On::Compared, "Scff?ok", Method::Sample(CMP | SampleAttr::BIAS)),
    row("SampleCmpGrad", On::Compared, "Scfgg?ok", Method::Sample(CMP | SampleAttr::GRADIENT)),
    gather("Gather", 0),
    gather("GatherRed", 0),
    gather("GatherGreen", 1),
    gather("GatherBlue", 2),
    gather("GatherAlpha", 3),
    gather_compare("GatherCmp", 0),
    gather_compare("GatherCmpRed", 0),
    gather_compare("GatherCmpGreen", 1),
    gather_compare("GatherCmpBlue", 2),
    gather_compare("GatherCmpAlpha", 3),
    row("GatherRaw", On::Gathered, "sc?o", Method::Unsupported),
    row("Load", On::Texels, "p?oo", Method::Load),
    row("GetDimensions", On::Textures, ">", Method::GetDimensions),
    implicit("CalculateLevelOfDetail", On::Filtered, "sg", Method::LevelOfDetail(true)),
    implicit("CalculateLevelOfDetailUnclamped", On::Filtered, "sg", Method::LevelOfDetail(false)),
    row("GetSamplePosition", On::Multisampled, "i", Method::SamplePosition),
    // B11
    row("Load", On::Structured, "u", Method::LoadElement),
    row("GetDimensions", On::AnyStructured, ">", Method::GetDimensions),
    row("IncrementCounter", On::Counted, "", Method::Increment),
    row("DecrementCounter", On::Counted, "", Method::Decrement),
    row("Append", On::Append, "v", Method::Append),
    row("Consume", On::Consume, "", Method::Consume),
    row("Load", On::Bytes, "u", Method::LoadBytes(0)),
    row("Load2", On::Bytes, "u", Method::LoadBytes(2)),
    row("Load3", On::Bytes, "u", Method::LoadBytes(3)),
    row("Load4", On::Bytes, "u", Method::LoadBytes(4)),
    row("Store", On::WritableBytes, "uv", Method::StoreBytes(0)),
    row("Store2", On::WritableBytes, "uv", Method::StoreBytes(2)),
    row("Store3", On::WritableBytes, "uv", Method::StoreBytes(3)),
    row("Store4", On::WritableBytes, "uv", Method::StoreBytes(4)),
    row("GetDimensions", On::Bytes, ">", Method::GetDimensions),
    interlocked("InterlockedAdd", "uv?>", AtomicOp::Add, 32),
    interlocked("InterlockedAnd", "uv?>", AtomicOp::And, 32),
    interlocked("InterlockedOr", "uv?>", AtomicOp::Or, 32),
    interlocked("InterlockedXor", "uv?>", AtomicOp::Xor, 32),
    interlocked("InterlockedMin", "uv?>", AtomicOp::Min, 32),
    interlocked("InterlockedMax", "uv?>", AtomicOp::Max, 32),
    interlocked("InterlockedExchange", "uv>", AtomicOp::Exchange, 32),
    interlocked("InterlockedCompareExchange", "uvv>", AtomicOp::CompareExchange, 32),
    interlocked("InterlockedCompareStore", "uvv", AtomicOp::CompareExchange, 32),
    row("InterlockedExchangeFloat", On::WritableBytes, "uv>", Method::Interlocked(AtomicOp::Exchange, 32, true)),
    row(
        "InterlockedCompareExchangeFloatBitwise",
        On::WritableBytes,
        "uvv>",
        Method::Interlocked(AtomicOp::CompareExchange, 32, true),
    ),
    row(
        "InterlockedCompareStoreFloatBitwise",
        On::WritableBytes,
        "uvv",
        Method::Interlocked(AtomicOp::CompareExchange, 32, true),
    ),
    row("InterlockedAdd64", On::WritableBytes, "uv?>", Method::Unsupported),
    row("InterlockedAnd64", On::WritableBytes, "uv?>", Method::Unsupported),
    row("InterlockedOr64", On::WritableBytes, "uv?>", Method::Unsupported),
    row("InterlockedXor64", On::WritableBytes, "uv?>", Method::Unsupported),
    row("InterlockedMin64", On::WritableBytes, "uv?>", Method::Unsupported),
    row("InterlockedMax64", On::WritableBytes, "uv?>", Method::Unsupported),
    row("InterlockedExchange64", On::WritableBytes, "uv>", Method::Unsupported),
    row("InterlockedCompareExchange64", On::WritableBytes, "uvv>", Method::Unsupported),
    row("InterlockedCompareStore64", On::WritableBytes, "uvv", Method::Unsupported),
];

/// The method of that name that an object has.
pub fn find(object: &ObjectRow, name: &str) -> Option<&'static MethodRow> {
    METHODS.iter().find(|row| row.name == name && row.on.has(object))
}

/// The names of all methods of an object, for suggestions (A5.3).
pub fn names(object: &'static ObjectRow) -> impl Iterator<Item = &'static str> {
    METHODS.iter().filter(|row| row.on.has(object)).map(|row| row.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::ObjectKind;

    #[test]
    fn b10_objects_have_the_methods_of_their_row() {
        let has =
            |object: &str, name: &str| ObjectKind::from_name(object).is_some_and(|k| find(k.row(), name).is_some());
        for (object, name, wanted) in [
            ("Texture2D", "Sample", true),
            ("Texture2DMS", "Sample", false),
            ("Texture3D", "SampleCmp", false),
            ("Texture3D", "Gather", false),
            ("TextureCubeArray", "GatherCmp", true),
            ("TextureCube", "Load", false),
            ("RWTexture2D", "Load", true),
            ("RWTexture2D", "Sample", false),
            ("RWStructuredBuffer", "IncrementCounter", true),
            ("StructuredBuffer", "IncrementCounter", false),
            ("AppendStructuredBuffer", "Append", true),
            ("ConsumeStructuredBuffer", "Append", false),
            ("ByteAddressBuffer", "Load4", true),
            ("ByteAddressBuffer", "Store", false),
            ("RWByteAddressBuffer", "InterlockedXor", true),
        ] {
            assert_eq!(has(object, name), wanted, "{object}.{name}");
        }
    }
}
