// Makes overloads for vectors from functions on scalars. Metal's library functions are overloads, not templates: a call must
// match one as C++ has it, so `max(1.0f, 2)` is ambiguous, and `max(v, 0.0f)` spreads the scalar.
#pragma once

#define AQ_P(i) p.aq_lanes_[i]
#define AQ_Q(i) q.aq_lanes_[i]
#define AQ_S(i) s.aq_lanes_[i]

/// R name(T): R2 name(T2) … R4 name(T4).
#define AQ_EACH1(R, name, T)                                                                                              \
    inline vec<R, 2> name(vec<T, 2> p) { return vec<R, 2>(name(AQ_P(0)), name(AQ_P(1))); }                                \
    inline vec<R, 3> name(vec<T, 3> p) { return vec<R, 3>(name(AQ_P(0)), name(AQ_P(1)), name(AQ_P(2))); }                 \
    inline vec<R, 4> name(vec<T, 4> p) { return vec<R, 4>(name(AQ_P(0)), name(AQ_P(1)), name(AQ_P(2)), name(AQ_P(3))); }
#define AQ_EACH2(R, name, T, U)                                                                                           \
    inline vec<R, 2> name(vec<T, 2> p, vec<U, 2> q) { return vec<R, 2>(name(AQ_P(0), AQ_Q(0)), name(AQ_P(1), AQ_Q(1))); } \
    inline vec<R, 3> name(vec<T, 3> p, vec<U, 3> q) {                                                                     \
        return vec<R, 3>(name(AQ_P(0), AQ_Q(0)), name(AQ_P(1), AQ_Q(1)), name(AQ_P(2), AQ_Q(2)));                         \
    }                                                                                                                     \
    inline vec<R, 4> name(vec<T, 4> p, vec<U, 4> q) {                                                                     \
        return vec<R, 4>(name(AQ_P(0), AQ_Q(0)), name(AQ_P(1), AQ_Q(1)), name(AQ_P(2), AQ_Q(2)), name(AQ_P(3), AQ_Q(3))); \
    }
#define AQ_EACH3(R, name, T, U, V)                                                                                        \
    inline vec<R, 2> name(vec<T, 2> p, vec<U, 2> q, vec<V, 2> s) {                                                        \
        return vec<R, 2>(name(AQ_P(0), AQ_Q(0), AQ_S(0)), name(AQ_P(1), AQ_Q(1), AQ_S(1)));                               \
    }                                                                                                                     \
    inline vec<R, 3> name(vec<T, 3> p, vec<U, 3> q, vec<V, 3> s) {                                                        \
        return vec<R, 3>(name(AQ_P(0), AQ_Q(0), AQ_S(0)), name(AQ_P(1), AQ_Q(1), AQ_S(1)), name(AQ_P(2), AQ_Q(2), AQ_S(2))); \
    }                                                                                                                     \
    inline vec<R, 4> name(vec<T, 4> p, vec<U, 4> q, vec<V, 4> s) {                                                        \
        return vec<R, 4>(name(AQ_P(0), AQ_Q(0), AQ_S(0)), name(AQ_P(1), AQ_Q(1), AQ_S(1)),                                \
                         name(AQ_P(2), AQ_Q(2), AQ_S(2)), name(AQ_P(3), AQ_Q(3), AQ_S(3)));                               \
    }
/// T name(T, uint, uint) and T name(T, T, uint, uint), where the numbers are the same for all lanes.
#define AQ_EACH1_BITS(name, T)                                                                                            \
    inline vec<T, 2> name(vec<T, 2> p, uint o, uint b) { return vec<T, 2>(name(AQ_P(0), o, b), name(AQ_P(1), o, b)); }    \
    inline vec<T, 3> name(vec<T, 3> p, uint o, uint b) {                                                                  \
        return vec<T, 3>(name(AQ_P(0), o, b), name(AQ_P(1), o, b), name(AQ_P(2), o, b));                                  \
    }                                                                                                                     \
    inline vec<T, 4> name(vec<T, 4> p, uint o, uint b) {                                                                  \
        return vec<T, 4>(name(AQ_P(0), o, b), name(AQ_P(1), o, b), name(AQ_P(2), o, b), name(AQ_P(3), o, b));             \
    }
#define AQ_EACH2_BITS(name, T)                                                                                            \
    inline vec<T, 2> name(vec<T, 2> p, vec<T, 2> q, uint o, uint b) {                                                     \
        return vec<T, 2>(name(AQ_P(0), AQ_Q(0), o, b), name(AQ_P(1), AQ_Q(1), o, b));                                     \
    }                                                                                                                     \
    inline vec<T, 3> name(vec<T, 3> p, vec<T, 3> q, uint o, uint b) {                                                     \
        return vec<T, 3>(name(AQ_P(0), AQ_Q(0), o, b), name(AQ_P(1), AQ_Q(1), o, b), name(AQ_P(2), AQ_Q(2), o, b));       \
    }                                                                                                                     \
    inline vec<T, 4> name(vec<T, 4> p, vec<T, 4> q, uint o, uint b) {                                                     \
        return vec<T, 4>(name(AQ_P(0), AQ_Q(0), o, b), name(AQ_P(1), AQ_Q(1), o, b),                                      \
                         name(AQ_P(2), AQ_Q(2), o, b), name(AQ_P(3), AQ_Q(3), o, b));                                     \
    }
/// R name(T, thread U&).
#define AQ_EACH_OUT(R, name, T, U)                                                                                        \
    inline vec<R, 2> name(vec<T, 2> p, __private vec<U, 2>& q) { return vec<R, 2>(name(AQ_P(0), AQ_Q(0)), name(AQ_P(1), AQ_Q(1))); } \
    inline vec<R, 3> name(vec<T, 3> p, __private vec<U, 3>& q) {                                                          \
        return vec<R, 3>(name(AQ_P(0), AQ_Q(0)), name(AQ_P(1), AQ_Q(1)), name(AQ_P(2), AQ_Q(2)));                         \
    }                                                                                                                     \
    inline vec<R, 4> name(vec<T, 4> p, __private vec<U, 4>& q) {                                                          \
        return vec<R, 4>(name(AQ_P(0), AQ_Q(0)), name(AQ_P(1), AQ_Q(1)), name(AQ_P(2), AQ_Q(2)), name(AQ_P(3), AQ_Q(3))); \
    }

#define AQ_FOR_INTEGERS(M) M(char) M(uchar) M(short) M(ushort) M(int) M(uint) M(long) M(ulong)
#define AQ_FOR_FLOATS(M) M(half) M(float)
#define AQ_FOR_ALL(M) M(bool) AQ_FOR_INTEGERS(M) AQ_FOR_FLOATS(M)
