// The legal twin of the source of this name that is rejected: positions in a grid belong to kernel functions.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

fragment float4 work(
    constant Data& first [[buffer(0)]],
    uint at [[primitive_id]]
)
{
    return float4(0.0);
}
