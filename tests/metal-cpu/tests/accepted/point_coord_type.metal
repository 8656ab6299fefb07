// The legal twin of the source of this name that is rejected: point_coord is float2.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

fragment float4 work(
    constant Data& first [[buffer(0)]],
    float2 place [[point_coord]]
)
{
    return float4(0.0);
}
