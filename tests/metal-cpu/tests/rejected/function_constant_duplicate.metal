// function-constant-index: MSL 2.4, 5.8.1: indices are distinct.
#include <metal_stdlib>

using namespace metal;

constant int one [[function_constant(0)]]; constant float factor [[function_constant(0)]]; // wrong

kernel void work(device float* data [[buffer(0)]])
{
    data[0] = data[1] * float(factor);
}
