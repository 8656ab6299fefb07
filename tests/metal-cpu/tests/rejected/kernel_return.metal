// kernel-return: MSL 2.4, 5.1.3: a kernel returns void.
#include <metal_stdlib>

using namespace metal;

kernel float work(device float* data [[buffer(0)]]) // wrong
{
    return data[0];
}
