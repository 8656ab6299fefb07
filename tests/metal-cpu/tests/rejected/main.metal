// main-name: MSL 2.4, 1.4.4: no function is called main.
#include <metal_stdlib>

using namespace metal;

kernel void main(device float* data [[buffer(0)]]) // wrong
{
    data[0] = 1.0;
}
