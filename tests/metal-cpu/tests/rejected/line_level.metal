// compile: MSL 2.4, 6.12: a 1D texture has no levels.
#include <metal_stdlib>

using namespace metal;

struct Input {
    float4 position [[position]];
    float2 uv [[user(locn0)]];
    float3 direction [[user(locn1)]];
};

fragment float4 shade(Input input [[stage_in]], texture1d<float> line [[texture(0)]], sampler smooth [[sampler(0)]])
{
    float4 value = float4(input.uv, 0.0, 1.0);
    value = line.sample(smooth, input.uv.x, level(1.0)); // wrong
    return value;
}
