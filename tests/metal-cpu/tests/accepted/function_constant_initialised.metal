// The legal twin of the source of this name that is rejected: a function constant has no initialiser.
#include <metal_stdlib>

using namespace metal;

constant float factor [[function_constant(2)]];

kernel void work(device float* data [[buffer(0)]])
{
    data[0] = data[1] * float(factor);
}
