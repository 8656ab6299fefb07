// The legal twin of the source of this name that is rejected: a variable at program scope is a constant.
#include <metal_stdlib>

using namespace metal;

constant float factor = 2.0;

kernel void work(device float* data [[buffer(0)]])
{
    data[0] = data[1] * float(factor);
}
