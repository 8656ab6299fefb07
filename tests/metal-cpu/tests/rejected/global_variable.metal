// program-scope: MSL 2.4, 4.2: a variable at program scope is a constant.
#include <metal_stdlib>

using namespace metal;

float factor = 2.0; // wrong

kernel void work(device float* data [[buffer(0)]])
{
    data[0] = data[1] * float(factor);
}
