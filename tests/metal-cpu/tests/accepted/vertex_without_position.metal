// The legal twin of the source of this name that is rejected: a vertex function writes a position.
#include <metal_stdlib>

using namespace metal;

struct Output {
    float4 place [[position]];
    float4 color [[user(locn0)]];
};

vertex Output place()
{
    Output output = {};
    return output;
}
