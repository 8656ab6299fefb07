// attribute-duplicate: MSL 2.4, 5.2.2: no two vertex inputs have one index.
#include <metal_stdlib>

using namespace metal;

struct Input {
    float4 first [[attribute(0)]];
    float2 second [[attribute(0)]]; // wrong
};

vertex float4 place(Input input [[stage_in]])
{
    return input.first;
}
