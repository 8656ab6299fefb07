// aquatint MSL 2.4
#include <metal_stdlib>

using namespace metal;

struct ps_Output {
    float4 oC0 [[color(0)]];
    float oDepth [[depth(any)]];
};

fragment ps_Output ps (
    bool vFace [[front_facing]],
    float4 vPos [[position]]
) {
    ps_Output output = {};
    if (vPos.z < 0.25f) {
        discard_fragment();
    }
    output.oDepth = vPos.z;
    if (vFace) {
        return output;
    }
    output.oC0 = dfdx(vPos) + dfdy(vPos);
    return output;
}
