// The legal twin of the source of this name that is rejected: front_facing is bool.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

fragment float4 work(
    constant Data& first [[buffer(0)]],
    bool front [[front_facing]]
)
{
    return float4(0.0);
}
