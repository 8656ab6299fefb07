// compile: MSL 2.4, 2.3.1: a column has as many components as the matrix has rows.
#include <metal_stdlib>

using namespace metal;

kernel void work(device float4* data [[buffer(0)]], device int4* whole [[buffer(1)]], uint at [[thread_position_in_grid]])
{
    float4 value = data[at];
    int4 number = whole[at];
    float3x3 more = float3x3(1.0); more[0] = value; // wrong
    data[at] = value;
    whole[at] = number;
}
