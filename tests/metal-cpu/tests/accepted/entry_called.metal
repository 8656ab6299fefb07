// The legal twin of the source of this name that is rejected: a stage function is not called.
#include <metal_stdlib>

using namespace metal;

kernel void first(device float* data [[buffer(0)]])
{
    data[0] = 1.0;
}

kernel void second(device float* data [[buffer(0)]])
{
    data[0] = 2.0;
}
