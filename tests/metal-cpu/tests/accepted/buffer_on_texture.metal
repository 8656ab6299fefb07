// The legal twin of the source of this name that is rejected: buffer(n) does not stand on a texture.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    texture2d<float> image [[texture(1)]]
)
{
}
