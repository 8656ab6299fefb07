// The legal twin of the source of this name that is rejected: no function takes a variable number of arguments.
#include <metal_stdlib>

using namespace metal;

static int choose(int first, int)
{
    return first;
}

kernel void work(device int* data [[buffer(0)]])
{
    data[0] = choose(data[1], 2);
}
