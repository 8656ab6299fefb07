// aquatint MSL 2.4
#include <metal_stdlib>

using namespace metal;

struct within_B {
    float4 k;
};

struct within_Input {
    float2 uv [[user(locn0)]];
};

struct within_Output {
    float4 target0 [[color(0)]];
};

fragment within_Output within (
    constant within_B &b30 [[buffer(30)]],
    texture2d<float> t127_texture [[texture(127)]],
    sampler s15_sampler [[sampler(15)]],
    within_Input input [[stage_in]]
) {
    within_Output output;
    output.target0 = t127_texture.sample(s15_sampler, input.uv) + b30.k;
    return output;
}
// error AQ5105: 'b31' reaches buffer index 31; Metal's last is 30
// error AQ5105: 't128' reaches texture index 128; Metal's last is 127
// error AQ5105: 's16' reaches sampler index 16; Metal's last is 15
