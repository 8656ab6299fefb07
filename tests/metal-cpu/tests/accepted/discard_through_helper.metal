// The legal twin of the source of this name that is rejected: discard_fragment is called from fragment functions.
#include <metal_stdlib>

using namespace metal;

static void drop(bool condition)
{
    if (condition) {
        return;
    }
}

vertex float4 place(uint id [[vertex_id]])
{
    drop(id == 3u);
    return float4(0.0);
}
