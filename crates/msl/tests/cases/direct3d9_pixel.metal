// aquatint MSL 2.4
#include <metal_stdlib>

using namespace metal;

// a * b, and 0 where either is 0, whatever the other is.
template<typename T>
static T aq_mul(T a, T b)
{
    return select(select(a * b, T(0.0f), b == T(0.0f)), T(0.0f), a == T(0.0f));
}

template<typename T>
static T aq_mad(T a, T b, T c)
{
    return aq_mul(a, b) + c;
}

// 1 / x, and the largest float for x = 0.
template<typename T>
static T aq_rcp(T x)
{
    return select(T(1.0f) / x, T(FLT_MAX), x == T(0.0f));
}

struct MRENTRYPLACEHOLDER_Uniforms {
    float4 uniforms_float4[3];
};

struct MRENTRYPLACEHOLDER_Input {
    float4 t0 [[user(texcoord0)]];
    float4 v0 [[user(color0)]] [[centroid_perspective]];
};

struct MRENTRYPLACEHOLDER_Output {
    float4 oC0 [[color(0)]];
};

fragment MRENTRYPLACEHOLDER_Output MRENTRYPLACEHOLDER (
    constant MRENTRYPLACEHOLDER_Uniforms &uniforms [[buffer(0)]],
    texture2d<float> s0_texture [[texture(0)]],
    sampler s0_sampler [[sampler(0)]],
    MRENTRYPLACEHOLDER_Input input [[stage_in]]
) {
    MRENTRYPLACEHOLDER_Output output;
    float4 x0 = s0_texture.sample(s0_sampler, input.t0.xy);
    float4 x1 = aq_mad(x0, uniforms.uniforms_float4[0], input.v0) - uniforms.uniforms_float4[2];
    float3 x2 = aq_mul(x1.xyz, float3(aq_rcp(x1.x))) * 0.5f;
    output.oC0 = saturate(float4(x2, uniforms.uniforms_float4[0].w));
    return output;
}
