// The legal twin of the source of this name that is rejected: a variable at program scope lies in the constant address space.
#include <metal_stdlib>

using namespace metal;

static constant float factor = 2.0;

kernel void work(device float* data [[buffer(0)]])
{
    data[0] = data[1] * float(factor);
}
