// The legal twin of the source of this name that is rejected: threadgroup variables are declared in kernel functions.
#include <metal_stdlib>

using namespace metal;

static float share(float x, uint at)
{
    float tile[64];
    tile[at] = x;
    return tile[0];
}

kernel void work(device float* data [[buffer(0)]], uint at [[thread_index_in_threadgroup]])
{
    data[at] = share(data[at], at);
}
