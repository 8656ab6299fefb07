// The legal twin of the source of this name that is rejected: a function constant lies in the constant address space.
#include <metal_stdlib>

using namespace metal;

constant bool factor [[function_constant(0)]];

kernel void work(device float* data [[buffer(0)]])
{
    data[0] = data[1] * float(factor);
}
