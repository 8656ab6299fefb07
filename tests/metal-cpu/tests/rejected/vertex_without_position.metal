// vertex-return: MSL 2.4, 5.2.3.3: a vertex function writes a position.
#include <metal_stdlib>

using namespace metal;

struct Output {
    float4 color [[user(locn0)]];
};

vertex Output place() // wrong
{
    Output output = {};
    return output;
}
