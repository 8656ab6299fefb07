// The legal twin of the source of this name that is rejected: no texture has elements of type bool.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    texture2d<int> image [[texture(0)]]
)
{
}
