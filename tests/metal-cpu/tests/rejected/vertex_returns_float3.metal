// vertex-return: MSL 2.4, 5.2.3.3: a vertex function returns a position of four components.
#include <metal_stdlib>

using namespace metal;

vertex float3 place() // wrong
{
    return {};
}
