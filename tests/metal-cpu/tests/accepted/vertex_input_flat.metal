// The legal twin of the source of this name that is rejected: a vertex input is not interpolated.
#include <metal_stdlib>

using namespace metal;

struct Input {
    float4 first [[attribute(0)]];
    short2 second [[attribute(1)]];
};

vertex float4 place(Input input [[stage_in]])
{
    return input.first;
}
