// aquatint MSL 2.4
#include <metal_stdlib>

using namespace metal;

struct ps_in {
    int i [[user(locn0)]] [[flat]];
};

struct ps_out {
    float4 target0 [[color(0)]];
};

fragment ps_out ps(ps_in aq_in [[stage_in]])
{
    ps_out aq_out;
    float v[4] = {};
    uint v0 = as_type<uint>(aq_in.i);
    bool v1 = v0 < 4u;
    uint v2 = min(v0, 3u);
    if (v1) {
        v[v2] = 1.0f;
    }
    aq_out.target0 = float4(v1 ? v[v2] : 0.0f);
    return aq_out;
}
