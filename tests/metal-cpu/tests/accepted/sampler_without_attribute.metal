// The legal twin of the source of this name that is rejected: an argument says where it comes from.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

fragment float4 work(
    constant Data& first [[buffer(0)]],
    sampler smooth [[sampler(0)]]
)
{
    return float4(0.0);
}
