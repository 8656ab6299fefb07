// early-tests: MSL 2.4, 5.1.2: a function with early_fragment_tests writes no depth.
#include <metal_stdlib>

using namespace metal;

struct Output {
    float4 color [[color(0)]];
    float depth [[depth(any)]]; // wrong
};

[[early_fragment_tests]] fragment Output shade()
{
    Output output = {};
    return output;
}
