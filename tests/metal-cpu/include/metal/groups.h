// What threads do together: barriers, SIMD groups, quads, derivatives; and leaving a fragment (MSL 2.4, sections 6.9 to 6.11).
#pragma once

namespace metal {

enum class mem_flags {
    mem_none = 0,
    mem_device = 1,
    mem_threadgroup = 2,
    mem_texture = 4,
    mem_threadgroup_imageblock = 8,
};
constexpr mem_flags operator|(mem_flags a, mem_flags b) { return mem_flags(int(a) | int(b)); }
constexpr mem_flags operator&(mem_flags a, mem_flags b) { return mem_flags(int(a) & int(b)); }
enum thread_scope { thread_scope_thread = 0, thread_scope_threadgroup, thread_scope_device, thread_scope_simdgroup };

inline void threadgroup_barrier(mem_flags flags) { aq_barrier(AQ_THREADGROUP, uint(flags)); }
inline void simdgroup_barrier(mem_flags flags) { aq_barrier(AQ_SIMD, uint(flags)); }
#if __METAL_VERSION__ >= 320
inline void atomic_thread_fence(mem_flags, aq_memory_order, thread_scope = thread_scope_device) {}
#endif

inline void discard_fragment() { aq_discard(); }
inline bool simd_is_helper_thread() { return aq_is_helper(); }
inline uint get_num_samples() { return aq_sample_count(); }
inline float2 get_sample_position(uint sample) {
    float at[2];
    aq_sample_position(sample, at);
    return float2(at[0], at[1]);
}

/// What all lanes of a group gave.
template<typename T> struct aq_given {
    const unsigned char* bytes;
    ulong active;
    T at(uint lane) const {
        T v;
        __builtin_memcpy(&v, bytes + 16 * lane, sizeof(T));
        return v;
    }
    bool has(uint lane) const { return (active >> lane & 1ul) != 0; }
    uint first() const { return active == 0 ? 0u : uint(__builtin_ctzl(active)); }
};
template<typename T> inline aq_given<T> aq_give(uint scope, T mine) {
    static_assert(sizeof(T) <= 16, "at most 16 bytes a lane");
    aq_given<T> given;
    given.active = 0;
    given.bytes = aq_exchange(scope, &mine, sizeof(T), &given.active);
    return given;
}

// Derivatives: the same in all four threads of a quad, from its first row and its first column.
#define AQ_DERIVATIVE_OF(V, T)                                                                               \
    inline V dfdx(V p) {                                                                                     \
        aq_given<V> g = aq_give(AQ_QUAD, p);                                                                 \
        return g.active == 15ul && aq_stage() == AQ_FRAGMENT ? V(g.at(1) - g.at(0)) : V(T(0));               \
    }                                                                                                        \
    inline V dfdy(V p) {                                                                                     \
        aq_given<V> g = aq_give(AQ_QUAD, p);                                                                 \
        return g.active == 15ul && aq_stage() == AQ_FRAGMENT ? V(g.at(2) - g.at(0)) : V(T(0));               \
    }                                                                                                        \
    inline V fwidth(V p) { return abs(dfdx(p)) + abs(dfdy(p)); }
#define AQ_DERIVATIVES(T) AQ_DERIVATIVE_OF(T, T) AQ_DERIVATIVE_OF(T##2, T) AQ_DERIVATIVE_OF(T##3, T) AQ_DERIVATIVE_OF(T##4, T)
AQ_DERIVATIVES(float)
AQ_DERIVATIVES(half)
#undef AQ_DERIVATIVES
#undef AQ_DERIVATIVE_OF

// Votes.
#define AQ_VOTE(Vote, Bits)                                                                                  \
    class Vote {                                                                                             \
    public:                                                                                                  \
        typedef Bits vote_t;                                                                                 \
        explicit constexpr Vote(vote_t v = 0) : aq_bits_(v), aq_all_(v) {}                                   \
        constexpr Vote(vote_t v, vote_t all) : aq_bits_(v), aq_all_(all) {}                                  \
        explicit constexpr operator vote_t() const { return aq_bits_; }                                      \
        constexpr bool all() const { return aq_bits_ == aq_all_; }                                           \
        constexpr bool any() const { return aq_bits_ != 0; }                                                 \
                                                                                                             \
    private:                                                                                                 \
        vote_t aq_bits_;                                                                                     \
        vote_t aq_all_;                                                                                      \
    };
AQ_VOTE(simd_vote, ulong)
AQ_VOTE(quad_vote, ushort)
#undef AQ_VOTE

// Which types may travel: scalars and vectors of 8 to 32 bits, but not bool.
template<typename T> struct aq_travels : integral_constant<bool, is_arithmetic<T>::value && sizeof(T) <= 4 && !is_same<T, bool>::value> {};
template<typename T, int N> struct aq_travels<vec<T, N>> : aq_travels<T> {};
template<typename T> struct aq_travels_whole : aq_travels<T> {};
template<> struct aq_travels_whole<float> : false_type {};
template<> struct aq_travels_whole<half> : false_type {};
template<int N> struct aq_travels_whole<vec<float, N>> : false_type {};
template<int N> struct aq_travels_whole<vec<half, N>> : false_type {};
#define AQ_DATA template<typename T, typename = enable_if_t<aq_travels<T>::value>>
#define AQ_WHOLE template<typename T, typename = enable_if_t<aq_travels_whole<T>::value>>

// A value of all lanes that take part, from the first to the last; and of those before a lane.
#define AQ_REDUCTION(DATA, group, SCOPE, name, ...)                                                          \
    DATA inline T group##_##name(T mine) {                                                                   \
        aq_given<T> g = aq_give(SCOPE, mine);                                                                \
        if (g.active == 0) return mine;                                                                      \
        uint lane = g.first(), lanes = aq_lanes(SCOPE);                                                      \
        T p = g.at(lane);                                                                                    \
        for (lane++; lane < lanes; lane++) {                                                                 \
            if (!g.has(lane)) continue;                                                                      \
            T q = g.at(lane);                                                                                \
            p = T(__VA_ARGS__);                                                                              \
        }                                                                                                    \
        return p;                                                                                            \
    }
