// reserved-name: MSL 2.4, 5.1: a stage word is no name.
#include <metal_stdlib>

using namespace metal;

constant float kernel = 1.0; constant float factor = 5.0; // wrong

kernel void work(device float* data [[buffer(0)]])
{
    data[0] = data[1] * float(factor);
}
