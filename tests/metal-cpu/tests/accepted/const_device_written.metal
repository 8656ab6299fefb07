// The legal twin of the source of this name that is rejected: a const buffer is read only.
#include <metal_stdlib>

using namespace metal;

kernel void work(const device float* data [[buffer(0)]], device float* more [[buffer(1)]])
{
    more[0] = data[0];
}
