// The legal twin of the source of this name that is rejected: no variable at program scope lies in threadgroup memory.
#include <metal_stdlib>

using namespace metal;

constant float factor = 4.0;

kernel void work(device float* data [[buffer(0)]])
{
    data[0] = data[1] * float(factor);
}
