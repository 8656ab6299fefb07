// The legal twin of the source of this name that is rejected: a texture's element is a scalar.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    texture2d<half> image [[texture(0)]]
)
{
}
