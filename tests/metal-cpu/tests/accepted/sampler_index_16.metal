// The legal twin of the source of this name that is rejected: sampler indices end at 15.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    sampler smooth [[sampler(15)]]
)
{
}
