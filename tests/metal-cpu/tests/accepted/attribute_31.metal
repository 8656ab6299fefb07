// The legal twin of the source of this name that is rejected: vertex inputs end at 30.
#include <metal_stdlib>

using namespace metal;

struct Input {
    float4 first [[attribute(0)]];
    float2 second [[attribute(30)]];
};

vertex float4 place(Input input [[stage_in]])
{
    return input.first;
}
