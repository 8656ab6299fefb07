// The legal twin of the source of this name that is rejected: there is no delete.
#include <metal_stdlib>

using namespace metal;

kernel void work(device float4* data [[buffer(0)]], device int4* whole [[buffer(1)]], uint at [[thread_position_in_grid]])
{
    float4 value = data[at];
    int4 number = whole[at];
    thread float4* more = &value; *more = float4(0.0);
    data[at] = value;
    whole[at] = number;
}
