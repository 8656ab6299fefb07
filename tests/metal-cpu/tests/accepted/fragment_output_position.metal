// The legal twin of the source of this name that is rejected: position is no output of a fragment function.
#include <metal_stdlib>

using namespace metal;

struct Output {
    float4 first [[color(0)]];
    float second [[color(1)]];
};

fragment Output shade()
{
    Output output = {};
    return output;
}
