// The legal twin of the source of this name that is rejected: a depth texture is not written.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    depth2d<float, access::read> image [[texture(0)]]
)
{
}
