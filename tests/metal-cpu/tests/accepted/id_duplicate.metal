// The legal twin of the source of this name that is rejected: no two members of an argument buffer have one id.
#include <metal_stdlib>

using namespace metal;

struct Bindings {
    array<texture2d<float>, 4> images [[id(0)]];
    sampler smooth [[id(4)]];
};

fragment float4 shade(float4 place [[position]], constant Bindings& bindings [[buffer(0)]])
{
    return bindings.images[1].sample(bindings.smooth, place.xy);
}
