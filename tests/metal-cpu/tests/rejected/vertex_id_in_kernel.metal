// builtin-stage: MSL 2.4, 5.2.3.1: vertex_id belongs to vertex functions.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    uint at [[vertex_id]] // wrong
)
{
}
