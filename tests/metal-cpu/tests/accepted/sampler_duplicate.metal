// The legal twin of the source of this name that is rejected: no two samplers share an index.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    sampler one [[sampler(0)]], sampler two [[sampler(1)]]
)
{
}
