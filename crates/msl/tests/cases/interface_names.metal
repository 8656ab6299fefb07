// aquatint MSL 2.4
#include <metal_stdlib>

using namespace metal;

struct ps_Input {
    float4 v0 [[user(normal)]] [[centroid_perspective]];
    float4 v1 [[user(tangent2)]] [[center_no_perspective]];
    float v2 [[user(fog)]];
    float2 float40 [[user(color1)]] [[flat]];
};

struct ps_Output {
    float4 oC0 [[color(0)]];
    float2 oC1 [[color(1)]];
    float oDepth [[depth(greater)]];
};

fragment ps_Output ps (
    ps_Input input [[stage_in]]
) {
    float main0 = 0.0f;
    ps_Output output;
    float4 sample0 = input.v0 + input.v1;
    main0 = input.v2;
    float4 sample2 = sample0 * sample0 + sample0;
    float m = main0;
    output.oC0 = sample2 * m + sample2;
    output.oC1 = input.float40;
    output.oDepth = m;
    return output;
}
