// Accepted: overloads, templates and references in every address space.
#include <metal_stdlib>

using namespace metal;

template<typename T, uint N>
struct Values {
    T e[N];
};

struct Pair {
    float first;
    packed_float3 second;
};

static float sum(constant float* values) { return values[0] + values[1]; }
static float sum(const device float* values) { return values[0] + values[1]; }
static float sum(thread const Values<float, 2>& values) { return values.e[0] + values.e[1]; }
static float sum(threadgroup Values<float, 2>& values) { return values.e[0] + values.e[1]; }

template<typename T>
static inline T twice(T value) { return value + value; }

constant float table[2] = { 1.0, 2.0 };

kernel void work(device float* data [[buffer(0)]], uint at [[thread_index_in_threadgroup]])
{
    threadgroup Values<float, 2> tile;
    Values<float, 2> local = { { data[0], data[1] } };
    tile = local;
    threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device);
    data[at] = twice(sum(local) + sum(tile) + sum(data) + sum(table));
}
