// builtin-type: MSL 2.4, 5.2.3.6: a position in the grid has at most three components.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    uint4 at [[thread_position_in_grid]] // wrong
)
{
}
