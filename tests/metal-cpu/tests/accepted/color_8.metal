// The legal twin of the source of this name that is rejected: colours end at 7.
#include <metal_stdlib>

using namespace metal;

struct Output {
    float4 first [[color(0)]];
    half2 second [[color(7)]];
};

fragment Output shade()
{
    Output output = {};
    return output;
}
