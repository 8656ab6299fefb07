// The legal twin of the source of this name that is rejected: no function is called main.
#include <metal_stdlib>

using namespace metal;

kernel void main0(device float* data [[buffer(0)]])
{
    data[0] = 1.0;
}
