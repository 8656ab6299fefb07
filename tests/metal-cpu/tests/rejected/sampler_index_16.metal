// sampler-index: MSL 2.4, 5.2.1: sampler indices end at 15.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    sampler smooth [[sampler(16)]] // wrong
)
{
}
