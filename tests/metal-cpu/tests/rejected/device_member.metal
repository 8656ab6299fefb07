// member-space: MSL 2.4, 4: a member that is no pointer has no address space.
#include <metal_stdlib>

using namespace metal;

struct Holder {
    device float value; // wrong
};

kernel void work(device float* data [[buffer(0)]])
{
    data[1] = data[0];
}
