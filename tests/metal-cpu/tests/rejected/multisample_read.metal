// compile: MSL 2.4, 6.12: a multisample texture is read at a sample.
#include <metal_stdlib>

using namespace metal;

struct Input {
    float4 position [[position]];
    float2 uv [[user(locn0)]];
    float3 direction [[user(locn1)]];
};

fragment float4 shade(Input input [[stage_in]], texture2d_ms<float> image [[texture(0)]])
{
    float4 value = float4(input.uv, 0.0, 1.0);
    value = image.read(uint2(input.uv)); // wrong
    return value;
}
