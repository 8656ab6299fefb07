// The legal twin of the source of this name that is rejected: no function calls itself.
#include <metal_stdlib>

using namespace metal;

static int count(int n)
{
    return n == 0 ? 0 : max(n - 1, 0) + 1;
}

kernel void work(device int* data [[buffer(0)]])
{
    data[0] = count(data[1]);
}
