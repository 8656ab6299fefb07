// texture-access: MSL 2.4, 2.9: a texture buffer is not sampled.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    texture_buffer<float, access::sample> image [[texture(0)]] // wrong
)
{
}
