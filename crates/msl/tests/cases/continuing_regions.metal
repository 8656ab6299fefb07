// aquatint MSL 2.4
#include <metal_stdlib>

using namespace metal;

struct ps_in {
    int n [[user(locn0)]] [[flat]];
};

struct ps_out {
    float4 target0 [[color(0)]];
};

fragment ps_out ps(ps_in aq_in [[stage_in]])
{
    ps_out aq_out;
    int r;
    int i = 0;
    int k = 0;
    bool v0 = false;
    while (true) {
        if (v0) {
            int k1 = k + 1;
            if (k1 >= aq_in.n) {
                r = k1;
                break;
            }
            i = k1;
        }
        v0 = true;
        if ((i & 1) == 1) {
            k = i;
            continue;
        }
        k = i * 3;
    }
    int q;
    int j = 5;
    while (true) {
        int j2 = j + r;
        if (j2 > 100) {
            q = j2;
            break;
        }
        j = j2;
    }
    int z;
    int u = 0;
    while (true) {
        int v = u + 1;
        bool v1 = false;
        switch (u) {
            case 1: {
                switch (v) {
                    case 2: {
                        z = v;
                        v1 = true;
                        break;
                    }
                    default: {
                        u = v;
                        continue;
                    }
                }
                if (v1) {
                    break;
                }
                break;
            }
            case -3:
            case 4: {
                break;
            }
            default: {
                break;
            }
        }
        if (v1) {
            break;
        }
        u = v;
    }
    aq_out.target0 = float4(float(q), float(r), float(z), 1.0f);
    return aq_out;
}
