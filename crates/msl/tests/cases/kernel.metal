// aquatint MSL 2.4
#include <metal_stdlib>

using namespace metal;

struct Item_sb {
    packed_float3 a;
    uint n;
};

#ifdef AQUATINT_CHECK_LAYOUT
static_assert(sizeof(Item_sb) == 16, "Item_sb");
static_assert(__builtin_offsetof(Item_sb, a) == 0, "Item_sb.a");
static_assert(__builtin_offsetof(Item_sb, n) == 12, "Item_sb.n");
#endif

kernel void main0(
    const device Item_sb* src [[buffer(0)]],
    device uint* dst [[buffer(1)]],
    device uint* raw [[buffer(2)]],
    device float* list [[buffer(3)]],
    device atomic_uint* list_counter [[buffer(4)]],
    texture2d<float, access::write> img [[texture(0)]],
    uint3 gid [[thread_position_in_grid]],
    uint li [[thread_index_in_threadgroup]]
)
{
    threadgroup float tile0[64];
    tile0[li] = float3(src[gid.x].a).x;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    float o = tile0[li ^ 1u];
    uint old = atomic_fetch_add_explicit((device atomic_uint*)&dst[gid.x], 3u, memory_order_relaxed);
    uint v0 = old;
    while (!atomic_compare_exchange_weak_explicit((device atomic_uint*)&dst[gid.x], &v0, 7u, memory_order_relaxed, memory_order_relaxed) && v0 == old) { }
    uint off = gid.x * 16u;
    float s2 = float2(*(device packed_float2*)((device uchar*)raw + off)).y + o;
    *(device float*)((device uchar*)raw + off) = s2;
    uint slot = atomic_fetch_add_explicit(list_counter, 1u, memory_order_relaxed);
    list[slot] = s2;
    float w = simd_sum(s2);
    img.write(float4(w, w, w, 1.0f), uint2(int2(1, 2)));
}
