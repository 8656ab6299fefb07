// aquatint MSL 2.4
#include <metal_stdlib>

using namespace metal;

struct ps_in {
    float4 c [[user(locn0)]];
};

struct ps_out {
    float4 target0 [[color(0)]];
};

fragment ps_out ps(
    ps_in aq_in [[stage_in]],
    texture2d<float> t2 [[texture(0)]],
    texture2d_array<float> ta [[texture(1)]],
    texturecube<float> tc [[texture(2)]],
    texture3d<float> t3 [[texture(3)]],
    depth2d<float> td [[texture(4)]],
    sampler s [[sampler(0)]],
    sampler sc [[sampler(1)]]
)
{
    ps_out aq_out;
    float4 a = t2.sample(s, aq_in.c.xy, bias(aq_in.c.w));
    float3 ddy = dfdy(aq_in.c.xyz);
    float4 d = tc.sample(s, aq_in.c.xyz, gradientcube(dfdx(aq_in.c.xyz), ddy));
    float f = td.sample_compare(sc, aq_in.c.xy, aq_in.c.w, level(0.0f));
    float4 h = t2.read(uint2(int2(aq_in.c.xy)), uint(0));
    float4 v0 = d + t3.sample(s, aq_in.c.xyz, int3(1, -1, 0));
    float4 v1 = t2.gather(s, aq_in.c.xy, int2(0), component::y) + h;
    float4 v2 = a + ta.sample(s, aq_in.c.xy, uint(rint(max(aq_in.c.z, 0.0f))), level(2.0f)) + v0;
    aq_out.target0 = v2 + (v1 + float4(float2(uint2(t2.get_width(0), t2.get_height(0))), f, 1.0f));
    return aq_out;
}
