// aquatint MSL 2.4
#include <metal_stdlib>

using namespace metal;

struct shade_in {
    float4 a [[user(locn0)]];
};

struct shade_out {
    float4 target0 [[color(0)]];
};

fragment shade_out shade(shade_in aq_in [[stage_in]])
{
    #pragma clang fp reassociate(off)
    #pragma clang fp contract(off)
    shade_out aq_out;
    half4 h = half4(aq_in.a);
    aq_out.target0 = float4(half4(precise::divide(float4(1.0f), float4(half4(precise::rsqrt(float4(half4(precise::sqrt(float4(half4(precise::divide(float4(h), float4(h)))))))))))));
    return aq_out;
}
