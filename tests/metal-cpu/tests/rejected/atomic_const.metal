// compile: MSL 2.4, 6.15: an atomic function changes no const object.
#include <metal_stdlib>

using namespace metal;

kernel void work(const device atomic_uint* fixed [[buffer(0)]], device atomic_uint* count [[buffer(1)]])
{
    atomic_fetch_add_explicit(fixed, 1u, memory_order_relaxed); // wrong
}
