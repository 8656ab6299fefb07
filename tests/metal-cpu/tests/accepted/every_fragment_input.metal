// Accepted: every input of a fragment function.
#include <metal_stdlib>

using namespace metal;

struct Input {
    float4 place [[position]];
    uint layer [[render_target_array_index]];
    uint viewport_number [[viewport_array_index]];
    float a [[user(locn0), center_perspective]];
    half2 b [[user(locn1), center_no_perspective]];
    float3 c [[user(locn2), centroid_perspective]];
    float4 d [[user(locn3), centroid_no_perspective]];
    half3 e [[user(locn4), sample_perspective]];
    half4 f [[user(locn5), sample_no_perspective]];
    int g [[user(locn6), flat]];
    ushort2 h [[user(locn7)]];
    float i;
};

fragment float4 shade(
    Input input [[stage_in]],
    bool front [[front_facing]],
    float2 coordinate [[point_coord]],
    uint primitive [[primitive_id]],
    uint number [[sample_id]],
    uint mask [[sample_mask, post_depth_coverage]],
    float3 weights [[barycentric_coord, center_no_perspective]],
    ushort view [[amplification_id]],
    ushort views [[amplification_count]],
    uint lane [[thread_index_in_simdgroup]],
    uint lanes [[threads_per_simdgroup]],
    ushort corner [[thread_index_in_quadgroup]],
    half4 there [[color(0)]],
    float4 more [[color(1), raster_order_group(0)]]
)
{
    float4 sum = input.place + input.a + float4(there) + more + float4(weights, coordinate.x);
    sum += float(primitive + number + mask + view + views + lane + lanes + corner);
    return front ? sum : dfdx(sum);
}

fragment float4 pixel(float4 place [[position]], uint layer [[render_target_array_index]], uint port [[viewport_array_index]])
{
    return place + float(layer + port);
}
