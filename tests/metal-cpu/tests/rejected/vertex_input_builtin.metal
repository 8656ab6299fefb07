// stage-in-member: MSL 2.4, 5.2.4: a built-in variable is no vertex input.
#include <metal_stdlib>

using namespace metal;

struct Input {
    float4 first [[attribute(0)]];
    uint second [[vertex_id]]; // wrong
};

vertex float4 place(Input input [[stage_in]])
{
    return input.first;
}
