// builtin-type: MSL 2.4, 5.2.3.5: a depth is float.
#include <metal_stdlib>

using namespace metal;

struct Output {
    float4 first [[color(0)]];
    half second [[depth(any)]]; // wrong
};

fragment Output shade()
{
    Output output = {};
    return output;
}
