// compile: MSL 2.4, 6.15: bit operations take integers.
#include <metal_stdlib>

using namespace metal;

kernel void work(device float4* data [[buffer(0)]], device int4* whole [[buffer(1)]], uint at [[thread_position_in_grid]])
{
    float4 value = data[at];
    int4 number = whole[at];
    atomic_fetch_and_explicit((device atomic<float>*)&data[at], 1, memory_order_relaxed); // wrong
    data[at] = value;
    whole[at] = number;
}
