// entry-call: MSL 2.4, 5.1: a stage function is not called.
#include <metal_stdlib>

using namespace metal;

kernel void first(device float* data [[buffer(0)]])
{
    data[0] = 1.0;
}

kernel void second(device float* data [[buffer(0)]])
{
    first(data); // wrong
}
