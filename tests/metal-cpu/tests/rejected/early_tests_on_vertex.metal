// early-tests: MSL 2.4, 5.1.2: early_fragment_tests stands on fragment functions.
#include <metal_stdlib>

using namespace metal;

[[early_fragment_tests]] vertex float4 shade() // wrong
{
    return float4(0.0);
}
