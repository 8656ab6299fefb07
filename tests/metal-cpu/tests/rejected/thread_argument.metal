// argument-space: MSL 2.4, 5.2.1: no argument of a stage function points into thread memory.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    thread float* data [[buffer(1)]] // wrong
)
{
}
