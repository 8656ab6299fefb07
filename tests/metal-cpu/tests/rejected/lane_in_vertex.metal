// builtin-stage: MSL 2.4, 5.2.3.1: lanes of a SIMD-group are not seen by vertex functions.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

vertex float4 work(
    constant Data& first [[buffer(0)]],
    uint lane [[thread_index_in_simdgroup]] // wrong
)
{
    return float4(0.0);
}
