// The legal twin of the source of this name that is rejected: stage functions are not overloaded.
#include <metal_stdlib>

using namespace metal;

kernel void work(device int* data [[buffer(0)]])
{
    data[0] = 1;
}

kernel void more(device float* data [[buffer(0)]])
{
    data[0] = 1.0;
}
