// aquatint MSL 2.4
#include <metal_stdlib>

using namespace metal;

// Whether a number is zero, by its bits: fast math may not look away.
static bool aq_is_zero(float x) { return (as_type<uint>(x) & 0x7FFFFFFFu) == 0u; }
static bool2 aq_is_zero(float2 x) { return (as_type<uint2>(x) & 0x7FFFFFFFu) == 0u; }
static bool3 aq_is_zero(float3 x) { return (as_type<uint3>(x) & 0x7FFFFFFFu) == 0u; }
static bool4 aq_is_zero(float4 x) { return (as_type<uint4>(x) & 0x7FFFFFFFu) == 0u; }

// a * b, and 0 where either is 0, whatever the other is.
template<typename T>
static T aq_mul(T a, T b)
{
    return select(select(a * b, T(0.0f), aq_is_zero(b)), T(0.0f), aq_is_zero(a));
}

static uint aq_bits(float x) { return as_type<uint>(x) & 0x7FFFFFFFu; }
static uint2 aq_bits(float2 x) { return as_type<uint2>(x) & 0x7FFFFFFFu; }
static uint3 aq_bits(float3 x) { return as_type<uint3>(x) & 0x7FFFFFFFu; }
static uint4 aq_bits(float4 x) { return as_type<uint4>(x) & 0x7FFFFFFFu; }

// a to the b; not a number for a < 0, 1 for b = 0.
template<typename T>
static T aq_powf(T a, T b)
{
    return select(select(powr(a, b), T(NAN), a < T(0.0f)), T(1.0f), b == T(0.0f));
}

static uint aq_first_high(uint x) { return select(31u - clz(x), 0xFFFFFFFFu, x == 0u); }
static uint2 aq_first_high(uint2 x) { return select(31u - clz(x), uint2(0xFFFFFFFFu), x == 0u); }
static uint3 aq_first_high(uint3 x) { return select(31u - clz(x), uint3(0xFFFFFFFFu), x == 0u); }
static uint4 aq_first_high(uint4 x) { return select(31u - clz(x), uint4(0xFFFFFFFFu), x == 0u); }
static int aq_first_high(int x) { return int(aq_first_high(uint(x < 0 ? ~x : x))); }
static int2 aq_first_high(int2 x) { return int2(aq_first_high(uint2(select(x, ~x, x < 0)))); }
static int3 aq_first_high(int3 x) { return int3(aq_first_high(uint3(select(x, ~x, x < 0)))); }
static int4 aq_first_high(int4 x) { return int4(aq_first_high(uint4(select(x, ~x, x < 0)))); }

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

// Toward zero, clamped to what fits; 0 for what is not a number.
static int aq_to_int(float x) { return x >= 2147483648.0f ? 2147483647 : x > -2147483648.0f ? int(x) : x <= -2147483648.0f ? (-2147483647 - 1) : 0; }
static int2 aq_to_int(float2 x) { return int2(aq_to_int(x.x), aq_to_int(x.y)); }
static int3 aq_to_int(float3 x) { return int3(aq_to_int(x.x), aq_to_int(x.y), aq_to_int(x.z)); }
static int4 aq_to_int(float4 x) { return int4(aq_to_int(x.x), aq_to_int(x.y), aq_to_int(x.z), aq_to_int(x.w)); }

struct ps_in {
    float2 x [[user(locn0)]];
    int n [[user(locn1)]] [[flat]];
};

struct ps_out {
    float4 target0 [[color(0)]];
};

fragment ps_out ps(ps_in aq_in [[stage_in]])
{
    ps_out aq_out;
    int2 j = int2(aq_in.n);
    int2 sh = as_type<int2>(as_type<uint2>(aq_rem(aq_div(aq_to_int(aq_in.x), j), j)) + as_type<uint2>(int2(-5))) << (j & 31);
    float2 f = float2(((sh >> 3) & 255) | j);
    float2 sel = any(aq_bits(f) > 0x7F800000u) ? aq_in.x : aq_mul(aq_powf(f, aq_in.x), aq_in.x);
    aq_out.target0 = float4(sel, float(aq_first_high(aq_in.n)), 1.0f);
    return aq_out;
}
