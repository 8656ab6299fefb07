// The legal twin of the source of this name that is rejected: no function calls itself through others.
#include <metal_stdlib>

using namespace metal;

static int odd(int n);

static int even(int n)
{
    return n == 0 ? 1 : odd(n - 1);
}

static int odd(int n)
{
    return n == 0 ? 0 : 1;
}

kernel void work(device int* data [[buffer(0)]])
{
    data[0] = even(data[1]);
}
