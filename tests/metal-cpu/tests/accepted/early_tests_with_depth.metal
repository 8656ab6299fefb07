// The legal twin of the source of this name that is rejected: a function with early_fragment_tests writes no depth.
#include <metal_stdlib>

using namespace metal;

struct Output {
    float4 color [[color(0)]];
    uint mask [[sample_mask]];
};

[[early_fragment_tests]] fragment Output shade()
{
    Output output = {};
    return output;
}
