// Accepted: every output of a vertex function.
#include <metal_stdlib>

using namespace metal;

struct Output {
    float4 place [[position, invariant]];
    float size [[point_size]];
    float clip [[clip_distance]] [8];
    uint layer [[render_target_array_index]];
    ushort viewport_number [[viewport_array_index]];
    float a [[user(locn0)]];
    half2 b [[user(locn1), center_no_perspective]];
    int3 c [[user(locn2), flat]];
    uint4 d [[user(locn3)]] [[flat]];
    short e [[user(named)]];
    float4 f;
};

vertex Output place(uint id [[vertex_id]])
{
    Output output = {};
    output.place = float4(float(id));
    output.clip[7] = 1.0;
    return output;
}

vertex float4 only_place()
{
    return float4(0.0);
}

vertex void nothing(device uint* count [[buffer(0)]], uint id [[vertex_id]])
{
    count[id] = id;
}
