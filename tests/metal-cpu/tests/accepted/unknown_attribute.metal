// The legal twin of the source of this name that is rejected: an attribute is one of the language.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    uint at [[thread_index_in_threadgroup]]
)
{
}
