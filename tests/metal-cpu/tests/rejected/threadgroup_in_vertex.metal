// argument-space: MSL 2.4, 5.2.1: no argument of a vertex function points into threadgroup memory.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

vertex float4 work(
    constant Data& first [[buffer(0)]],
    threadgroup float* tile [[threadgroup(0)]] // wrong
)
{
    return float4(0.0);
}
