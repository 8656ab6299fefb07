// fragment-return: MSL 2.4, 5.2.3.5: an output of a fragment function has an attribute.
#include <metal_stdlib>

using namespace metal;

struct Output {
    float4 first [[color(0)]];
    float4 second; // wrong
};

fragment Output shade()
{
    Output output = {};
    return output;
}
