// compile: MSL 2.4, 2.1: there is no bfloat in MSL 2.4.
#include <metal_stdlib>

using namespace metal;

kernel void work(device float4* data [[buffer(0)]], device int4* whole [[buffer(1)]], uint at [[thread_position_in_grid]])
{
    float4 value = data[at];
    int4 number = whole[at];
    bfloat more = bfloat(1.0f); // wrong
    data[at] = value;
    whole[at] = number;
}
