// stage-in-member: MSL 2.4, 5.2.4: a vertex input has an attribute(n).
#include <metal_stdlib>

using namespace metal;

struct Input {
    float4 first [[attribute(0)]];
    float2 second; // wrong
};

vertex float4 place(Input input [[stage_in]])
{
    return input.first;
}
