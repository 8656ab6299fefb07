// The legal twin of the source of this name that is rejected: there are no atomic functions of textures in MSL 2.4.
#include <metal_stdlib>

using namespace metal;

struct Input {
    float4 position [[position]];
    float2 uv [[user(locn0)]];
    float3 direction [[user(locn1)]];
};

fragment float4 shade(Input input [[stage_in]], texture2d<uint, access::read_write> image [[texture(0)]])
{
    float4 value = float4(input.uv, 0.0, 1.0);
    image.write(uint4(1u), uint2(input.uv));
    return value;
}
