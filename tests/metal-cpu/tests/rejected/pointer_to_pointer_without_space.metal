// pointer-space: MSL 2.4, 4: both pointers of a pointer to a pointer name their spaces.
#include <metal_stdlib>

using namespace metal;

kernel void work(device float4* data [[buffer(0)]], device int4* whole [[buffer(1)]], uint at [[thread_position_in_grid]])
{
    float4 value = data[at];
    int4 number = whole[at];
    device float4* one = data; device float4** two = &one; // wrong
    data[at] = value;
    whole[at] = number;
}
