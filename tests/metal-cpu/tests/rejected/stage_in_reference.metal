// stage-in: MSL 2.4, 5.2.4: stage_in stands on a struct by value.
#include <metal_stdlib>

using namespace metal;

struct Input {
    float2 uv [[user(locn0)]];
};

fragment float4 shade(constant Input& input [[stage_in]]) // wrong
{
    return float4(input.uv, 0.0, 1.0);
}
