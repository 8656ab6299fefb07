// derived-class: MSL 2.4, 1.4.4: no class derives from another.
#include <metal_stdlib>

using namespace metal;

struct Base {
    float size;
};

struct Derived : Base { // wrong
    float other;
};

kernel void work(device float* data [[buffer(0)]])
{
    Derived value = {};
    data[0] = value.other;
}
