// The legal twin of the source of this name that is rejected: a sampler with states is constexpr.
#include <metal_stdlib>

using namespace metal;

constexpr sampler smooth(coord::pixel, filter::linear);

fragment float4 shade(float4 place [[position]], texture2d<float> image [[texture(0)]])
{
    return image.sample(smooth, place.xy);
}
