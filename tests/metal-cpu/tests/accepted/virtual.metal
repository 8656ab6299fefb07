// The legal twin of the source of this name that is rejected: there are no virtual functions.
#include <metal_stdlib>

using namespace metal;

struct Shape {
    float size;
    float area() { return 0.0; }
};

kernel void work(device float* data [[buffer(0)]])
{
    Shape shape = { data[0] };
    data[1] = shape.size;
}
