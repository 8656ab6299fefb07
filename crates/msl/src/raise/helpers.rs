//! The helper functions that the text may call: operations that Metal's library lacks, one function each, written once at
//! the top of the file and only where used. Their formulas are those of the op table.

use aquatint_ir::{Op, Scalar};

macro_rules! helpers {
    ($($variant:ident $name:literal [$($needs:ident)*] $text:literal;)*) => {
        /// A helper function.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub(crate) enum Helper { $($variant,)* }

        impl Helper {
            /// All, each after those that it needs.
            const ALL: &'static [Helper] = &[$(Helper::$variant),*];

            /// How it is called.
            pub fn name(self) -> &'static str {
                match self { $(Helper::$variant => $name),* }
            }

            fn needs(self) -> &'static [Helper] {
                match self { $(Helper::$variant => &[$(Helper::$needs),*]),* }
            }

            /// The definition.
            fn text(self) -> &'static str {
                match self { $(Helper::$variant => $text),* }
            }
        }
    };
}

helpers! {
    IsZero "aq_is_zero" [] "\
// Whether a number is zero, by its bits: fast math may not look away.
static bool aq_is_zero(float x) { return (as_type<uint>(x) & 0x7FFFFFFFu) == 0u; }
static bool2 aq_is_zero(float2 x) { return (as_type<uint2>(x) & 0x7FFFFFFFu) == 0u; }
static bool3 aq_is_zero(float3 x) { return (as_type<uint3>(x) & 0x7FFFFFFFu) == 0u; }
static bool4 aq_is_zero(float4 x) { return (as_type<uint4>(x) & 0x7FFFFFFFu) == 0u; }
";
    Mul "aq_mul" [] "\
// a * b, and 0 where either is 0, whatever the other is.
template<typename T>
static T aq_mul(T a, T b)
{
    return select(select(a * b, T(0.0f), b == T(0.0f)), T(0.0f), a == T(0.0f));
}
";
    MulStrict "aq_mul" [IsZero] "\
// a * b, and 0 where either is 0, whatever the other is.
template<typename T>
static T aq_mul(T a, T b)
{
    return select(select(a * b, T(0.0f), aq_is_zero(b)), T(0.0f), aq_is_zero(a));
}
";
    Mad "aq_mad" [Mul] "\
template<typename T>
static T aq_mad(T a, T b, T c)
{
    return aq_mul(a, b) + c;
}
";
    Lrp "aq_lrp" [Mul] "\
template<typename T>
static T aq_lrp(T t, T a, T b)
{
    return b + aq_mul(t, a - b);
}
";
    Dot2 "aq_dot" [Mul] "\
static float aq_dot(float2 a, float2 b)
{
    float2 p = aq_mul(a, b);
    return p.x + p.y;
}
";
    Dot3 "aq_dot" [Mul] "\
static float aq_dot(float3 a, float3 b)
{
    float3 p = aq_mul(a, b);
    return p.x + p.y + p.z;
}
";
    Dot4 "aq_dot" [Mul] "\
static float aq_dot(float4 a, float4 b)
{
    float4 p = aq_mul(a, b);
    return p.x + p.y + p.z + p.w;
}
";
    Cross "aq_cross" [Mul] "\
static float3 aq_cross(float3 a, float3 b)
{
    return aq_mul(a.yzx, b.zxy) - aq_mul(a.zxy, b.yzx);
}
";
    Rcp "aq_rcp" [] "\
// 1 / x, and the largest float for x = 0.
template<typename T>
static T aq_rcp(T x)
{
    return select(T(1.0f) / x, T(FLT_MAX), x == T(0.0f));
}
";
    RSqrt "aq_rsqrt" [] "\
// 1 / sqrt(|x|), and the largest float for x = 0.
template<typename T>
static T aq_rsqrt(T x)
{
    return select(rsqrt(abs(x)), T(FLT_MAX), x == T(0.0f));
}
";
    Exp2 "aq_exp2" [] "\
// 2 to the x, at most the largest float.
template<typename T>
static T aq_exp2(T x)
{
    return select(exp2(x), T(FLT_MAX), x >= T(128.0f));
}
";
    Log2 "aq_log2" [] "\
// log2(|x|), and minus the largest float for x = 0.
template<typename T>
static T aq_log2(T x)
{
    return select(log2(abs(x)), T(-FLT_MAX), x == T(0.0f));
}
";
    Pow "aq_pow" [] "\
// |a| to the b, at most the largest float; 1 for b = 0.
template<typename T>
static T aq_pow(T a, T b)
{
    T p = powr(abs(a), b);
    p = select(p, T(FLT_MAX), p > T(FLT_MAX));
    p = select(p, select(T(0.0f), T(FLT_MAX), b < T(0.0f)), a == T(0.0f));
    return select(p, T(1.0f), b == T(0.0f));
}
";
    Nrm3 "aq_nrm" [Dot3] "\
// v over its length; zero for the zero vector.
static float3 aq_nrm(float3 v)
{
    float f = aq_dot(v, v);
    return f == 0.0f ? float3(0.0f) : aq_mul(v, float3(rsqrt(f)));
}
";
    Nrm4 "aq_nrm" [Dot3] "\
// v over the length of its first three lanes; zero where that is zero.
static float4 aq_nrm(float4 v)
{
    float f = aq_dot(v.xyz, v.xyz);
    return f == 0.0f ? float4(0.0f) : aq_mul(v, float4(rsqrt(f)));
}
";
    Lit "aq_lit" [] "\
// Lighting coefficients from (n.l, n.h, unused, power).
static float4 aq_lit(float4 v)
{
    float specular = v.x > 0.0f && v.y > 0.0f ? powr(v.y, clamp(v.w, -127.9961f, 127.9961f)) : 0.0f;
    return float4(1.0f, max(v.x, 0.0f), specular, 1.0f);
}
";
    Dst "aq_dst" [Mul] "\
static float4 aq_dst(float4 a, float4 b)
{
    return float4(1.0f, aq_mul(a.y, b.y), a.z, b.w);
}
";
    Frc "aq_fract" [] "\
// x - floor(x), always below 1.
template<typename T>
static T aq_fract(T x)
{
    T f = x - floor(x);
    return select(f, T(0.99999994f), f >= T(1.0f));
}
";
    Min "aq_min" [] "\
// The smaller; b where one is not a number.
template<typename T>
static T aq_min(T a, T b)
{
    return select(b, a, a < b);
}
";
    Max "aq_max" [] "\
// The larger; b where one is not a number.
template<typename T>
static T aq_max(T a, T b)
{
    return select(b, a, a >= b);
}
";
    Sgn "aq_sgn" [] "\
template<typename T>
static T aq_sgn(T x)
{
    return select(select(T(1.0f), T(0.0f), x == T(0.0f)), T(-1.0f), x < T(0.0f));
}
";
    Bits "aq_bits" [] "\
static uint aq_bits(float x) { return as_type<uint>(x) & 0x7FFFFFFFu; }
static uint2 aq_bits(float2 x) { return as_type<uint2>(x) & 0x7FFFFFFFu; }
static uint3 aq_bits(float3 x) { return as_type<uint3>(x) & 0x7FFFFFFFu; }
static uint4 aq_bits(float4 x) { return as_type<uint4>(x) & 0x7FFFFFFFu; }
";
    PowStrict "aq_powf" [] "\
// a to the b; not a number for a < 0, 1 for b = 0.
template<typename T>
static T aq_powf(T a, T b)
{
    return select(select(powr(a, b), T(NAN), a < T(0.0f)), T(1.0f), b == T(0.0f));
}
";
    FirstLow "aq_first_low" [] "\
template<typename T>
static T aq_first_low(T x)
{
    return select(ctz(x), T(-1), x == T(0));
}
";
    FirstHigh "aq_first_high" [] "\
static uint aq_first_high(uint x) { return select(31u - clz(x), 0xFFFFFFFFu, x == 0u); }
static uint2 aq_first_high(uint2 x) { return select(31u - clz(x), uint2(0xFFFFFFFFu), x == 0u); }
static uint3 aq_first_high(uint3 x) { return select(31u - clz(x), uint3(0xFFFFFFFFu), x == 0u); }
static uint4 aq_first_high(uint4 x) { return select(31u - clz(x), uint4(0xFFFFFFFFu), x == 0u); }
static int aq_first_high(int x) { return int(aq_first_high(uint(x < 0 ? ~x : x))); }
static int2 aq_first_high(int2 x) { return int2(aq_first_high(uint2(select(x, ~x, x < 0)))); }
static int3 aq_first_high(int3 x) { return int3(aq_first_high(uint3(select(x, ~x, x < 0)))); }
static int4 aq_first_high(int4 x) { return int4(aq_first_high(uint4(select(x, ~x, x < 0)))); }
";
    ExtractBits "aq_extract_bits" [] "\
template<typename T>
static T aq_extract_bits(T x, uint offset, uint count)
{
    offset = min(offset, 32u);
    count = min(count, 32u - offset);
    return count == 0u ? T(0) : extract_bits(x, offset, count);
}
";
    InsertBits "aq_insert_bits" [] "\
template<typename T>
static T aq_insert_bits(T base, T insert, uint offset, uint count)
{
    offset = min(offset, 32u);
    count = min(count, 32u - offset);
    return count == 0u ? base : insert_bits(base, insert, offset, count);
}
";
    Msad4 "aq_msad4" [] "\
static uint4 aq_msad4(uint reference, uint2 source, uint4 sum)
{
    for (uint lane = 0u; lane < 4u; lane++) {
        for (uint byte = 0u; byte < 4u; byte++) {
            uint at = lane + byte;
            uint r = (reference >> (byte * 8u)) & 255u;
            uint s = (source[at >> 2u] >> ((at & 3u) * 8u)) & 255u;
            sum[lane] += r == 0u ? 0u : (r > s ? r - s : s - r);
        }
    }
    return sum;
}
";
    Div "aq_div" [] "\
// The quotient; all ones for division by zero, no overflow.
template<typename T>
static T aq_div(T a, T b)
{
    T whole = T(-1) < T(0) ? (b == T(-1) ? T(0) - a : a / (b == T(0) ? T(1) : b)) : a / (b == T(0) ? T(1) : b);
    return b == T(0) ? T(-1) : whole;
}
template<typename T, int N>
static vec<T, N> aq_div(vec<T, N> a, vec<T, N> b)
{
    for (int i = 0; i < N; i++) {
        a[i] = aq_div(a[i], b[i]);
    }
    return a;
}
";
    Rem "aq_rem" [] "\
// The remainder; all ones for division by zero, no overflow.
template<typename T>
static T aq_rem(T a, T b)
{
    bool whole = T(-1) < T(0) && b == T(-1);
    return b == T(0) ? T(-1) : whole ? T(0) : a % b;
}
template<typename T, int N>
static vec<T, N> aq_rem(vec<T, N> a, vec<T, N> b)
{
    for (int i = 0; i < N; i++) {
        a[i] = aq_rem(a[i], b[i]);
    }
    return a;
}
";
    ToInt "aq_to_int" [] "\
// Toward zero, clamped to what fits; 0 for what is not a number.
static int aq_to_int(float x) { return x >= 2147483648.0f ? 2147483647 : x > -2147483648.0f ? int(x) : x <= -2147483648.0f ? (-2147483647 - 1) : 0; }
static int2 aq_to_int(float2 x) { return int2(aq_to_int(x.x), aq_to_int(x.y)); }
static int3 aq_to_int(float3 x) { return int3(aq_to_int(x.x), aq_to_int(x.y), aq_to_int(x.z)); }
static int4 aq_to_int(float4 x) { return int4(aq_to_int(x.x), aq_to_int(x.y), aq_to_int(x.z), aq_to_int(x.w)); }
";
    ToUint "aq_to_uint" [] "\
// Toward zero, clamped to what fits; 0 for what is not a number.
static uint aq_to_uint(float x) { return x >= 4294967296.0f ? 0xFFFFFFFFu : x > 0.0f ? uint(x) : 0u; }
static uint2 aq_to_uint(float2 x) { return uint2(aq_to_uint(x.x), aq_to_uint(x.y)); }
static uint3 aq_to_uint(float3 x) { return uint3(aq_to_uint(x.x), aq_to_uint(x.y), aq_to_uint(x.z)); }
static uint4 aq_to_uint(float4 x) { return uint4(aq_to_uint(x.x), aq_to_uint(x.y), aq_to_uint(x.z), aq_to_uint(x.w)); }
";
}

