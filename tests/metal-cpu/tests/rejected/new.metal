// new-delete: MSL 2.4, 1.4.4: there is no new.
#include <metal_stdlib>

using namespace metal;

kernel void work(device float4* data [[buffer(0)]], device int4* whole [[buffer(1)]], uint at [[thread_position_in_grid]])
{
    float4 value = data[at];
    int4 number = whole[at];
    thread float4* more = new float4(1.0); // wrong
    data[at] = value;
    whole[at] = number;
}
