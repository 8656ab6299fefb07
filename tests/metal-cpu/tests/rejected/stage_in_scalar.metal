// stage-in: MSL 2.4, 5.2.4: stage_in stands on a struct.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

fragment float4 work(
    constant Data& first [[buffer(0)]],
    float4 value [[stage_in]] // wrong
)
{
    return float4(0.0);
}
