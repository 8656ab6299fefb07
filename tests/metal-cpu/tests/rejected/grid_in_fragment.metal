// builtin-stage: MSL 2.4, 5.2.3.6: positions in a grid belong to kernel functions.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

fragment float4 work(
    constant Data& first [[buffer(0)]],
    uint at [[thread_position_in_grid]] // wrong
)
{
    return float4(0.0);
}
