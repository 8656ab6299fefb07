// builtin-duplicate: MSL 2.4, 5.2.3.5: no two outputs have one colour.
#include <metal_stdlib>

using namespace metal;

struct Output {
    float4 first [[color(0)]];
    float4 second [[color(0)]]; // wrong
};

fragment Output shade()
{
    Output output = {};
    return output;
}
