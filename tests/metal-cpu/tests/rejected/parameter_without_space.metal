// pointer-space: MSL 2.4, 4: a pointer argument names its address space.
#include <metal_stdlib>

using namespace metal;

static void twice(float& x) // wrong
{
    x = x + x;
}

kernel void work(device float* data [[buffer(0)]])
{
    float value = data[0];
    twice(value);
    data[1] = value;
}
