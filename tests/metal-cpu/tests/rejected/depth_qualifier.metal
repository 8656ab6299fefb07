// fragment-return: MSL 2.4, 5.2.3.5: a depth is any, greater or less.
#include <metal_stdlib>

using namespace metal;

struct Output {
    float4 first [[color(0)]];
    float second [[depth(equal)]]; // wrong
};

fragment Output shade()
{
    Output output = {};
    return output;
}
