// function-attribute: MSL 2.4, 5.1.3: max_total_threads_per_threadgroup stands on kernel functions.
#include <metal_stdlib>

using namespace metal;

[[max_total_threads_per_threadgroup(64)]] vertex void work() // wrong
{
}
