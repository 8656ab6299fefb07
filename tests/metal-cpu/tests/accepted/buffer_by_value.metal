// The legal twin of the source of this name that is rejected: buffer(n) stands on pointers and references.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    constant Data& data [[buffer(1)]]
)
{
}
