// The legal twin of the source of this name that is rejected: a fragment function returns a colour.
#include <metal_stdlib>

using namespace metal;

fragment half4 shade()
{
    return {};
}
