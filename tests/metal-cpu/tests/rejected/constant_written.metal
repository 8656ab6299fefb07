// compile: MSL 2.4, 4.2: the constant address space is read only.
#include <metal_stdlib>

using namespace metal;

kernel void work(device float* data [[buffer(0)]], constant float* fixed [[buffer(1)]])
{
    fixed[0] = data[0]; // wrong
}
