// The legal twin of the source of this name that is rejected: a pointer argument names its address space.
#include <metal_stdlib>

using namespace metal;

static void twice(thread float& x)
{
    x = x + x;
}

kernel void work(device float* data [[buffer(0)]])
{
    float value = data[0];
    twice(value);
    data[1] = value;
}
