// The legal twin of the source of this name that is rejected: a colour is a number.
#include <metal_stdlib>

using namespace metal;

struct Output {
    float4 first [[color(0)]];
    uint4 second [[color(1)]];
};

fragment Output shade()
{
    Output output = {};
    return output;
}
