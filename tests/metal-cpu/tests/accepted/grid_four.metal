// The legal twin of the source of this name that is rejected: a position in the grid has at most three components.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    ushort2 at [[thread_position_in_grid]]
)
{
}
