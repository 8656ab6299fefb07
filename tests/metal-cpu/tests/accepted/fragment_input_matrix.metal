// The legal twin of the source of this name that is rejected: a fragment input is no matrix.
#include <metal_stdlib>

using namespace metal;

struct Input {
    float4 place [[position]];
    float4 first [[user(locn0)]];
    float3 second [[user(locn1)]];
};

fragment float4 shade(Input input [[stage_in]])
{
    return input.first;
}
