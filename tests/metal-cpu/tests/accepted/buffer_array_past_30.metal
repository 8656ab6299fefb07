// The legal twin of the source of this name that is rejected: buffer indices of an array end at 30.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    array<device float*, 4> data [[buffer(27)]]
)
{
}
