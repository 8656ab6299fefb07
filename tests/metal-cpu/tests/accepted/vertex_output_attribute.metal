// The legal twin of the source of this name that is rejected: attribute(n) is no output of a vertex function.
#include <metal_stdlib>

using namespace metal;

struct Output {
    float4 place [[position]];
    float4 first [[user(locn0)]];
    float3 second [[user(locn1)]];
};

vertex Output place(uint id [[vertex_id]])
{
    Output output = {};
    output.place = float4(float(id));
    return output;
}
