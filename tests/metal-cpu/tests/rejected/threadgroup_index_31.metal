// threadgroup-index: MSL 2.4, 5.2.1: threadgroup indices end at 30.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    threadgroup float* tile [[threadgroup(31)]] // wrong
)
{
}
