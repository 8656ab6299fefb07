// argument-type: MSL 2.4, 5.2.1: buffer(n) stands on pointers and references.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    Data data [[buffer(1)]] // wrong
)
{
}
