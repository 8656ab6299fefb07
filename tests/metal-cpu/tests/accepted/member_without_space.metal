// The legal twin of the source of this name that is rejected: a pointer in a struct names its address space.
#include <metal_stdlib>

using namespace metal;

struct Holder {
    thread float* place;
};

kernel void work(device float* data [[buffer(0)]])
{
    float value = data[0];
    Holder holder = { &value };
    data[1] = *holder.place;
}
