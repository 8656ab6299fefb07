// interpolation: MSL 2.4, 5.4: integers are flat.
#include <metal_stdlib>

using namespace metal;

struct Input {
    float4 place [[position]];
    float4 first [[user(locn0)]];
    int second [[user(locn1), center_perspective]]; // wrong
};

fragment float4 shade(Input input [[stage_in]])
{
    return input.first;
}
