// program-scope: MSL 2.4, 4.2: no variable at program scope lies in device memory.
#include <metal_stdlib>

using namespace metal;

device float factor; // wrong

kernel void work(device float* data [[buffer(0)]])
{
    data[0] = data[1] * float(factor);
}
