// compile: MSL 2.4, 4: a pointer does not change its address space.
#include <metal_stdlib>

using namespace metal;

kernel void work(device float* data [[buffer(0)]], constant float* fixed [[buffer(1)]])
{
    const device float* place = fixed; // wrong
    data[0] = place[0];
}
