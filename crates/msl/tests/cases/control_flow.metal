// aquatint MSL 2.4
#include <metal_stdlib>

using namespace metal;

struct main_in {
    int n [[user(locn0)]] [[flat]];
    float4 x [[user(locn1)]];
};

struct main_out {
    float4 target0 [[color(0)]];
};

fragment main_out main0(main_in aq_in [[stage_in]])
{
    main_out aq_out;
    int i = 0;
    float s = 0.0f;
    while (true) {
        if (i >= aq_in.n) {
            break;
        }
        if (aq_in.x.x < 0.0f) {
            i = i + 1;
            continue;
        }
        float s2;
        float c = 0.0f;
        switch (i) {
            case 0: {
                c = s + aq_in.x.x;
            }
            case 1:
            case 2: {
                s2 = c * 2.0f;
                break;
            }
            default: {
                s2 = 0.0f;
                break;
            }
        }
        i = i + 1;
        s = s2;
    }
    float a1 = 0.0f;
    float b1 = 1.0f;
    int k = 0;
    while (true) {
        if (k >= aq_in.n) {
            break;
        }
        k = k + 1;
        float v0 = b1;
        b1 = a1;
        a1 = v0;
    }
    int last;
    int m = 0;
    while (true) {
        bool v1 = false;
        switch (m) {
            case 3: {
                if (aq_in.x.x > 1.0f) {
                    last = 7;
                    v1 = true;
                    break;
                }
                break;
            }
            default: {
                break;
            }
        }
        if (v1) {
            break;
        }
        int m2 = m + 1;
        if (m2 > 9) {
            last = m2;
            break;
        }
        m = m2;
    }
    bool cond = s > b1;
    float keep = b1;
    if (cond) {
        float big2 = sqrt(s);
        keep = big2 + big2;
    }
    float both;
    if (cond) {
        both = sin(b1);
    } else {
        both = cos(b1);
    }
    aq_out.target0 = float4(keep, both, float(last), 1.0f);
    return aq_out;
}
