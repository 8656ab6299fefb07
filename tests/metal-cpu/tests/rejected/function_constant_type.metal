// function-constant-type: MSL 2.4, 5.8.1: a function constant is a scalar or a vector.
#include <metal_stdlib>

using namespace metal;

constant float3x3 factor [[function_constant(0)]]; // wrong

kernel void work(device float* data [[buffer(0)]])
{
    data[0] = data[1] * float(factor[0][0]);
}
