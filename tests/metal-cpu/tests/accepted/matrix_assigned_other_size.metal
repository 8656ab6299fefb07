// The legal twin of the source of this name that is rejected: a matrix is not assigned one of another size.
#include <metal_stdlib>

using namespace metal;

kernel void work(device float4* data [[buffer(0)]], device int4* whole [[buffer(1)]], uint at [[thread_position_in_grid]])
{
    float4 value = data[at];
    int4 number = whole[at];
    float3x3 more = float3x3(1.0); more = float3x3(2.0);
    data[at] = value;
    whole[at] = number;
}
