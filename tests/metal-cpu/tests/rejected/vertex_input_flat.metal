// interpolation: MSL 2.4, 5.4: a vertex input is not interpolated.
#include <metal_stdlib>

using namespace metal;

struct Input {
    float4 first [[attribute(0)]];
    float2 second [[attribute(1), flat]]; // wrong
};

vertex float4 place(Input input [[stage_in]])
{
    return input.first;
}
