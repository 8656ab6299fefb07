// kernel-dimensions: MSL 2.4, 5.2.3.6: positions of a kernel have one number of components.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    uint3 at [[thread_position_in_grid]], uint2 size [[threads_per_grid]] // wrong
)
{
}
