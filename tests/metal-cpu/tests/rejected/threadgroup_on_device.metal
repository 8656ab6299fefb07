// argument-type: MSL 2.4, 5.2.1: threadgroup(n) does not stand on a device pointer.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    device float* tile [[threadgroup(0)]] // wrong
)
{
}
