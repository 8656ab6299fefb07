// texture-element: MSL 2.4, 2.9: no texture has elements of type bool.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    texture2d<bool> image [[texture(0)]] // wrong
)
{
}
