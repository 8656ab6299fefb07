// The legal twin of the source of this name that is rejected: early_fragment_tests stands on fragment functions.
#include <metal_stdlib>

using namespace metal;

[[early_fragment_tests]] fragment float4 shade()
{
    return float4(0.0);
}
