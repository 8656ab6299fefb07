// The legal twin of the source of this name that is rejected: a vertex function returns a position of four components.
#include <metal_stdlib>

using namespace metal;

vertex float4 place()
{
    return {};
}
