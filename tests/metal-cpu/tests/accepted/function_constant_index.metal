// The legal twin of the source of this name that is rejected: indices end at 65535.
#include <metal_stdlib>

using namespace metal;

constant float factor [[function_constant(65535)]];

kernel void work(device float* data [[buffer(0)]])
{
    data[0] = data[1] * float(factor);
}
