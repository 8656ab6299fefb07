// The legal twin of the source of this name that is rejected: a cube is read or written, not both.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    texturecube<float, access::write> image [[texture(0)]]
)
{
}
