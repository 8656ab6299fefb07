// argument-type: MSL 2.4, 5.2.1: buffer(n) does not stand on a texture.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    texture2d<float> image [[buffer(1)]] // wrong
)
{
}
