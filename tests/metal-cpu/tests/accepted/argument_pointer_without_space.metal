// The legal twin of the source of this name that is rejected: a buffer names its address space.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    device float* data [[buffer(1)]]
)
{
}
