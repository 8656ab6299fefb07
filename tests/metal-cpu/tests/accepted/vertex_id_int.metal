// The legal twin of the source of this name that is rejected: vertex_id is unsigned.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

vertex float4 work(
    constant Data& first [[buffer(0)]],
    uint at [[vertex_id]]
)
{
    return float4(0.0);
}
