// color-index: MSL 2.4, 5.2.3.5: the index of dual-source blending is 0 or 1.
#include <metal_stdlib>

using namespace metal;

struct Output {
    float4 first [[color(0)]];
    float4 second [[color(0), index(2)]]; // wrong
};

fragment Output shade()
{
    Output output = {};
    return output;
}
