// buffer-index: MSL 2.4, 5.2.1: buffer indices of an array end at 30.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    array<device float*, 4> data [[buffer(28)]] // wrong
)
{
}
