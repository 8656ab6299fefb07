// compile: MSL 2.4, 2.20: no vector of bool converts to one of float by itself.
#include <metal_stdlib>

using namespace metal;

kernel void work(device float4* data [[buffer(0)]], device int4* whole [[buffer(1)]], uint at [[thread_position_in_grid]])
{
    float4 value = data[at];
    int4 number = whole[at];
    value = value > float4(0.0); // wrong
    data[at] = value;
    whole[at] = number;
}
