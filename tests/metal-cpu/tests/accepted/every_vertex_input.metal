// Accepted: every input of a vertex function.
#include <metal_stdlib>

using namespace metal;

struct Input {
    float a [[attribute(0)]];
    half2 b [[attribute(1)]];
    int3 c [[attribute(2)]];
    uint4 d [[attribute(3)]];
    short e [[attribute(4)]];
    ushort2 f [[attribute(5)]];
    char3 g [[attribute(6)]];
    uchar4 h [[attribute(30)]];
};

vertex float4 place(
    Input input [[stage_in]],
    constant float4& one [[buffer(0)]],
    device float4* two [[buffer(1)]],
    const device float4* three [[buffer(2)]],
    constant float4 (&four)[2] [[buffer(3)]],
    array<constant float4*, 2> five [[buffer(4)]],
    texture2d<float> image [[texture(0)]],
    array<texture2d<half>, 3> images [[texture(1)]],
    sampler smooth [[sampler(0)]],
    uint vertex_number [[vertex_id]],
    ushort instance [[instance_id]],
    uint base [[base_vertex]],
    uint first [[base_instance]],
    ushort view [[amplification_id]],
    uint views [[amplification_count]]
)
{
    float4 sum = one + two[vertex_number] + three[instance] + four[1] + *five[1] + float4(float(base + first + view + views));
    return sum + input.a + image.sample(smooth, sum.xy, level(0.0)) + float4(images[2].read(uint2(0u)));
}
