// The legal twin of the source of this name that is rejected: texture(n) does not stand on a buffer.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    device float* data [[buffer(1)]]
)
{
}
