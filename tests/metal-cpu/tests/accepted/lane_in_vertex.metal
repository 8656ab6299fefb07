// The legal twin of the source of this name that is rejected: lanes of a SIMD-group are not seen by vertex functions.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

vertex float4 work(
    constant Data& first [[buffer(0)]],
    ushort base [[base_instance]]
)
{
    return float4(0.0);
}
