// compile: MSL 2.4, 2.2.3: a pointer to a packed vector is none to an aligned one.
#include <metal_stdlib>

using namespace metal;

struct Packed {
    packed_float3 place;
};

kernel void work(device Packed* data [[buffer(0)]])
{
    device float3* place = &data[0].place; // wrong
    data[1].place = place[0];
}
