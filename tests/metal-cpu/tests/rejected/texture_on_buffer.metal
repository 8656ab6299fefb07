// argument-type: MSL 2.4, 5.2.1: texture(n) does not stand on a buffer.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    device float* data [[texture(1)]] // wrong
)
{
}
