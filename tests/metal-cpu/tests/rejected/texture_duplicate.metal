// index-duplicate: MSL 2.4, 5.2.1: no two textures share an index.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    array<texture2d<float>, 4> images [[texture(0)]], texture3d<float> more [[texture(3)]] // wrong
)
{
}
