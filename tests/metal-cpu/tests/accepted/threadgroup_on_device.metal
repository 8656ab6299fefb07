// The legal twin of the source of this name that is rejected: threadgroup(n) does not stand on a device pointer.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    threadgroup float* tile [[threadgroup(0)]]
)
{
}
