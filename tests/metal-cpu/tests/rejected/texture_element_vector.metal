// texture-element: MSL 2.4, 2.9: a texture's element is a scalar.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    texture2d<float4> image [[texture(0)]] // wrong
)
{
}
