// The legal twin of the source of this name that is rejected: vertex_id is ushort or uint.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

vertex float4 work(
    constant Data& first [[buffer(0)]],
    ushort at [[vertex_id]]
)
{
    return float4(0.0);
}
