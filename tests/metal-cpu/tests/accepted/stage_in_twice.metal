// The legal twin of the source of this name that is rejected: there is one stage_in.
#include <metal_stdlib>

using namespace metal;

struct Input {
    float2 uv [[user(locn0)]];
};

struct More {
    float2 more [[user(locn1)]];
};

fragment float4 shade(
    Input input [[stage_in]],
    float4 place [[position]]
)
{
    return float4(input.uv, 0.0, 1.0);
}
