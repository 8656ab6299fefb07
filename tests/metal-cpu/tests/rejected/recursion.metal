// recursion: MSL 2.4, 1.4.4: no function calls itself.
#include <metal_stdlib>

using namespace metal;

static int count(int n)
{
    return n == 0 ? 0 : count(n - 1) + 1; // wrong
}

kernel void work(device int* data [[buffer(0)]])
{
    data[0] = count(data[1]);
}
