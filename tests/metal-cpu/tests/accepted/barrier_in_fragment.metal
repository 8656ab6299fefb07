// The legal twin of the source of this name that is rejected: a threadgroup barrier stands in kernel functions.
#include <metal_stdlib>

using namespace metal;

struct Input {
    float4 position [[position]];
    float2 uv [[user(locn0)]];
    float3 direction [[user(locn1)]];
};

fragment float4 shade(Input input [[stage_in]])
{
    float4 value = float4(input.uv, 0.0, 1.0);
    value = value + 1.0;
    return value;
}
