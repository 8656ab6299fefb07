// simd-stage: MSL 2.4, 6.9.2: SIMD-group functions are called from kernel and fragment functions.
#include <metal_stdlib>

using namespace metal;

vertex float4 place(uint id [[vertex_id]])
{
    float all = simd_sum(float(id)); // wrong
    return float4(all);
}
