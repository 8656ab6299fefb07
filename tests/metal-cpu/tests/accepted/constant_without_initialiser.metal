// The legal twin of the source of this name that is rejected: a constant at program scope has an initialiser.
#include <metal_stdlib>

using namespace metal;

constant float factor = 3.0;

kernel void work(device float* data [[buffer(0)]])
{
    data[0] = data[1] * float(factor);
}
