// builtin-duplicate: MSL 2.4, 5.2.3.1: a built-in variable is declared once.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

vertex float4 work(
    constant Data& first [[buffer(0)]],
    uint one [[vertex_id]], uint two [[vertex_id]] // wrong
)
{
    return float4(0.0);
}
