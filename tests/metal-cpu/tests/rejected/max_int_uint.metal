// compile: MSL 2.4, 6.3: int and uint do not mix in max.
#include <metal_stdlib>

using namespace metal;

kernel void work(device float4* data [[buffer(0)]], device int4* whole [[buffer(1)]], uint at [[thread_position_in_grid]])
{
    float4 value = data[at];
    int4 number = whole[at];
    number.x = max(number.x, at); // wrong
    data[at] = value;
    whole[at] = number;
}
