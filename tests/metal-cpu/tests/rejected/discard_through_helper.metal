// fragment-only: MSL 2.4, 6.10.1.3: discard_fragment is called from fragment functions.
#include <metal_stdlib>

using namespace metal;

static void drop(bool condition)
{
    if (condition) {
        discard_fragment(); // wrong
    }
}

vertex float4 place(uint id [[vertex_id]])
{
    drop(id == 3u);
    return float4(0.0);
}
