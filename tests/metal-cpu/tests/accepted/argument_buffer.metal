// Accepted: an argument buffer with every kind of member.
#include <metal_stdlib>

using namespace metal;

struct Bindings {
    constant float4* one [[id(0)]];
    device float4* two [[id(1)]];
    array<texture2d<float>, 4> images [[id(2)]];
    sampler smooth [[id(6)]];
    float factor [[id(7)]];
};

fragment float4 shade(float4 place [[position]], constant Bindings& bindings [[buffer(0)]])
{
    bindings.two[0] = bindings.one[0];
    return bindings.images[3].sample(bindings.smooth, place.xy) * bindings.factor;
}
