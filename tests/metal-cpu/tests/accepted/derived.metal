// The legal twin of the source of this name that is rejected: no class derives from another.
#include <metal_stdlib>

using namespace metal;

struct Base {
    float size;
};

struct Derived {
    float other;
};

kernel void work(device float* data [[buffer(0)]])
{
    Derived value = {};
    data[0] = value.other;
}
