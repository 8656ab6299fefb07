// color-index: MSL 2.4, 5.2.3.5: colours end at 7.
#include <metal_stdlib>

using namespace metal;

struct Output {
    float4 first [[color(0)]];
    float4 second [[color(8)]]; // wrong
};

fragment Output shade()
{
    Output output = {};
    return output;
}
