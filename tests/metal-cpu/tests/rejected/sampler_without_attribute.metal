// argument-attribute: MSL 2.4, 5.2: an argument says where it comes from.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

fragment float4 work(
    constant Data& first [[buffer(0)]],
    sampler smooth // wrong
)
{
    return float4(0.0);
}
