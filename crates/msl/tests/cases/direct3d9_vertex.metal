// aquatint MSL 2.4
#include <metal_stdlib>

using namespace metal;

// a * b, and 0 where either is 0, whatever the other is.
template<typename T>
static T aq_mul(T a, T b)
{
    return select(select(a * b, T(0.0f), b == T(0.0f)), T(0.0f), a == T(0.0f));
}

static float aq_dot(float3 a, float3 b)
{
    float3 p = aq_mul(a, b);
    return p.x + p.y + p.z;
}

static float aq_dot(float4 a, float4 b)
{
    float4 p = aq_mul(a, b);
    return p.x + p.y + p.z + p.w;
}

// 1 / sqrt(|x|), and the largest float for x = 0.
template<typename T>
static T aq_rsqrt(T x)
{
    return select(rsqrt(abs(x)), T(FLT_MAX), x == T(0.0f));
}

// |a| to the b, at most the largest float; 1 for b = 0.
template<typename T>
static T aq_pow(T a, T b)
{
    T p = powr(abs(a), b);
    p = select(p, T(FLT_MAX), p > T(FLT_MAX));
    p = select(p, select(T(0.0f), T(FLT_MAX), b < T(0.0f)), a == T(0.0f));
    return select(p, T(1.0f), b == T(0.0f));
}

// v over its length; zero for the zero vector.
static float3 aq_nrm(float3 v)
{
    float f = aq_dot(v, v);
    return f == 0.0f ? float3(0.0f) : aq_mul(v, float3(rsqrt(f)));
}

// Lighting coefficients from (n.l, n.h, unused, power).
static float4 aq_lit(float4 v)
{
    float specular = v.x > 0.0f && v.y > 0.0f ? powr(v.y, clamp(v.w, -127.9961f, 127.9961f)) : 0.0f;
    return float4(1.0f, max(v.x, 0.0f), specular, 1.0f);
}

struct vs_Uniforms {
    float4 uniforms_float4[96];
    int4 uniforms_int4[1];
};

struct vs_Input {
    float4 v0 [[attribute(0)]];
    float4 v1 [[attribute(1)]];
    float4 v2 [[attribute(2)]];
};

struct vs_Output {
    float4 oPos [[position]];
    float4 oD0 [[user(color0)]];
    float oFog [[user(fog)]];
    float2 oT3 [[user(texcoord3)]];
    float3 oN [[user(normal)]];
    float oPts [[point_size]];
};

vertex vs_Output vs (
    constant vs_Uniforms &uniforms [[buffer(0)]],
    vs_Input input [[stage_in]]
) {
    vs_Output output = {};
    uint t0 = as_type<uint>(int(floor(input.v2.x)) + 20);
    float4 bone = t0 < 96u ? uniforms.uniforms_float4[min(t0, 95u)] : float4(0.0f);
    float d0 = aq_dot(input.v0, uniforms.uniforms_float4[0]);
    float d1 = aq_dot(input.v0, uniforms.uniforms_float4[1]);
    float d2 = aq_dot(input.v0, bone);
    output.oPos = float4(d0, d1, d2, 1.0f);
    output.oN = aq_nrm(input.v1.xyz);
    output.oD0 = aq_lit(float4(d0, d1, 0.0f, 16.0f));
    output.oFog = aq_rsqrt(d2);
    output.oT3.x = d0;
    output.oPts = aq_pow(d0, 2.5f);
    return output;
}
