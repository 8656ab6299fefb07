// The legal twin of the source of this name that is rejected: no two fragment inputs have one name.
#include <metal_stdlib>

using namespace metal;

struct Input {
    float4 place [[position]];
    float4 first [[user(locn0)]];
    float2 second [[user(locn3), centroid_perspective]];
};

fragment float4 shade(Input input [[stage_in]])
{
    return input.first;
}
