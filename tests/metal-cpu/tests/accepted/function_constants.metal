// Accepted: function constants of every type, and arguments that depend on them.
#include <metal_stdlib>

using namespace metal;

constant bool a [[function_constant(0)]];
constant int b [[function_constant(1)]];
constant float c [[function_constant(2)]];
constant uint3 d [[function_constant(3)]];
constant half2 e [[function_constant(65535)]];
constant int value = is_function_constant_defined(b) ? b : 3;
constant bool other = !a;

kernel void work(
    device float* data [[buffer(0), function_constant(a)]],
    device float* more [[buffer(0), function_constant(other)]],
    uint at [[thread_position_in_grid]]
)
{
    float sum = c + float(value) + float(d.x) + float(e.x);
    if (a) {
        data[at] = sum;
    } else {
        more[at] = sum;
    }
}
