// builtin-type: MSL 2.4, 5.2.3.3: render_target_array_index is unsigned.
#include <metal_stdlib>

using namespace metal;

struct Output {
    float4 place [[position]];
    float4 first [[user(locn0)]];
    int layer [[render_target_array_index]]; // wrong
};

vertex Output place(uint id [[vertex_id]])
{
    Output output = {};
    output.place = float4(float(id));
    return output;
}
