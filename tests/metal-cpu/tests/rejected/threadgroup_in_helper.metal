// threadgroup-scope: MSL 2.4, 4.4: threadgroup variables are declared in kernel functions.
#include <metal_stdlib>

using namespace metal;

static float share(float x, uint at)
{
    threadgroup float tile[64]; // wrong
    tile[at] = x;
    return tile[0];
}

kernel void work(device float* data [[buffer(0)]], uint at [[thread_index_in_threadgroup]])
{
    data[at] = share(data[at], at);
}
