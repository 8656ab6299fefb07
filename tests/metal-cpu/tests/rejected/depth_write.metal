// texture-access: MSL 2.4, 2.9: a depth texture is not written.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    depth2d<float, access::write> image [[texture(0)]] // wrong
)
{
}
