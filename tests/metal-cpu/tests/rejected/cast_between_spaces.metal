// compile: MSL 2.4, 4: no cast changes an address space.
#include <metal_stdlib>

using namespace metal;

kernel void work(device float* data [[buffer(0)]], constant float* fixed [[buffer(1)]])
{
    device float* place = (device float*)fixed; // wrong
    data[0] = place[0];
}
