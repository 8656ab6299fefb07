// The legal twin of the source of this name that is rejected: no two vertex inputs have one index.
#include <metal_stdlib>

using namespace metal;

struct Input {
    float4 first [[attribute(0)]];
    float2 second [[attribute(2)]];
};

vertex float4 place(Input input [[stage_in]])
{
    return input.first;
}
