// The legal twin of the source of this name that is rejected: a comparison takes a value.
#include <metal_stdlib>

using namespace metal;

struct Input {
    float4 position [[position]];
    float2 uv [[user(locn0)]];
    float3 direction [[user(locn1)]];
};

fragment float4 shade(Input input [[stage_in]], depth2d<float> image [[texture(0)]], sampler smooth [[sampler(0)]])
{
    float4 value = float4(input.uv, 0.0, 1.0);
    value.x = image.sample_compare(smooth, input.uv, 0.5);
    return value;
}
