// The legal twin of the source of this name that is rejected: SIMD-group functions are called from kernel and fragment functions.
#include <metal_stdlib>

using namespace metal;

vertex float4 place(uint id [[vertex_id]])
{
    float all = float(id);
    return float4(all);
}
