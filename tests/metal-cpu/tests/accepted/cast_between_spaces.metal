// The legal twin of the source of this name that is rejected: no cast changes an address space.
#include <metal_stdlib>

using namespace metal;

kernel void work(device float* data [[buffer(0)]], constant float* fixed [[buffer(1)]])
{
    constant float* place = (constant float*)fixed;
    data[0] = place[0];
}
