// noexcept: MSL 2.4, 1.4.4: there is no noexcept.
#include <metal_stdlib>

using namespace metal;

static float twice(float x) noexcept // wrong
{
    return x + x;
}

kernel void work(device float* data [[buffer(0)]])
{
    data[0] = twice(data[1]);
}
