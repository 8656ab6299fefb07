// The legal twin of the source of this name that is rejected: a reference does not bind to another address space.
#include <metal_stdlib>

using namespace metal;

static void clear(thread float& x)
{
    x = 0.0;
}

kernel void work(device float* data [[buffer(0)]])
{
    float value = data[0];
    clear(value);
    data[1] = value;
}