#define AQ_PREFIX(group, SCOPE, name, NEUTRAL, ...)                                                          \
    AQ_DATA inline T group##_prefix_inclusive_##name(T mine) {                                               \
        aq_given<T> g = aq_give(SCOPE, mine);                                                                \
        T p = T(NEUTRAL);                                                                                    \
        for (uint lane = 0, last = aq_lane(SCOPE); lane <= last; lane++) {                                   \
            if (!g.has(lane)) continue;                                                                      \
            T q = g.at(lane);                                                                                \
            p = T(__VA_ARGS__);                                                                              \
        }                                                                                                    \
        return p;                                                                                            \
    }                                                                                                        \
    AQ_DATA inline T group##_prefix_exclusive_##name(T mine) {                                               \
        aq_given<T> g = aq_give(SCOPE, mine);                                                                \
        T p = T(NEUTRAL);                                                                                    \
        for (uint lane = 0, end = aq_lane(SCOPE); lane < end; lane++) {                                      \
            if (!g.has(lane)) continue;                                                                      \
            T q = g.at(lane);                                                                                \
            p = T(__VA_ARGS__);                                                                              \
        }                                                                                                    \
        return p;                                                                                            \
    }
// A lane that does not take part gives zeros; one that does not exist, what the thread itself gave.
#define AQ_FROM(group, SCOPE, name, ...)                                                                     \
    AQ_DATA inline T group##_##name(T mine, ushort by) {                                                     \
        aq_given<T> g = aq_give(SCOPE, mine);                                                                \
        uint lane = aq_lane(SCOPE), lanes = aq_lanes(SCOPE), n = by;                                         \
        (void)lane;                                                                                          \
        uint from = __VA_ARGS__;                                                                             \
        if (from < lanes) return g.at(from);                                                                 \
        return mine;                                                                                         \
    }
