// stage-in-member: MSL 2.4, 5.2.4: a vertex input is no array.
#include <metal_stdlib>

using namespace metal;

struct Input {
    float4 first [[attribute(0)]];
    float second[2] [[attribute(1)]]; // wrong
};

vertex float4 place(Input input [[stage_in]])
{
    return input.first;
}
