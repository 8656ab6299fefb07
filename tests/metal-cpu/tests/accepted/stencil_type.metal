// The legal twin of the source of this name that is rejected: a stencil reference is uint.
#include <metal_stdlib>

using namespace metal;

struct Output {
    float4 first [[color(0)]];
    uint second [[stencil]];
};

fragment Output shade()
{
    Output output = {};
    return output;
}
