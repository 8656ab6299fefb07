// The legal twin of the source of this name that is rejected: a depth is any, greater or less.
#include <metal_stdlib>

using namespace metal;

struct Output {
    float4 first [[color(0)]];
    float second [[depth(less)]];
};

fragment Output shade()
{
    Output output = {};
    return output;
}
