// The legal twin of the source of this name that is rejected: an atomic function changes no const object.
#include <metal_stdlib>

using namespace metal;

kernel void work(const device atomic_uint* fixed [[buffer(0)]], device atomic_uint* count [[buffer(1)]])
{
    atomic_fetch_add_explicit(count, 1u, memory_order_relaxed);
}
