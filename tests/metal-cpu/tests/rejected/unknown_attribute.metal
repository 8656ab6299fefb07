// unknown-attribute: MSL 2.4, 5.2.3: an attribute is one of the language.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    uint at [[thread_number_in_grid]] // wrong
)
{
}
