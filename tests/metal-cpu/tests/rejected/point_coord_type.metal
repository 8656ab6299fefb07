// builtin-type: MSL 2.4, 5.2.3.4: point_coord is float2.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

fragment float4 work(
    constant Data& first [[buffer(0)]],
    float3 place [[point_coord]] // wrong
)
{
    return float4(0.0);
}
