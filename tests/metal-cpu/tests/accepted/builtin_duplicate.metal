// The legal twin of the source of this name that is rejected: a built-in variable is declared once.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

vertex float4 work(
    constant Data& first [[buffer(0)]],
    uint one [[vertex_id]], uint two [[instance_id]]
)
{
    return float4(0.0);
}
