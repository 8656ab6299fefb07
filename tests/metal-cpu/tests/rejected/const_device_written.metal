// compile: MSL 2.4, 4.1: a const buffer is read only.
#include <metal_stdlib>

using namespace metal;

kernel void work(const device float* data [[buffer(0)]], device float* more [[buffer(1)]])
{
    data[0] = 1.0; // wrong
}
