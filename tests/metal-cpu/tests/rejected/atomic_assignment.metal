// compile: MSL 2.4, 2.6: an atomic object is not assigned.
#include <metal_stdlib>

using namespace metal;

kernel void work(device atomic_int* count [[buffer(0)]])
{
    *count = 1; // wrong
}
