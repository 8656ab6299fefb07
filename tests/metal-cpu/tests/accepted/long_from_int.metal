// The legal twin of the source of this name that is rejected: no vector of int converts to one of long by itself.
#include <metal_stdlib>

using namespace metal;

kernel void work(device float4* data [[buffer(0)]], device int4* whole [[buffer(1)]], uint at [[thread_position_in_grid]])
{
    float4 value = data[at];
    int4 number = whole[at];
    long4 more = long4(number);
    data[at] = value;
    whole[at] = number;
}
