// function-constant-initialiser: MSL 2.4, 5.8.1: a function constant has no initialiser.
#include <metal_stdlib>

using namespace metal;

constant float factor [[function_constant(0)]] = 1.0; // wrong

kernel void work(device float* data [[buffer(0)]])
{
    data[0] = data[1] * float(factor);
}
