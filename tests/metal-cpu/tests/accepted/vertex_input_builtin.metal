// The legal twin of the source of this name that is rejected: a built-in variable is no vertex input.
#include <metal_stdlib>

using namespace metal;

struct Input {
    float4 first [[attribute(0)]];
    uint second [[attribute(3)]];
};

vertex float4 place(Input input [[stage_in]])
{
    return input.first;
}
