// The functions of `metal/runtime.h` in a shader's shared object: each goes on to the runner through a table that the runner
// sets before anything runs. Functions that may suspend the thread hand over their frame, from which the runner reads the
// chain of calls.
#include "../include/metal/runtime.h"

typedef unsigned int uint;
typedef unsigned long ulong;

// The order is that of `Table` in `src/run/interface.rs`.
struct aq_table {
    const unsigned char* (*exchange)(uint, const void*, uint, ulong*, const void*);
    uint (*lane)(uint);
    uint (*lanes)(uint);
    void (*barrier)(uint, uint, const void*);
    void (*discard)();
    uint (*is_helper)();
    uint (*stage)();
    void (*sample)(ulong, ulong, const aq_sampler_state*, const aq_sample*, uint*, uint, const void*);
    void (*lod)(ulong, ulong, const aq_sampler_state*, const aq_sample*, float*, const void*);
    void (*read)(ulong, const uint*, uint, uint, uint, uint*);
    void (*write)(ulong, const uint*, uint, uint, const uint*);
    uint (*query)(ulong, uint, uint);
};

static const aq_table* table;

#define FRAME __builtin_frame_address(0)

extern "C" {

void aq_set_table(const aq_table* given) {
    table = given;
}

const unsigned char* aq_exchange(uint scope, const void* mine, uint size, ulong* active) {
    return table->exchange(scope, mine, size, active, FRAME);
}
uint aq_lane(uint scope) {
    return table->lane(scope);
}
uint aq_lanes(uint scope) {
    return table->lanes(scope);
}
void aq_barrier(uint scope, uint flags) {
    table->barrier(scope, flags, FRAME);
}
void aq_discard(void) {
    table->discard();
}
bool aq_is_helper(void) {
    return table->is_helper() != 0;
}
uint aq_stage(void) {
    return table->stage();
}
uint aq_sample_count(void) {
    return 1;
}
void aq_sample_position(uint, float* xy) {
    xy[0] = xy[1] = 0.5f;
}
void aq_texture_sample(ulong texture, ulong sampler, const aq_sampler_state* state, const aq_sample* how, uint* words) {
    table->sample(texture, sampler, state, how, words, 0, FRAME);
}
void aq_texture_sample_compare(ulong texture, ulong sampler, const aq_sampler_state* state, const aq_sample* how, uint* words) {
    table->sample(texture, sampler, state, how, words, 1, FRAME);
}
void aq_texture_gather(ulong texture, ulong sampler, const aq_sampler_state* state, const aq_sample* how, uint* words) {
    table->sample(texture, sampler, state, how, words, 2, FRAME);
}
void aq_texture_gather_compare(ulong texture, ulong sampler, const aq_sampler_state* state, const aq_sample* how, uint* words) {
    table->sample(texture, sampler, state, how, words, 3, FRAME);
}
void aq_texture_lod(ulong texture, ulong sampler, const aq_sampler_state* state, const aq_sample* how, float* answers) {
    table->lod(texture, sampler, state, how, answers, FRAME);
}
void aq_texture_read(ulong texture, const uint* at, uint layer, uint level, uint sample, uint* words) {
    table->read(texture, at, layer, level, sample, words);
}
void aq_texture_write(ulong texture, const uint* at, uint layer, uint level, const uint* words) {
    table->write(texture, at, layer, level, words);
}
uint aq_texture_query(ulong texture, uint what, uint level) {
    return table->query(texture, what, level);
}

// Halves: what clang calls where the processor is not known to convert them. To nearest, ties to even.
unsigned short __gnu_f2h_ieee(float from) {
    const uint bits = __builtin_bit_cast(uint, from);
    const uint sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7FFFFFFFu;
    if (magnitude > 0x7F800000u) {
        return sign | 0x7E00u | (magnitude >> 13 & 0x3FFu);
    }
    if (magnitude >= 0x477FF000u) {
        return sign | 0x7C00u; // 65520 and more
    }
    if (magnitude < 0x38800000u) {
        // Denormal: in units of 2^-24, which adding 0.5 rounds to.
        const float units = __builtin_bit_cast(float, magnitude) + 0.5f;
        return sign | (__builtin_bit_cast(uint, units) - 0x3F000000u);
    }
    const uint rounded = magnitude + 0xFFFu + (magnitude >> 13 & 1u);
    return sign | (rounded - 0x38000000u) >> 13;
}

float __gnu_h2f_ieee(unsigned short from) {
    const uint sign = (from & 0x8000u) << 16, exponent = from >> 10 & 31u, fraction = from & 0x3FFu;
    if (exponent == 0) {
        const float small = float(fraction) * 0x1p-24f;
        return sign ? -small : small;
    }
    const uint wide = exponent == 31 ? 0x7F800000u : (exponent + 112u) << 23;
    return __builtin_bit_cast(float, sign | wide | fraction << 13);
}

}
