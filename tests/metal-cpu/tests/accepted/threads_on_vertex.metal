// The legal twin of the source of this name that is rejected: max_total_threads_per_threadgroup stands on kernel functions.
#include <metal_stdlib>

using namespace metal;

[[max_total_threads_per_threadgroup(64)]] kernel void work()
{
}
