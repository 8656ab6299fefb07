// aquatint MSL 2.4
#include <metal_stdlib>

using namespace metal;

kernel void main0(
    const device uchar* c [[buffer(0)]],
    device uchar* n [[buffer(1)]],
    device packed_float3* o [[buffer(2)]],
    uint3 gid [[thread_position_in_grid]]
)
{
    float3 z = float3((*(const device packed_float3*)&c[uint(gid.x) * 16u])) * 2.0f;
    o[gid.x] = z;
    (*(device uint*)&n[uint(gid.x) * 32u + 16u]) = as_type<uint>((*(const device packed_float3*)&c[48u])[gid.x]);
}
