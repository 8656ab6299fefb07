// builtin-type: MSL 2.4, 5.2.3.1: vertex_id is ushort or uint.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

vertex float4 work(
    constant Data& first [[buffer(0)]],
    float at [[vertex_id]] // wrong
)
{
    return float4(0.0);
}
