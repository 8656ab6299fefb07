// builtin-type: MSL 2.4, 5.2.3.3: clip_distance is float or an array of float.
#include <metal_stdlib>

using namespace metal;

struct Output {
    float4 place [[position]];
    float4 first [[user(locn0)]];
    float2 clip [[clip_distance]]; // wrong
};

vertex Output place(uint id [[vertex_id]])
{
    Output output = {};
    output.place = float4(float(id));
    return output;
}
