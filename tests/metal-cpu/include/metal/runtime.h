// What the headers ask of the runner: plain C functions, defined in `runtime/runtime.cpp`, which passes them on to the runner.
// With type-checking only they are never linked.
//
// Threads of a quad, SIMD group or threadgroup are fibers. A collective operation suspends the thread until all others of its
// group wait or are done; those that wait at the same place (the same chain of calls) are its active set. Whoever is first
// in the source goes first, so that threads which took different ways meet again behind them.
//
// The functions are `convergent` (OpenCL's default), so that clang neither merges, copies nor moves calls of them.
#pragma once

extern "C" {

#define AQ_QUAD 0u
#define AQ_SIMD 1u
#define AQ_THREADGROUP 2u

#define AQ_VERTEX 0u
#define AQ_FRAGMENT 1u
#define AQ_KERNEL 2u

/// The one collective primitive: every thread of the group (`scope`: AQ_QUAD or AQ_SIMD) gives `size` bytes, at most 16, and sees
/// those of all. The value of lane i begins at byte 16·i of the result, which stays until this thread's next collective
/// operation; lanes that do not take part read as zeros. `*active` gets a bit for each lane that takes part: helper threads do
/// in quads, and do not in SIMD groups (where they still get an answer, without being part of it).
const unsigned char* aq_exchange(unsigned int scope, const void* mine, unsigned int size, unsigned long* active)
    __attribute__((convergent));

/// The number of this thread in its quad or SIMD group.
unsigned int aq_lane(unsigned int scope);
/// How many lanes a group of that scope has (4; 4 to 64).
unsigned int aq_lanes(unsigned int scope);
/// A barrier of scope AQ_SIMD or AQ_THREADGROUP. `flags` are the bits of `mem_flags`.
void aq_barrier(unsigned int scope, unsigned int flags) __attribute__((convergent));

/// The thread goes on as a helper: what it writes to device memory, textures and targets is dropped from now on.
void aq_discard(void);
/// Whether this thread is a helper.
bool aq_is_helper(void);
/// AQ_VERTEX, AQ_FRAGMENT or AQ_KERNEL.
unsigned int aq_stage(void);
/// Samples of a pixel of the target, and where one of them lies, 0 to 1 from the upper left corner.
unsigned int aq_sample_count(void);
void aq_sample_position(unsigned int sample, float* xy);

// Derivatives: aq_exchange(AQ_QUAD, …), then lane 1 − lane 0 for x, and lane 2 − lane 0 for y, the same in all four threads (what the
// interpreter does). Outside of fragment functions, or where a lane of the quad is missing, they are 0.

/// How the level of detail of a sample is found.
#define AQ_LOD_IMPLICIT 0u
#define AQ_LOD_LEVEL 1u
#define AQ_LOD_GRADIENT 2u

/// A sample. Written by the texture classes alone.
struct aq_sample {
    float at[3];
    unsigned int layer;
    int offset[3];
    unsigned int lod;
    float level_or_bias;
    float ddx[3];
    float ddy[3];
    float min_lod;
    float reference;
    unsigned int component;
};

/// What a sampler given in the source says; numbers as in `metal/texture_sampler`.
struct aq_sampler_state {
    unsigned int min, mag, mip;
    unsigned int address[3];
    unsigned int border, compare, unnormalised, anisotropy;
    float min_lod, max_lod;
#ifdef __OPENCL_CPP_VERSION__
    // Samplers are read from `constant` too.
    aq_sampler_state() = default;
    constexpr aq_sampler_state(const aq_sampler_state&) = default;
    constexpr aq_sampler_state(aq_sampler_state&&) = default;
    constexpr aq_sampler_state(const __constant aq_sampler_state&) = default;
    aq_sampler_state& operator=(const aq_sampler_state&) = default;
    aq_sampler_state& operator=(aq_sampler_state&&) = default;
    aq_sampler_state& operator=(const __constant aq_sampler_state&) = default;
#endif
};

// Textures and samplers are handles: numbers that the runner gives out, 0 where nothing is bound. `constexpr` samplers have no
// handle, but state. Results are four words: floats, or integers.
void aq_texture_sample(unsigned long texture, unsigned long sampler, const aq_sampler_state* state, const aq_sample* how,
                       unsigned int* words) __attribute__((convergent));
void aq_texture_sample_compare(unsigned long texture, unsigned long sampler, const aq_sampler_state* state, const aq_sample* how,
                               unsigned int* words) __attribute__((convergent));
void aq_texture_gather(unsigned long texture, unsigned long sampler, const aq_sampler_state* state, const aq_sample* how,
                       unsigned int* words);
void aq_texture_gather_compare(unsigned long texture, unsigned long sampler, const aq_sampler_state* state,
                               const aq_sample* how, unsigned int* words);
/// λ clamped and as it is: two floats.
void aq_texture_lod(unsigned long texture, unsigned long sampler, const aq_sampler_state* state, const aq_sample* how,
                    float* clamped_unclamped) __attribute__((convergent));
void aq_texture_read(unsigned long texture, const unsigned int* at, unsigned int layer, unsigned int level, unsigned int sample,
                     unsigned int* words);
void aq_texture_write(unsigned long texture, const unsigned int* at, unsigned int layer, unsigned int level, const unsigned int* words);
/// 0 width, 1 height, 2 depth (of a level), 3 array size, 4 levels, 5 samples.
unsigned int aq_texture_query(unsigned long texture, unsigned int what, unsigned int level);

}
