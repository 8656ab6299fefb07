// The legal twin of the source of this name that is rejected: an atomic object is not assigned.
#include <metal_stdlib>

using namespace metal;

kernel void work(device atomic_int* count [[buffer(0)]])
{
    atomic_store_explicit(count, 1, memory_order_relaxed);
}
