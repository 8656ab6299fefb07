// function-constant-index: MSL 2.4, 5.8.1: indices end at 65535.
#include <metal_stdlib>

using namespace metal;

constant float factor [[function_constant(65536)]]; // wrong

kernel void work(device float* data [[buffer(0)]])
{
    data[0] = data[1] * float(factor);
}
