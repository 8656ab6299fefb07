// attribute-place: MSL 2.4, 5.2.4: attribute(n) is no fragment input.
#include <metal_stdlib>

using namespace metal;

struct Input {
    float4 place [[position]];
    float4 first [[user(locn0)]];
    float2 second [[attribute(1)]]; // wrong
};

fragment float4 shade(Input input [[stage_in]])
{
    return input.first;
}
