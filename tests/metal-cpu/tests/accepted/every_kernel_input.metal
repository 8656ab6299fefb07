// Accepted: every input of a kernel function.
#include <metal_stdlib>

using namespace metal;

kernel void work(
    device uint* data [[buffer(0)]],
    threadgroup uint* tile [[threadgroup(0)]],
    threadgroup float4& shared [[threadgroup(1)]],
    uint3 a [[thread_position_in_grid]],
    ushort3 b [[thread_position_in_threadgroup]],
    uint3 c [[threadgroup_position_in_grid]],
    uint3 d [[threadgroups_per_grid]],
    uint3 e [[threads_per_grid]],
    ushort3 f [[threads_per_threadgroup]],
    uint3 g [[dispatch_threads_per_threadgroup]],
    uint3 h [[grid_origin]],
    uint3 i [[grid_size]],
    uint j [[thread_index_in_threadgroup]],
    uint k [[thread_index_in_simdgroup]],
    ushort l [[thread_index_in_quadgroup]],
    uint m [[threads_per_simdgroup]],
    uint n [[thread_execution_width]],
    uint o [[simdgroup_index_in_threadgroup]],
    uint p [[simdgroups_per_threadgroup]],
    uint q [[quadgroup_index_in_threadgroup]],
    uint r [[quadgroups_per_threadgroup]],
    uint s [[dispatch_simdgroups_per_threadgroup]],
    uint t [[dispatch_quadgroups_per_threadgroup]]
)
{
    threadgroup uint sums[4];
    sums[j & 3u] = a.x + b.x + c.x + d.x + e.x + f.x + g.x + h.x + i.x;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    tile[0] = sums[0] + j + k + l + m + n + o + p + q + r + s + t;
    shared = float4(float(simd_sum(tile[0])));
    simdgroup_barrier(mem_flags::mem_none);
    data[a.x] = tile[0] + uint(shared.x);
}

kernel void flat_grid(device uint* data [[buffer(0)]], uint at [[thread_position_in_grid]], uint size [[threads_per_grid]])
{
    data[at] = size;
}
