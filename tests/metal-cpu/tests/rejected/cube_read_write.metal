// texture-access: MSL 2.4, 2.9: a cube is read or written, not both.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    texturecube<float, access::read_write> image [[texture(0)]] // wrong
)
{
}
