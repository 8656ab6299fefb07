// threadgroup-scope: MSL 2.4, 4.4: no variable at program scope lies in threadgroup memory.
#include <metal_stdlib>

using namespace metal;

threadgroup float factor; // wrong

kernel void work(device float* data [[buffer(0)]])
{
    data[0] = data[1] * float(factor);
}
