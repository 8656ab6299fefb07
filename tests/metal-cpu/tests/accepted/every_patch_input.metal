// Accepted: every input of a vertex function after tessellation.
#include <metal_stdlib>

using namespace metal;

struct Input {
    float4 color [[attribute(1)]];
};

[[patch(triangle, 3)]] vertex float4 place(
    Input input [[stage_in]],
    float3 at [[position_in_patch]],
    uint number [[patch_id]],
    uint instance [[instance_id]],
    uint first [[base_instance]]
)
{
    return input.color * at.x + float(number + instance + first);
}
