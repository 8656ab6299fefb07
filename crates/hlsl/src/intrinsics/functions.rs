//! Intrinsic functions (B1 to B9).

use super::Stages;
use crate::types::Kind;
use aquatint_base::HashMap;
use aquatint_ir::Op;
use aquatint_ir::op::{AtomicOp, Derivative, QuadLane, Wave};
use std::sync::LazyLock;

/// What an intrinsic does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// One operation on each element, by kind: float, signed, unsigned. Matrices go row by row (B0.1).
    Each(Op, Op, Op),
    /// One float operation on each element.
    Float(Op),
    /// One float operation on whole vectors.
    Vector(Op),
    /// A derivative.
    Derivative(Op, Derivative),
    /// A wave operation on each element, rows of matrices each on its own.
    Wave(Wave),
    /// A quad operation.
    Quad(QuadLane),
    /// A barrier: execution, workgroup memory, storage and textures.
    Barrier(bool, bool, bool),
    /// An interlocked operation; whether the comparison or exchange is of float bits.
    Interlocked(AtomicOp, bool),
    /// More than one operation.
    Special(Special),
    /// Recognised and refused: AQ3031.
    Unsupported,
    /// A legacy function whose replacement is named: AQ2006.
    Legacy(&'static str),
}

/// Intrinsics that are made of several operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Special {
    Abs,
    Sign,
    Clamp,
    Modf,
    Frexp,
    Ldexp,
    Lerp,
    Mad,
    Fma,
    IsNormal,
    Scale(u32),
    Select,
    LogicalAnd,
    LogicalOr,
    All,
    Any,
    Log10,
    Sincos,
    Dot,
    Length,
    Distance,
    Normalize,
    Reflect,
    Refract,
    FaceForward,
    Lit,
    Dst,
    Determinant,
    Transpose,
    Mul,
    ColorToBytes,
    Bits(Op),
    Cast(Kind),
    SplitDouble,
    JoinDouble,
    HalfToFloat,
    FloatToHalf,
    Msad4,
    AddUint64,
    Dot4Add(bool),
    Dot2Add,
    Pack { signed: bool, clamp: bool },
    Unpack { signed: bool, narrow: bool },
    Fwidth,
    Clip,
    Identity,
    IsHelperLane,
    SameInWave,
    Evaluate,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Intrinsic {
    /// The name.
    pub name: &'static str,
    /// Parameters and result, in the notation of [`super::signature`].
    pub signature: &'static str,
    /// Where it may be used.
    pub stages: Stages,
    /// What it does.
    pub operation: Operation,
}

const fn row(name: &'static str, signature: &'static str, operation: Operation) -> Intrinsic {
    Intrinsic { name, signature, stages: Stages::All, operation }
}

const fn at(stages: Stages, name: &'static str, signature: &'static str, operation: Operation) -> Intrinsic {
    Intrinsic { name, signature, stages, operation }
}

const fn float(name: &'static str, op: Op) -> Intrinsic {
    row(name, "F*:=", Operation::Float(op))
}

const fn special(name: &'static str, signature: &'static str, special: Special) -> Intrinsic {
    row(name, signature, Operation::Special(special))
}

const fn wave(name: &'static str, signature: &'static str, wave: Wave) -> Intrinsic {
    row(name, signature, Operation::Wave(wave))
}

const fn derivative(name: &'static str, op: Op, kind: Derivative) -> Intrinsic {
    at(Stages::Derivative, name, "F*:=", Operation::Derivative(op, kind))
}

const fn barrier(name: &'static str, execution: bool, workgroup: bool, device: bool) -> Intrinsic {
    let stages = if execution || !device { Stages::Compute } else { Stages::PixelCompute };
    at(stages, name, ":v", Operation::Barrier(execution, workgroup, device))
}

const fn interlocked(name: &'static str, signature: &'static str, op: AtomicOp) -> Intrinsic {
    row(name, signature, Operation::Interlocked(op, false))
}

