// texture-index: MSL 2.4, 5.2.1: texture indices end at 127.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    texture2d<float> image [[texture(128)]] // wrong
)
{
}
