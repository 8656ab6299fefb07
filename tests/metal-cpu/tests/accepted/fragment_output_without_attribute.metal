// The legal twin of the source of this name that is rejected: an output of a fragment function has an attribute.
#include <metal_stdlib>

using namespace metal;

struct Output {
    float4 first [[color(0)]];
    float4 second [[color(1)]];
};

fragment Output shade()
{
    Output output = {};
    return output;
}
