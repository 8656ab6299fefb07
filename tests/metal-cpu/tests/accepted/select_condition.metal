// The legal twin of the source of this name that is rejected: select takes a vector of bool.
#include <metal_stdlib>

using namespace metal;

kernel void work(device float4* data [[buffer(0)]], device int4* whole [[buffer(1)]], uint at [[thread_position_in_grid]])
{
    float4 value = data[at];
    int4 number = whole[at];
    value = select(value, value, value > float4(1.0));
    data[at] = value;
    whole[at] = number;
}
