// aquatint MSL 2.4
#include <metal_stdlib>

using namespace metal;

struct main_in {
    float a [[user(locn0)]];
    float b [[user(locn1)]];
};

struct main_out {
    float4 o [[color(0)]];
};

fragment main_out main0(main_in aq_in [[stage_in]])
{
    main_out aq_out;
    float unit = aq_in.b * rsqrt(aq_in.b * aq_in.b);
    float v0 = aq_in.a - aq_in.b;
    float facing = aq_in.b * aq_in.a < 0.0f ? aq_in.a : -aq_in.a;
    float v1 = aq_in.b * aq_in.a;
    float v2 = 1.0f - 0.5f * 0.5f * (1.0f - v1 * v1);
    float v3 = 0.5f * aq_in.a - (0.5f * v1 + sqrt(v2)) * aq_in.b;
    float s = aq_in.a - 2.0f * (aq_in.b * aq_in.a) * aq_in.b + facing;
    float u = s + (v2 < 0.0f ? 0.0f : v3) + sqrt(v0 * v0);
    float4 r = float4(aq_in.a * aq_in.b, sqrt(aq_in.a * aq_in.a), unit, u);
    aq_out.o = r;
    return aq_out;
}
