// Accepted: every texture with every access that it has.
#include <metal_stdlib>

using namespace metal;

kernel void work(
    texture1d<float> a [[texture(0)]],
    texture1d_array<half, access::read> b [[texture(1)]],
    texture2d<int, access::read_write> c [[texture(2)]],
    texture2d_array<uint, access::write> d [[texture(3)]],
    texture3d<short, access::read_write> e [[texture(4)]],
    texturecube<ushort, access::write> f [[texture(5)]],
    texturecube_array<float> g [[texture(6)]],
    texture2d_ms<float> h [[texture(7)]],
    texture2d_ms_array<float, access::read> i [[texture(8)]],
    texture_buffer<uint, access::read_write> j [[texture(9)]],
    depth2d<float> k [[texture(10)]],
    depth2d_array<float, access::read> l [[texture(11)]],
    depthcube<float, access::sample> m [[texture(12)]],
    depthcube_array<float> n [[texture(13)]],
    depth2d_ms<float> o [[texture(14)]],
    depth2d_ms_array<float> p [[texture(15)]],
    array<texture2d<float, access::write>, 112> q [[texture(16)]],
    sampler smooth [[sampler(15)]],
    uint at [[thread_index_in_threadgroup]]
)
{
    constexpr sampler compare(coord::normalized, filter::linear, address::clamp_to_edge, compare_func::less);
    float4 sum = a.sample(smooth, 0.5) + float4(b.read(at, 0)) + float4(c.read(uint2(at))) + float4(e.read(uint3(at)));
    sum += g.sample(smooth, sum.xyz, 1, level(0.0)) + h.read(uint2(at), 0) + i.read(uint2(at), 1, 0) + float4(j.read(at));
    sum += k.sample_compare(compare, sum.xy, 0.5, level(0)) + l.read(uint2(at), 0) + m.sample(smooth, sum.xyz, level(0.0));
    sum += n.sample_compare(compare, sum.xyz, 0, 0.5, level(0)) + o.read(uint2(at), 0) + p.read(uint2(at), 0, 0);
    d.write(uint4(sum), uint2(at), 0);
    f.write(ushort4(sum), uint2(at), 3);
    q[at].write(sum, uint2(at));
}
