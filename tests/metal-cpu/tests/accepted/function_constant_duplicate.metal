// The legal twin of the source of this name that is rejected: indices are distinct.
#include <metal_stdlib>

using namespace metal;

constant int one [[function_constant(0)]]; constant float factor [[function_constant(1)]];

kernel void work(device float* data [[buffer(0)]])
{
    data[0] = data[1] * float(factor);
}
