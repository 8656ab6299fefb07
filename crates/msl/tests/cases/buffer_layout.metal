// aquatint MSL 2.4
#include <metal_stdlib>

using namespace metal;

struct S_cb {
    packed_float3 p;
    uchar pad0[4];
    packed_float2 q;
};

struct Params_cb_el_elem {
    packed_float3 v;
    uchar pad0[4];
};
struct Params_cb {
    packed_float2 k;
    uchar pad0[8];
    uchar arr[36];
    float t;
    uchar pad1[8];
    S_cb s;
    float u;
    uchar pad2[4];
    uchar sa[56];
    float w;
    uchar pad3[4];
    packed_float3 m_l0;
    uchar pad4[4];
    packed_float3 m_l1;
    uchar pad5[4];
    packed_float3 m_l2;
    uchar pad6[4];
    packed_float3 m_l3;
    uchar pad7[4];
    packed_float4 r_l0;
    packed_float4 r_l1;
    packed_float4 r_l2;
    Params_cb_el_elem el[2];
    uint flag;
    uchar pad8[12];
};

#ifdef AQUATINT_CHECK_LAYOUT
static_assert(sizeof(S_cb) == 24, "S_cb");
static_assert(__builtin_offsetof(S_cb, p) == 0, "S_cb.p");
static_assert(__builtin_offsetof(S_cb, q) == 16, "S_cb.q");
static_assert(sizeof(Params_cb) == 320, "Params_cb");
static_assert(__builtin_offsetof(Params_cb, k) == 0, "Params_cb.k");
static_assert(__builtin_offsetof(Params_cb, arr) == 16, "Params_cb.arr");
static_assert(__builtin_offsetof(Params_cb, t) == 52, "Params_cb.t");
static_assert(__builtin_offsetof(Params_cb, s) == 64, "Params_cb.s");
static_assert(__builtin_offsetof(Params_cb, u) == 88, "Params_cb.u");
static_assert(__builtin_offsetof(Params_cb, sa) == 96, "Params_cb.sa");
static_assert(__builtin_offsetof(Params_cb, w) == 152, "Params_cb.w");
static_assert(__builtin_offsetof(Params_cb, m_l0) == 160, "Params_cb.m");
static_assert(__builtin_offsetof(Params_cb, r_l0) == 224, "Params_cb.r");
static_assert(__builtin_offsetof(Params_cb, el) == 272, "Params_cb.el");
static_assert(__builtin_offsetof(Params_cb, flag) == 304, "Params_cb.flag");
#endif

struct ps_in {
    int i [[user(locn0)]] [[flat]];
};

struct ps_out {
    float4 target0 [[color(0)]];
};

fragment ps_out ps(
    ps_in aq_in [[stage_in]],
    constant Params_cb& P [[buffer(0)]],
    device packed_float3* out [[buffer(1)]]
)
{
    ps_out aq_out;
    float a = (*(constant float*)&P.arr[uint(aq_in.i) * 16u]);
    float3x4 r = float3x4(float4(P.r_l0), float4(P.r_l1), float4(P.r_l2));
    float3x4 sum = transpose(float4x3(float3(P.m_l0), float3(P.m_l1), float3(P.m_l2), float3(P.m_l3))) + r;
    float3 e = float3(P.el[aq_in.i].v);
    float4 v2_1 = (sum * e + float4(P.m_l0[1], P.m_l1[1], P.m_l2[1], P.m_l3[1])) * float4(P.r_l2);
    float4 q4 = float4(float2((*(constant S_cb*)&P.sa[uint(aq_in.i) * 32u]).q), a + P.m_l2[1], a);
    out[aq_in.i] = e;
    aq_out.target0 = P.flag != 0u ? v2_1 : q4;
    return aq_out;
}
