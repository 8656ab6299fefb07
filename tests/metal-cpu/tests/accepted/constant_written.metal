// The legal twin of the source of this name that is rejected: the constant address space is read only.
#include <metal_stdlib>

using namespace metal;

kernel void work(device float* data [[buffer(0)]], constant float* fixed [[buffer(1)]])
{
    data[0] = fixed[0];
}
