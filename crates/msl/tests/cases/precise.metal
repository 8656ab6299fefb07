// aquatint MSL 2.4
#include <metal_stdlib>

using namespace metal;

// a * b, and 0 where either is 0, whatever the other is.
template<typename T>
static T aq_mul(T a, T b)
{
    #pragma clang fp reassociate(off)
    #pragma clang fp contract(off)
    return select(select(a * b, T(0.0f), b == T(0.0f)), T(0.0f), a == T(0.0f));
}

struct shade_in {
    float4 a [[user(locn0)]];
    float4 b [[user(locn1)]];
};

struct shade_out {
    float4 target0 [[color(0)]];
};

fragment shade_out shade(shade_in aq_in [[stage_in]])
{
    #pragma clang fp reassociate(off)
    #pragma clang fp contract(off)
    shade_out aq_out;
    float4 r = aq_in.a * aq_in.b + precise::divide(aq_in.a, aq_in.b);
    float4 v0 = r * aq_in.a;
    aq_out.target0 = aq_mul(float4(v0.x + v0.y + v0.z + v0.w), r);
    return aq_out;
}
