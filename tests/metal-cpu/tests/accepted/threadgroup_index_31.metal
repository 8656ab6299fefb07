// The legal twin of the source of this name that is rejected: threadgroup indices end at 30.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    threadgroup float* tile [[threadgroup(30)]]
)
{
}
