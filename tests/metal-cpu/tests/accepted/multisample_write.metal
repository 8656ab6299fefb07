// The legal twin of the source of this name that is rejected: a multisample texture is not written in MSL 2.4.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    texture2d_ms<float> image [[texture(0)]]
)
{
}
