// The legal twin of the source of this name that is rejected: texture indices of an array end at 127.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    array<texture2d<float>, 8> images [[texture(120)]]
)
{
}
