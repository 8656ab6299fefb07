// The legal twin of the source of this name that is rejected: a texture buffer is not sampled.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    texture_buffer<float, access::read> image [[texture(0)]]
)
{
}
