// local-space: MSL 2.4, 4: no local variable lies in device memory.
#include <metal_stdlib>

using namespace metal;

kernel void work(device float4* data [[buffer(0)]], device int4* whole [[buffer(1)]], uint at [[thread_position_in_grid]])
{
    float4 value = data[at];
    int4 number = whole[at];
    device float4 more; more = value; // wrong
    data[at] = value;
    whole[at] = number;
}
