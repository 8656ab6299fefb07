// threadgroup-scope: MSL 2.4, 4.4: threadgroup variables are declared in kernel functions.
#include <metal_stdlib>

using namespace metal;

struct Input {
    float4 position [[position]];
    float2 uv [[user(locn0)]];
    float3 direction [[user(locn1)]];
};

fragment float4 shade(Input input [[stage_in]])
{
    float4 value = float4(input.uv, 0.0, 1.0);
    threadgroup float tile[64]; // wrong
    return value;
}
