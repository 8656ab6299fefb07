// sampler-constexpr: MSL 2.4, 2.10: a sampler with states is constexpr.
#include <metal_stdlib>

using namespace metal;

constant sampler smooth(coord::pixel, filter::linear); // wrong

fragment float4 shade(float4 place [[position]], texture2d<float> image [[texture(0)]])
{
    return image.sample(smooth, place.xy);
}
