// The legal twin of the source of this name that is rejected: stage_in stands on a struct.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

fragment float4 work(
    constant Data& first [[buffer(0)]],
    float4 place [[position]]
)
{
    return float4(0.0);
}