#define AQ_GROUP(group, SCOPE, Vote, All)                                                                    \
    AQ_REDUCTION(AQ_DATA, group, SCOPE, sum, p + q)                                                          \
    AQ_REDUCTION(AQ_DATA, group, SCOPE, product, p * q)                                                      \
    AQ_REDUCTION(AQ_DATA, group, SCOPE, min, min(p, q))                                                      \
    AQ_REDUCTION(AQ_DATA, group, SCOPE, max, max(p, q))                                                      \
    AQ_REDUCTION(AQ_WHOLE, group, SCOPE, and, p & q)                                                         \
    AQ_REDUCTION(AQ_WHOLE, group, SCOPE, or, p | q)                                                          \
    AQ_REDUCTION(AQ_WHOLE, group, SCOPE, xor, p ^ q)                                                         \
    AQ_PREFIX(group, SCOPE, sum, 0, p + q)                                                                   \
    AQ_PREFIX(group, SCOPE, product, 1, p * q)                                                               \
    AQ_FROM(group, SCOPE, broadcast, n)                                                                      \
    AQ_FROM(group, SCOPE, shuffle, n)                                                                        \
    AQ_FROM(group, SCOPE, shuffle_xor, lane ^ n)                                                             \
    AQ_FROM(group, SCOPE, shuffle_up, lane >= n ? lane - n : lanes)                                          \
    AQ_FROM(group, SCOPE, shuffle_down, lane + n)                                                            \
    AQ_FROM(group, SCOPE, shuffle_rotate_up, (lane + lanes - n % lanes) % lanes)                             \
    AQ_FROM(group, SCOPE, shuffle_rotate_down, (lane + n) % lanes)                                           \
    AQ_DATA inline T group##_broadcast_first(T mine) {                                                       \
        aq_given<T> g = aq_give(SCOPE, mine);                                                                \
        if (g.active == 0) return mine;                                                                      \
        return g.at(g.first());                                                                              \
    }                                                                                                        \
    AQ_DATA inline T group##_shuffle_and_fill_up(T mine, T fill, ushort by) {                                \
        aq_given<T> g = aq_give(SCOPE, mine);                                                                \
        aq_given<T> f = aq_give(SCOPE, fill);                                                                \
        uint lane = aq_lane(SCOPE), lanes = aq_lanes(SCOPE);                                                 \
        return lane >= by ? g.at(lane - by) : f.at((lane + lanes - by) % lanes);                             \
    }                                                                                                        \
    AQ_DATA inline T group##_shuffle_and_fill_down(T mine, T fill, ushort by) {                              \
        aq_given<T> g = aq_give(SCOPE, mine);                                                                \
        aq_given<T> f = aq_give(SCOPE, fill);                                                                \
        uint lane = aq_lane(SCOPE), lanes = aq_lanes(SCOPE);                                                 \
        return lane + by < lanes ? g.at(lane + by) : f.at((lane + by) % lanes);                              \
    }                                                                                                        \
    inline ulong aq_##group##_votes(bool mine, __private ulong* active) {                                    \
        aq_given<uchar> g = aq_give(SCOPE, uchar(mine));                                                     \
        ulong votes = 0;                                                                                     \
        for (uint lane = 0, lanes = aq_lanes(SCOPE); lane < lanes; lane++)                                   \
            if (g.has(lane) && g.at(lane) != 0) votes |= 1ul << lane;                                        \
        *active = g.active;                                                                                  \
        return votes;                                                                                        \
    }                                                                                                        \
    inline bool group##_any(bool mine) {                                                                     \
        ulong active;                                                                                        \
        return aq_##group##_votes(mine, &active) != 0;                                                       \
    }                                                                                                        \
    inline bool group##_all(bool mine) {                                                                     \
        ulong active;                                                                                        \
        return aq_##group##_votes(mine, &active) == active;                                                  \
    }                                                                                                        \
    inline Vote group##_ballot(bool mine) {                                                                  \
        ulong active;                                                                                        \
        ulong votes = aq_##group##_votes(mine, &active);                                                     \
        return Vote(Vote::vote_t(votes), Vote::vote_t(active));                                              \
    }                                                                                                        \
    inline Vote group##_active_threads_mask() {                                                              \
        ulong active;                                                                                        \
        aq_##group##_votes(true, &active);                                                                   \
        return Vote(Vote::vote_t(active), Vote::vote_t(active));                                             \
    }                                                                                                        \
    inline bool group##_is_first() {                                                                         \
        ulong active;                                                                                        \
        aq_##group##_votes(true, &active);                                                                   \
        return active != 0 && uint(__builtin_ctzl(active)) == aq_lane(SCOPE);                                \
    }
AQ_GROUP(simd, AQ_SIMD, simd_vote, 0)
AQ_GROUP(quad, AQ_QUAD, quad_vote, 0)
#undef AQ_GROUP
#undef AQ_FROM
#undef AQ_PREFIX
#undef AQ_REDUCTION

} // namespace metal
