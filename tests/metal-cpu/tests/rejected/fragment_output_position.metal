// builtin-stage: MSL 2.4, 5.2.3.5: position is no output of a fragment function.
#include <metal_stdlib>

using namespace metal;

struct Output {
    float4 first [[color(0)]];
    float4 second [[position]]; // wrong
};

fragment Output shade()
{
    Output output = {};
    return output;
}
