// The legal twin of the source of this name that is rejected: stage_in stands on a struct by value.
#include <metal_stdlib>

using namespace metal;

struct Input {
    float2 uv [[user(locn0)]];
};

fragment float4 shade(Input input [[stage_in]])
{
    return float4(input.uv, 0.0, 1.0);
}
