// builtin-stage: MSL 2.4, 5.2.3.4: front_facing belongs to fragment functions.
#include <metal_stdlib>

using namespace metal;

struct Data {
    float4 value;
};

vertex float4 work(
    constant Data& first [[buffer(0)]],
    bool front [[front_facing]] // wrong
)
{
    return float4(0.0);
}
