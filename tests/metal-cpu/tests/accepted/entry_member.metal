// The legal twin of the source of this name that is rejected: a stage function is no member.
#include <metal_stdlib>

using namespace metal;

struct Holder {
    static void work(device float* data)
    {
        data[0] = 1.0;
    }
};
