// variadic: MSL 2.4, 1.4.4: no function takes a variable number of arguments.
#include <metal_stdlib>

using namespace metal;

static int choose(int first, ...) // wrong
{
    return first;
}

kernel void work(device int* data [[buffer(0)]])
{
    data[0] = choose(data[1], 2);
}
