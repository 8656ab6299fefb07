// The legal twin of the source of this name that is rejected: matrices that are multiplied fit.
#include <metal_stdlib>

using namespace metal;

kernel void work(device float4* data [[buffer(0)]], device int4* whole [[buffer(1)]], uint at [[thread_position_in_grid]])
{
    float4 value = data[at];
    int4 number = whole[at];
    float4x4 more = float4x4(1.0) * float4x4(2.0);
    data[at] = value;
    whole[at] = number;
}
