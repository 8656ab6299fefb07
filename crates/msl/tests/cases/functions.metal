// aquatint MSL 2.4
#include <metal_stdlib>

using namespace metal;

template<typename T, uint N>
struct AqArray {
    T e[N];
};

constant int k [[function_constant(3)]];
constant int k_value = is_function_constant_defined(k) ? k : 8;

struct fragment_in {
    float2 uv [[user(locn0)]];
};

struct fragment_out {
    float4 target0 [[color(0)]];
};

static float3 normalize0(float3 v, thread uint& calls)
{
    calls = calls + 1u;
    return normalize(v);
}

static float4 shade(
    float2 at,
    thread const fragment_in& aq_in,
    thread uint& calls,
    texture2d<float> tex,
    sampler samp
)
{
    float3 n = normalize0(tex.sample(samp, at).xyz, calls);
    return float4(n, aq_in.uv.x);
}

fragment fragment_out fragment0(
    fragment_in aq_in [[stage_in]],
    texture2d<float> tex [[texture(0)]],
    sampler samp [[sampler(0)]]
)
{
    uint calls = 0u;
    fragment_out aq_out;
    float4 a = shade(aq_in.uv, aq_in, calls, tex, samp);
    float4 c = shade(aq_in.uv + 1.0f, aq_in, calls, tex, samp);
    aq_out.target0 = (a + c) * (float(calls) * float(k_value));
    return aq_out;
}
