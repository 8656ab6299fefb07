// The legal twin of the source of this name that is rejected: there is no noexcept.
#include <metal_stdlib>

using namespace metal;

static float twice(float x)
{
    return x + x;
}

kernel void work(device float* data [[buffer(0)]])
{
    data[0] = twice(data[1]);
}
