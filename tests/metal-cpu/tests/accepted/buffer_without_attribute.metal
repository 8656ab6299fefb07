// The legal twin of the source of this name that is rejected: an argument says where it comes from.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    device Data* data [[buffer(1)]]
)
{
}