/// The set of helper functions that a file needs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Helpers {
    bits: u64,
    /// Whether a precise operation calls one, so that their arithmetic must be precise as well.
    pub precise: bool,
}

impl Helpers {
    /// Adds a helper and what it needs.
    pub fn add(&mut self, helper: Helper, strict: bool) {
        let helper = if strict && helper == Helper::Mul { Helper::MulStrict } else { helper };
        if self.bits >> helper as u8 & 1 != 0 {
            return;
        }
        self.bits |= 1 << helper as u8;
        for &needed in helper.needs() {
            self.add(needed, strict);
        }
    }

    /// The definitions in order.
    pub fn texts(self) -> impl Iterator<Item = &'static str> {
        Helper::ALL.iter().filter(move |&&h| self.bits >> h as u8 & 1 != 0).map(|h| h.text())
    }
}

/// What the choice of a helper looks at beside the operation.
#[derive(Clone, Copy)]
pub(crate) struct Operand {
    /// Kind of the first operand.
    pub kind: Scalar,
    /// Its lanes.
    pub lanes: u8,
    /// Kind of the result.
    pub result: Scalar,
}

/// The helper that an operation calls, if it calls one. `operand` is asked only where it matters: most operations of a
/// shader are none of these.
#[inline]
pub(crate) fn helper_of(op: Op, strict: bool, operand: impl FnOnce() -> Operand) -> Option<Helper> {
    Some(match op {
        Op::FMulLegacy => Helper::Mul,
        Op::FmaLegacy => Helper::Mad,
        Op::LrpLegacy => Helper::Lrp,
        Op::DotLegacy => match operand().lanes {
            1 => Helper::Mul,
            2 => Helper::Dot2,
            3 => Helper::Dot3,
            _ => Helper::Dot4,
        },
        Op::CrossLegacy => Helper::Cross,
        Op::RcpD3d9 => Helper::Rcp,
        Op::RSqrtD3d9 => Helper::RSqrt,
        Op::Exp2D3d9 => Helper::Exp2,
        Op::Log2D3d9 => Helper::Log2,
        Op::PowD3d9 => Helper::Pow,
        Op::NrmD3d9 => match operand().lanes {
            3 => Helper::Nrm3,
            _ => Helper::Nrm4,
        },
        Op::LitD3d9 => Helper::Lit,
        Op::DstD3d9 => Helper::Dst,
        Op::FractD3d9 => Helper::Frc,
        Op::MinD3d9 => Helper::Min,
        Op::MaxD3d9 => Helper::Max,
        Op::SgnD3d9 => Helper::Sgn,
        Op::IsNan | Op::IsInf | Op::IsFinite => match operand().kind {
            Scalar::F32 => Helper::Bits,
            _ => return None,
        },
        Op::Pow if strict => Helper::PowStrict,
        Op::FirstLow => Helper::FirstLow,
        Op::FirstHigh => Helper::FirstHigh,
        Op::BitsExtract => Helper::ExtractBits,
        Op::BitsInsert => Helper::InsertBits,
        Op::Msad4 => Helper::Msad4,
        Op::IDiv if strict => Helper::Div,
        Op::IRem if strict => Helper::Rem,
        Op::Convert if strict => match operand() {
            Operand { kind, result: Scalar::I32, .. } if kind.is_float() => Helper::ToInt,
            Operand { kind, result: Scalar::U32, .. } if kind.is_float() => Helper::ToUint,
            _ => return None,
        },
        _ => return None,
    })
}
