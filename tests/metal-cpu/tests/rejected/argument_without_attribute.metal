// argument-attribute: MSL 2.4, 5.2: an argument says where it comes from.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

kernel void work(
    constant Data& first [[buffer(0)]],
    uint at // wrong
)
{
}
