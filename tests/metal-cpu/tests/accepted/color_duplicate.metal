// The legal twin of the source of this name that is rejected: no two outputs have one colour.
#include <metal_stdlib>

using namespace metal;

struct Output {
    float4 first [[color(0)]];
    float4 second [[color(7)]];
};

fragment Output shade()
{
    Output output = {};
    return output;
}
