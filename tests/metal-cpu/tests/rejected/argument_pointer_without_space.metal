// pointer-space: MSL 2.4, 4: a buffer names its address space.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    float* data [[buffer(1)]] // wrong
)
{
}
