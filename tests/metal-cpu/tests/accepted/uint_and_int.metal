// The legal twin of the source of this name that is rejected: both vectors of an operator have one element type.
#include <metal_stdlib>

using namespace metal;

kernel void work(device float4* data [[buffer(0)]], device int4* whole [[buffer(1)]], uint at [[thread_position_in_grid]])
{
    float4 value = data[at];
    int4 number = whole[at];
    number = number + int4(uint4(1u));
    data[at] = value;
    whole[at] = number;
}
