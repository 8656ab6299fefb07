// virtual: MSL 2.4, 1.4.4: there are no virtual functions.
#include <metal_stdlib>

using namespace metal;

struct Shape {
    float size;
    virtual float area() { return 0.0; } // wrong
};

kernel void work(device float* data [[buffer(0)]])
{
    Shape shape = { data[0] };
    data[1] = shape.size;
}
