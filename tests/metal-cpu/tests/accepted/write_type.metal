// The legal twin of the source of this name that is rejected: a texel is written as the texture's element.
#include <metal_stdlib>

using namespace metal;

struct Input {
    float4 position [[position]];
    float2 uv [[user(locn0)]];
    float3 direction [[user(locn1)]];
};

fragment float4 shade(Input input [[stage_in]], texture2d<float, access::write> image [[texture(0)]])
{
    float4 value = float4(input.uv, 0.0, 1.0);
    image.write(float4(1.0), uint2(input.uv));
    return value;
}
