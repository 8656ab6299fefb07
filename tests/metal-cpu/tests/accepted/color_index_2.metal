// The legal twin of the source of this name that is rejected: the index of dual-source blending is 0 or 1.
#include <metal_stdlib>

using namespace metal;

struct Output {
    float4 first [[color(0)]];
    float4 second [[color(0), index(1)]];
};

fragment Output shade()
{
    Output output = {};
    return output;
}
