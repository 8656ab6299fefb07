// attribute-duplicate: MSL 2.4, 5.7: no two outputs have one name.
#include <metal_stdlib>

using namespace metal;

struct Output {
    float4 place [[position]];
    float4 first [[user(locn0)]];
    float2 second [[user(locn0)]]; // wrong
};

vertex Output place(uint id [[vertex_id]])
{
    Output output = {};
    output.place = float4(float(id));
    return output;
}
