// aquatint MSL 2.4
#include <metal_stdlib>

using namespace metal;

struct Frame_cb {
    packed_float4 viewProj_l0;
    packed_float4 viewProj_l1;
    packed_float4 viewProj_l2;
    packed_float4 viewProj_l3;
    packed_float3 tint;
    float time;
};

#ifdef AQUATINT_CHECK_LAYOUT
static_assert(sizeof(Frame_cb) == 80, "Frame_cb");
static_assert(__builtin_offsetof(Frame_cb, viewProj_l0) == 0, "Frame_cb.viewProj");
static_assert(__builtin_offsetof(Frame_cb, tint) == 64, "Frame_cb.tint");
static_assert(__builtin_offsetof(Frame_cb, time) == 76, "Frame_cb.time");
#endif

struct main_in {
    float2 uv [[user(locn0)]];
};

struct main_out {
    float4 target0 [[color(0)]];
};

fragment main_out main0(
    main_in aq_in [[stage_in]],
    constant Frame_cb& Frame [[buffer(0)]],
    texture2d<float> albedo [[texture(0)]],
    sampler samp [[sampler(0)]]
)
{
    main_out aq_out;
    float4 v0 = albedo.sample(samp, aq_in.uv);
    if (v0.w - 0.5f < 0.0f) {
        discard_fragment();
        return aq_out;
    }
    aq_out.target0 = v0 * float4(float3(Frame.tint), 1.0f);
    return aq_out;
}
