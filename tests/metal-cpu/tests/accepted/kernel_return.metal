// The legal twin of the source of this name that is rejected: a kernel returns void.
#include <metal_stdlib>

using namespace metal;

static float work(device float* data)
{
    return data[0];
}
