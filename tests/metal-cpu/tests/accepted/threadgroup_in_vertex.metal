// The legal twin of the source of this name that is rejected: no argument of a vertex function points into threadgroup memory.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

vertex float4 work(
    constant Data& first [[buffer(0)]],
    device float* tile [[buffer(1)]]
)
{
    return float4(0.0);
}
