// The legal twin of the source of this name that is rejected: sample_mask is uint.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

fragment float4 work(
    constant Data& first [[buffer(0)]],
    uint mask [[sample_mask]]
)
{
    return float4(0.0);
}
