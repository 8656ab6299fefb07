// fragment-only: MSL 2.4, 6.10.1.3: discard_fragment is called from fragment functions.
#include <metal_stdlib>

using namespace metal;

kernel void work(device float4* data [[buffer(0)]], device int4* whole [[buffer(1)]], uint at [[thread_position_in_grid]])
{
    float4 value = data[at];
    int4 number = whole[at];
    discard_fragment(); // wrong
    data[at] = value;
    whole[at] = number;
}
