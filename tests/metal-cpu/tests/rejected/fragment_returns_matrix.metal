// fragment-return: MSL 2.4, 5.2.3.5: a fragment function returns a colour.
#include <metal_stdlib>

using namespace metal;

fragment float4x4 shade() // wrong
{
    return {};
}
