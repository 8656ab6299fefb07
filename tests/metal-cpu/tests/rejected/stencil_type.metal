// builtin-type: MSL 2.4, 5.2.3.5: a stencil reference is uint.
#include <metal_stdlib>

using namespace metal;

struct Output {
    float4 first [[color(0)]];
    int second [[stencil]]; // wrong
};

fragment Output shade()
{
    Output output = {};
    return output;
}
