// attribute-duplicate: MSL 2.4, 5.7: no two fragment inputs have one name.
#include <metal_stdlib>

using namespace metal;

struct Input {
    float4 place [[position]];
    float4 first [[user(locn0)]];
    float2 second [[user(locn0)]]; // wrong
};

fragment float4 shade(Input input [[stage_in]])
{
    return input.first;
}
