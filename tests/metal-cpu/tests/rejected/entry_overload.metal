// entry-overload: MSL 2.4, 1.4.1: stage functions are not overloaded.
#include <metal_stdlib>

using namespace metal;

kernel void work(device int* data [[buffer(0)]])
{
    data[0] = 1;
}

kernel void work(device float* data [[buffer(0)]]) // wrong
{
    data[0] = 1.0;
}
