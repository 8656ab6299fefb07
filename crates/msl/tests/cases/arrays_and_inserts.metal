// aquatint MSL 2.4
#include <metal_stdlib>

using namespace metal;

struct vs_Input {
    float4 v0 [[attribute(0)]];
};

struct vs_Output {
    float4 oPos [[position]];
    float oClip [[clip_distance]] [2];
};

vertex vs_Output vs (
    vs_Input input [[stage_in]]
) {
    vs_Output output = {};
    float4 regs[4] = {};
    regs[0] = input.v0;
    int i = int(input.v0.x);
    float4 before = regs[i];
    regs[i] = float4(0.0f, 1.0f, -1.0f, 2.5f);
    float4 sum = before + regs[i];
    float4 half0 = float4(-sum.y, sum.yz, 1.0f) * (-0.5f);
    float sub = sum.y - input.v0.x;
    float4 s4 = float4(sum.y / (sum.y > 0.0f ? sum.y : input.v0.x) * sub - sub);
    output.oPos = select(sum, half0, half0 < sum) * s4;
    output.oClip[0] = sum.y;
    output.oClip[1] = 0.0f;
    return output;
}
