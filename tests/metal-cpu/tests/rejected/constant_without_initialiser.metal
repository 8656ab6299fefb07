// constant-initialiser: MSL 2.4, 4.2: a constant at program scope has an initialiser.
#include <metal_stdlib>

using namespace metal;

constant float factor; // wrong

kernel void work(device float* data [[buffer(0)]])
{
    data[0] = data[1] * float(factor);
}