const fn unsupported(name: &'static str) -> Intrinsic {
    row(name, ":v", Operation::Unsupported)
}

const fn legacy(name: &'static str, replacement: &'static str) -> Intrinsic {
    row(name, ":v", Operation::Legacy(replacement))
}

use Operation::{Each, Float, Vector};

/// All rows. Rows of one name are its overloads.
pub static FUNCTIONS: &[Intrinsic] = &[
    // B1
    special("abs", "N*:=", Special::Abs),
    special("sign", "N*:i*", Special::Sign),
    row("min", "N*,N*:=", Each(Op::FMin, Op::IMin, Op::IMin)),
    row("max", "N*,N*:=", Each(Op::FMax, Op::IMax, Op::IMax)),
    special("clamp", "N*,N*,N*:=", Special::Clamp),
    float("saturate", Op::FSaturate),
    float("floor", Op::Floor),
    float("ceil", Op::Ceil),
    float("trunc", Op::Trunc),
    float("round", Op::Round),
    float("frac", Op::Fract),
    row("fmod", "F*,F*:=", Float(Op::FRem)),
    special("modf", "F*,>A*:=", Special::Modf),
    special("frexp", "F*,>F*:=", Special::Frexp),
    special("ldexp", "F*,F*:=", Special::Ldexp),
    special("lerp", "F*,F*,F*:=", Special::Lerp),
    row("step", "F*,F*:=", Float(Op::Step)),
    row("smoothstep", "F*,F*,F*:=", Float(Op::Smoothstep)),
    special("mad", "N*,N*,N*:=", Special::Mad),
    special("fma", "D*,D*,D*:=", Special::Fma),
    float("rcp", Op::Rcp),
    float("sqrt", Op::Sqrt),
    float("rsqrt", Op::RSqrt),
    row("isnan", "F*:b*", Float(Op::IsNan)),
    row("isinf", "F*:b*", Float(Op::IsInf)),
    row("isfinite", "F*:b*", Float(Op::IsFinite)),
    special("isnormal", "F*:b*", Special::IsNormal),
    special("degrees", "F*:=", Special::Scale(57.295_78_f32.to_bits())),
    special("radians", "F*:=", Special::Scale(0.017_453_292_f32.to_bits())),
    special("select", "A*,A*,A*:!", Special::Select),
    special("and", "B*,B*:=", Special::LogicalAnd),
    special("or", "B*,B*:=", Special::LogicalOr),
    special("all", "A*:b", Special::All),
    special("any", "A*:b", Special::Any),
    // B2
    float("exp", Op::Exp),
    float("exp2", Op::Exp2),
    float("log", Op::Log),
    float("log2", Op::Log2),
    special("log10", "F*:=", Special::Log10),
    row("pow", "F*,F*:=", Float(Op::Pow)),
    float("sin", Op::Sin),
    float("cos", Op::Cos),
    float("tan", Op::Tan),
    float("asin", Op::Asin),
    float("acos", Op::Acos),
    float("atan", Op::Atan),
    row("atan2", "F*,F*:=", Float(Op::Atan2)),
    special("sincos", "F*,>F*,>F*:v", Special::Sincos),
    float("sinh", Op::Sinh),
    float("cosh", Op::Cosh),
    float("tanh", Op::Tanh),
    // B3
    special("dot", "Nn,Nn:.", Special::Dot),
    row("cross", "F3,F3:=", Vector(Op::Cross)),
    special("length", "Fn:.", Special::Length),
    special("distance", "Fn,Fn:.", Special::Distance),
    special("normalize", "Fn:=", Special::Normalize),
    special("reflect", "Fn,Fn:=", Special::Reflect),
    special("refract", "Fn,Fn,f:=", Special::Refract),
    special("faceforward", "Fn,Fn,Fn:=", Special::FaceForward),
    special("lit", "f,f,f:f4", Special::Lit),
    special("dst", "f4,f4:f4", Special::Dst),
    special("determinant", "Fq:.", Special::Determinant),
    special("transpose", "A*:!", Special::Transpose),
    special("mul", "N*,N*:!", Special::Mul),
    special("D3DCOLORtoUBYTE4", "f4:i4", Special::ColorToBytes),
    // B4
    special("countbits", "I*:u*", Special::Bits(Op::PopCount)),
    special("reversebits", "I*:=", Special::Bits(Op::Reverse)),
    special("firstbithigh", "I*:u*", Special::Bits(Op::FirstHigh)),
    special("firstbitlow", "I*:u*", Special::Bits(Op::FirstLow)),
    special("asfloat", "A*:f*", Special::Cast(Kind::Float)),
    special("asint", "A*:i*", Special::Cast(Kind::Int)),
    special("asuint", "A*:u*", Special::Cast(Kind::Uint)),
    special("asuint", "d,>u,>u:v", Special::SplitDouble),
    special("asdouble", "u,u:d", Special::JoinDouble),
    special("asdouble", "u2,u2:d2", Special::JoinDouble),
    special("asfloat16", "A*:h*", Special::Cast(Kind::Half)),
    special("asint16", "A*:s*", Special::Cast(Kind::Int16)),
    special("asuint16", "A*:w*", Special::Cast(Kind::Uint16)),
    special("f16tof32", "I*:f*", Special::HalfToFloat),
    special("f32tof16", "F*:u*", Special::FloatToHalf),
    special("msad4", "u,u2,u4:u4", Special::Msad4),
    special("AddUint64", "In,In:=", Special::AddUint64),
    special("dot4add_u8packed", "u,u,u:u", Special::Dot4Add(false)),
    special("dot4add_i8packed", "u,u,i:i", Special::Dot4Add(true)),
    special("dot2add", "h2,h2,f:f", Special::Dot2Add),
    special("pack_u8", "I4:u", Special::Pack { signed: false, clamp: false }),
    special("pack_s8", "I4:u", Special::Pack { signed: true, clamp: false }),
    special("pack_clamp_u8", "I4:u", Special::Pack { signed: false, clamp: true }),
    special("pack_clamp_s8", "I4:u", Special::Pack { signed: true, clamp: true }),
    special("unpack_u8u32", "u:u4", Special::Unpack { signed: false, narrow: false }),
    special("unpack_s8s32", "u:i4", Special::Unpack { signed: true, narrow: false }),
    special("unpack_u8u16", "u:w4", Special::Unpack { signed: false, narrow: true }),
    special("unpack_s8s16", "u:s4", Special::Unpack { signed: true, narrow: true }),
    // B5
    derivative("ddx", Op::Ddx, Derivative::Default),
    derivative("ddy", Op::Ddy, Derivative::Default),
    derivative("ddx_coarse", Op::Ddx, Derivative::Coarse),
    derivative("ddy_coarse", Op::Ddy, Derivative::Coarse),
    derivative("ddx_fine", Op::Ddx, Derivative::Fine),
    derivative("ddy_fine", Op::Ddy, Derivative::Fine),
    at(Stages::Derivative, "fwidth", "F*:=", Operation::Special(Special::Fwidth)),
    at(Stages::Pixel, "clip", "F*:v", Operation::Special(Special::Clip)),
    at(Stages::Pixel, "EvaluateAttributeAtSample", "F*,u:=", Operation::Special(Special::Evaluate)),
    at(Stages::Pixel, "EvaluateAttributeCentroid", "F*:=", Operation::Special(Special::Evaluate)),
    at(Stages::Pixel, "EvaluateAttributeSnapped", "F*,i2:=", Operation::Special(Special::Evaluate)),
    at(Stages::Pixel, "GetAttributeAtVertex", "F*,u:=", Operation::Special(Special::Evaluate)),
    unsupported("GetRenderTargetSampleCount"),
    unsupported("GetRenderTargetSamplePosition"),
    special("IsHelperLane", ":b", Special::IsHelperLane),
    unsupported("CheckAccessFullyMapped"),
    special("NonUniformResourceIndex", "I:=", Special::Identity),
    // B6
    barrier("GroupMemoryBarrierWithGroupSync", true, true, false),
    barrier("DeviceMemoryBarrierWithGroupSync", true, false, true),
    barrier("AllMemoryBarrierWithGroupSync", true, true, true),
    barrier("GroupMemoryBarrier", false, true, false),
    barrier("DeviceMemoryBarrier", false, false, true),
    barrier("AllMemoryBarrier", false, true, true),
    // B7
    interlocked("InterlockedAdd", "&A,A,?>A:v", AtomicOp::Add),
    interlocked("InterlockedAnd", "&A,A,?>A:v", AtomicOp::And),
    interlocked("InterlockedOr", "&A,A,?>A:v", AtomicOp::Or),
    interlocked("InterlockedXor", "&A,A,?>A:v", AtomicOp::Xor),
    interlocked("InterlockedMin", "&A,A,?>A:v", AtomicOp::Min),
    interlocked("InterlockedMax", "&A,A,?>A:v", AtomicOp::Max),
    interlocked("InterlockedExchange", "&A,A,>A:v", AtomicOp::Exchange),
    interlocked("InterlockedCompareExchange", "&A,A,A,>A:v", AtomicOp::CompareExchange),
    interlocked("InterlockedCompareStore", "&A,A,A:v", AtomicOp::CompareExchange),
    row(
        "InterlockedCompareExchangeFloatBitwise",
        "&A,A,A,>A:v",
        Operation::Interlocked(AtomicOp::CompareExchange, true),
    ),
    row("InterlockedCompareStoreFloatBitwise", "&A,A,A:v", Operation::Interlocked(AtomicOp::CompareExchange, true)),
    // B8
    wave("WaveGetLaneCount", ":u", Wave::LaneCount),
    wave("WaveGetLaneIndex", ":u", Wave::LaneIndex),
    wave("WaveIsFirstLane", ":b", Wave::IsFirst),
    wave("WaveActiveAnyTrue", "b:b", Wave::AnyTrue),
    wave("WaveActiveAllTrue", "b:b", Wave::AllTrue),
    special("WaveActiveAllEqual", "A*:b*", Special::SameInWave),
    wave("WaveActiveBallot", "b:u4", Wave::Ballot),
    wave("WaveActiveCountBits", "b:u", Wave::CountBits),
    wave("WavePrefixCountBits", "b:u", Wave::PrefixCountBits),
    wave("WaveActiveSum", "N*:=", Wave::Sum),
    wave("WaveActiveProduct", "N*:=", Wave::Product),
    wave("WaveActiveMin", "N*:=", Wave::Min),
    wave("WaveActiveMax", "N*:=", Wave::Max),
    wave("WaveActiveBitAnd", "I*:=", Wave::And),
    wave("WaveActiveBitOr", "I*:=", Wave::Or),
    wave("WaveActiveBitXor", "I*:=", Wave::Xor),
    wave("WavePrefixSum", "N*:=", Wave::PrefixSum),
    wave("WavePrefixProduct", "N*:=", Wave::PrefixProduct),
    wave("WaveReadLaneAt", "A*,u:=", Wave::ReadAt),
    wave("WaveReadLaneFirst", "A*:=", Wave::ReadFirst),
    row("QuadReadAcrossX", "A*:=", Operation::Quad(QuadLane::AcrossX)),
    row("QuadReadAcrossY", "A*:=", Operation::Quad(QuadLane::AcrossY)),
    row("QuadReadAcrossDiagonal", "A*:=", Operation::Quad(QuadLane::Diagonal)),
    row("QuadReadLaneAt", "A*,u:=", Operation::Quad(QuadLane::At)),
    row("QuadAny", "b:b", Operation::Quad(QuadLane::Any)),
    row("QuadAll", "b:b", Operation::Quad(QuadLane::All)),
    unsupported("WaveMatch"),
    unsupported("WaveMultiPrefixSum"),
    unsupported("WaveMultiPrefixProduct"),
    unsupported("WaveMultiPrefixCountBits"),
    unsupported("WaveMultiPrefixBitAnd"),
    unsupported("WaveMultiPrefixBitOr"),
    unsupported("WaveMultiPrefixBitXor"),
    // B9
    legacy("tex1D", "Texture1D.Sample"),
    legacy("tex1Dbias", "Texture1D.SampleBias"),
    legacy("tex1Dgrad", "Texture1D.SampleGrad"),
    legacy("tex1Dlod", "Texture1D.SampleLevel"),
    legacy("tex1Dproj", "Texture1D.Sample with divided coordinates"),
    legacy("tex2D", "Texture2D.Sample"),
    legacy("tex2Dbias", "Texture2D.SampleBias"),
    legacy("tex2Dgrad", "Texture2D.SampleGrad"),
    legacy("tex2Dlod", "Texture2D.SampleLevel"),
    legacy("tex2Dproj", "Texture2D.Sample with divided coordinates"),
    legacy("tex3D", "Texture3D.Sample"),
    legacy("tex3Dbias", "Texture3D.SampleBias"),
    legacy("tex3Dgrad", "Texture3D.SampleGrad"),
    legacy("tex3Dlod", "Texture3D.SampleLevel"),
    legacy("tex3Dproj", "Texture3D.Sample with divided coordinates"),
    legacy("texCUBE", "TextureCube.Sample"),
    legacy("texCUBEbias", "TextureCube.SampleBias"),
    legacy("texCUBEgrad", "TextureCube.SampleGrad"),
    legacy("texCUBElod", "TextureCube.SampleLevel"),
    legacy("texCUBEproj", "TextureCube.Sample with divided coordinates"),
    unsupported("printf"),
    unsupported("errorf"),
    unsupported("abort"),
    unsupported("DebugBreak"),
    unsupported("source_mark"),
    unsupported("noise"),
    unsupported("TraceRay"),
    unsupported("ReportHit"),
    unsupported("CallShader"),
    unsupported("IgnoreHit"),
    unsupported("AcceptHitAndEndSearch"),
    unsupported("SetMeshOutputCounts"),
    unsupported("DispatchMesh"),
    unsupported("Barrier"),
    unsupported("GetGroupWaveIndex"),
    unsupported("GetGroupWaveCount"),
    unsupported("Process2DQuadTessFactorsAvg"),
    unsupported("Process2DQuadTessFactorsMax"),
    unsupported("Process2DQuadTessFactorsMin"),
    unsupported("ProcessIsolineTessFactors"),
    unsupported("ProcessQuadTessFactorsAvg"),
    unsupported("ProcessQuadTessFactorsMax"),
    unsupported("ProcessQuadTessFactorsMin"),
    unsupported("ProcessTriTessFactorsAvg"),
    unsupported("ProcessTriTessFactorsMax"),
    unsupported("ProcessTriTessFactorsMin"),
];

static INDEX: LazyLock<HashMap<&'static str, Vec<&'static Intrinsic>>> = LazyLock::new(|| {
    let mut index: HashMap<&'static str, Vec<&'static Intrinsic>> = HashMap::default();
    for row in FUNCTIONS {
        index.entry(row.name).or_default().push(row);
    }
    index
});

/// The overloads of an intrinsic function; empty where there is none of that name.
pub fn find(name: &str) -> &'static [&'static Intrinsic] {
    INDEX.get(name).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::super::signature::Signature;
    use super::*;

    #[test]
    fn every_signature_reads() {
        for row in FUNCTIONS {
            assert!(Signature::parse(row.signature).is_some(), "{}: {}", row.name, row.signature);
        }
    }

    #[test]
    fn overloads_are_found_by_name() {
        assert_eq!(find("asuint").len(), 2);
        assert_eq!(find("lerp").len(), 1);
        assert!(find("nothing").is_empty());
    }
}
