// The legal twin of the source of this name that is rejected: position is float4.
#include <metal_stdlib>

using namespace metal;

struct Output {
    float4 place [[position]];
    float4 first [[user(locn0)]];
    float size [[point_size]];
};

vertex Output place(uint id [[vertex_id]])
{
    Output output = {};
    output.place = float4(float(id));
    return output;
}
