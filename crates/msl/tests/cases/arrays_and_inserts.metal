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
    uint t0 = as_type<uint>(int(input.v0.x));
    bool t1 = t0 < 4u;
    uint t2 = min(t0, 3u);
    float4 before = t1 ? regs[t2] : float4(0.0f);
    if (t1) {
        regs[t2] = float4(0.0f, 1.0f, -1.0f, 2.5f);
    }
    float4 sum = before + (t1 ? regs[t2] : float4(0.0f));
    float4 half0 = float4(-sum.y, sum.yz, 1.0f) * (-0.5f);
    float sub = sum.y - input.v0.x;
    float4 s4 = float4(sum.y / (sum.y > 0.0f ? sum.y : input.v0.x) * sub - sub);
    output.oPos = select(sum, half0, half0 < sum) * s4;
    output.oClip[0] = sum.y;
    output.oClip[1] = 0.0f;
    return output;
}
