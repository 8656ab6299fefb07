// The legal twin of the source of this name that is rejected: vertex_id belongs to vertex functions.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    uint at [[thread_position_in_grid]]
)
{
}
