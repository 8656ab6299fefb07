// builtin-type: MSL 2.4, 5.2.3.5: a colour is a number.
#include <metal_stdlib>

using namespace metal;

struct Output {
    float4 first [[color(0)]];
    bool4 second [[color(1)]]; // wrong
};

fragment Output shade()
{
    Output output = {};
    return output;
}
