// builtin-type: MSL 2.4, 5.2.3.4: sample_mask is uint.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

fragment float4 work(
    constant Data& first [[buffer(0)]],
    ushort mask [[sample_mask]] // wrong
)
{
    return float4(0.0);
}
