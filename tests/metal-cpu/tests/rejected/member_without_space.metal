// pointer-space: MSL 2.4, 4: a pointer in a struct names its address space.
#include <metal_stdlib>

using namespace metal;

struct Holder {
    float* place; // wrong
};

kernel void work(device float* data [[buffer(0)]])
{
    float value = data[0];
    Holder holder = { &value };
    data[1] = *holder.place;
}
