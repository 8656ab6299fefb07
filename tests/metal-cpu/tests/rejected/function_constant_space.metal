// program-scope: MSL 2.4, 4.2: a function constant lies in the constant address space.
#include <metal_stdlib>

using namespace metal;

const float factor [[function_constant(0)]]; // wrong

kernel void work(device float* data [[buffer(0)]])
{
    data[0] = data[1] * float(factor);
}
