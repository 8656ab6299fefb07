// compile: MSL 2.4, 6.12: a component of gather is a constant of its own type.
#include <metal_stdlib>

using namespace metal;

struct Input {
    float4 position [[position]];
    float2 uv [[user(locn0)]];
    float3 direction [[user(locn1)]];
};

fragment float4 shade(Input input [[stage_in]], texture2d<float> image [[texture(0)]], sampler smooth [[sampler(0)]])
{
    float4 value = float4(input.uv, 0.0, 1.0);
    value = image.gather(smooth, input.uv, int2(0), 3); // wrong
    return value;
}
