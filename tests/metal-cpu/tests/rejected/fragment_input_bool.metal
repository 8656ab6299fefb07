// stage-in-member: MSL 2.4, 5.2.4: a fragment input is no bool.
#include <metal_stdlib>

using namespace metal;

struct Input {
    float4 place [[position]];
    float4 first [[user(locn0)]];
    bool second [[user(locn1)]]; // wrong
};

fragment float4 shade(Input input [[stage_in]])
{
    return input.first;
}
