// aquatint MSL 2.4
#include <metal_stdlib>

using namespace metal;

struct ps_in {
    half2 a [[user(locn0)]];
    short n [[user(locn1)]] [[flat]];
};

struct ps_out {
    half4 target0 [[color(0)]];
};

fragment ps_out ps(ps_in aq_in [[stage_in]])
{
    ps_out aq_out;
    half2 c = half2(tanh(float2(aq_in.a * 0.1h))) + aq_in.a;
    aq_out.target0 = half4(c, 1.0h / half(aq_in.n), 1.0h);
    return aq_out;
}
