// The legal twin of the source of this name that is rejected: positions of a kernel have one number of components.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    uint3 at [[thread_position_in_grid]], uint3 size [[threads_per_grid]]
)
{
}
