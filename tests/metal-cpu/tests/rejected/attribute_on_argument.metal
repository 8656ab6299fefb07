// attribute-place: MSL 2.4, 5.2.2: attribute(n) stands on members of stage input.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

vertex float4 work(
    constant Data& first [[buffer(0)]],
    float4 value [[attribute(0)]] // wrong
)
{
    return float4(0.0);
}
