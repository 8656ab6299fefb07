// The legal twin of the source of this name that is rejected: integers are flat.
#include <metal_stdlib>

using namespace metal;

struct Input {
    float4 place [[position]];
    float4 first [[user(locn0)]];
    int second [[user(locn1), flat]];
};

fragment float4 shade(Input input [[stage_in]])
{
    return input.first;
}
