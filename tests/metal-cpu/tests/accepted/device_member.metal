// The legal twin of the source of this name that is rejected: a member that is no pointer has no address space.
#include <metal_stdlib>

using namespace metal;

struct Holder {
    device float* value;
};

kernel void work(device float* data [[buffer(0)]])
{
    data[1] = data[0];
}
