// entry-member: MSL 2.4, 5.1: a stage function is no member.
#include <metal_stdlib>

using namespace metal;

struct Holder {
    static kernel void work(device float* data [[buffer(0)]]) // wrong
    {
        data[0] = 1.0;
    }
};
