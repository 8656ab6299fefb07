// Accepted: every output of a fragment function.
#include <metal_stdlib>

using namespace metal;

struct Output {
    float a [[color(0), index(0)]];
    float4 b [[color(0), index(1)]];
    half2 c [[color(1)]];
    int3 d [[color(2)]];
    uint4 e [[color(3), raster_order_group(1)]];
    short f [[color(4)]];
    ushort4 g [[color(7)]];
    float h [[depth(greater)]];
    uint i [[stencil]];
    uint j [[sample_mask]];
};

fragment Output shade()
{
    Output output = {};
    return output;
}

[[early_fragment_tests]] fragment float4 early(device float* data [[buffer(0), raster_order_group(0)]])
{
    data[0] = 1.0;
    return float4(0.0);
}

fragment void nothing()
{
    discard_fragment();
}
