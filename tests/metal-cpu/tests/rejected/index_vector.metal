// builtin-type: MSL 2.4, 5.2.3.6: an index in the threadgroup is a scalar.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    uint3 at [[thread_index_in_threadgroup]] // wrong
)
{
}
