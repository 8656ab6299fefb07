// builtin-type: MSL 2.4, 5.2.3.3: position is float4.
#include <metal_stdlib>

using namespace metal;

struct Output {
    float4 place [[position]];
    float4 first [[user(locn0)]];
    float3 size [[point_size]]; // wrong
};

vertex Output place(uint id [[vertex_id]])
{
    Output output = {};
    output.place = float4(float(id));
    return output;
}
