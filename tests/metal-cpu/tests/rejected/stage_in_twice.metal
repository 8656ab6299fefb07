// stage-in: MSL 2.4, 5.2.4: there is one stage_in.
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
    More more [[stage_in]] // wrong
)
{
    return float4(input.uv, 0.0, 1.0);
}
