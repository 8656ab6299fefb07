// Vectors. A vector is a class of N lanes; parts of a constructor add up, a scalar spreads, and nothing else converts without being asked.
#pragma once

// Swizzles: for each word of two to four letters a function that reads it (for objects anywhere, and for those in `constant`),
// and a property of that name. All properties name a function that writes, but only words without a letter twice have one.
#define AQ_COLOR_x r
#define AQ_COLOR_y g
#define AQ_COLOR_z b
#define AQ_COLOR_w a
#define AQ_INDEX_x 0
#define AQ_INDEX_y 1
#define AQ_INDEX_z 2
#define AQ_INDEX_w 3
#define AQ_PASTE2(a, b) a##b
#define AQ_PASTE3(a, b, c) a##b##c
#define AQ_PASTE4(a, b, c, d) a##b##c##d
#define AQ_JOIN2(a, b) AQ_PASTE2(a, b)
#define AQ_JOIN3(a, b, c) AQ_PASTE3(a, b, c)
#define AQ_JOIN4(a, b, c, d) AQ_PASTE4(a, b, c, d)
#define AQ_COLOR(x) AQ_PASTE2(AQ_COLOR_, x)
#define AQ_LANE(x) aq_lanes_[AQ_PASTE2(AQ_INDEX_, x)]

#define AQ_PROPERTIES(V, word, color)                                        \
    __declspec(property(get = aq_get_##word, put = aq_set_##word)) V word;   \
    __declspec(property(get = aq_get_##word, put = aq_set_##word)) V color;
#define AQ_PROPERTIES_OF(V, word, color) AQ_PROPERTIES(V, word, color)
#define AQ_GET1(x)                                                           \
    constexpr T aq_get_##x() const { return AQ_LANE(x); }                    \
    constexpr T aq_get_##x() const __constant { return AQ_LANE(x); }         \
    constexpr T aq_set_##x(T v) & { return AQ_LANE(x) = v; }                 \
    AQ_PROPERTIES_OF(T, x, AQ_COLOR(x))
#define AQ_GET2(p, q)                                                                            \
    constexpr vec<T, 2> aq_get_##p##q() const { return {AQ_LANE(p), AQ_LANE(q)}; }               \
    constexpr vec<T, 2> aq_get_##p##q() const __constant { return {AQ_LANE(p), AQ_LANE(q)}; }    \
    AQ_PROPERTIES_OF(AQ_V(2), p##q, AQ_JOIN2(AQ_COLOR(p), AQ_COLOR(q)))
#define AQ_GET3(p, q, s)                                                                                     \
    constexpr vec<T, 3> aq_get_##p##q##s() const { return {AQ_LANE(p), AQ_LANE(q), AQ_LANE(s)}; }            \
    constexpr vec<T, 3> aq_get_##p##q##s() const __constant { return {AQ_LANE(p), AQ_LANE(q), AQ_LANE(s)}; } \
    AQ_PROPERTIES_OF(AQ_V(3), p##q##s, AQ_JOIN3(AQ_COLOR(p), AQ_COLOR(q), AQ_COLOR(s)))
#define AQ_GET4(p, q, s, t)                                                                                                     \
    constexpr vec<T, 4> aq_get_##p##q##s##t() const { return {AQ_LANE(p), AQ_LANE(q), AQ_LANE(s), AQ_LANE(t)}; }                \
    constexpr vec<T, 4> aq_get_##p##q##s##t() const __constant { return {AQ_LANE(p), AQ_LANE(q), AQ_LANE(s), AQ_LANE(t)}; }     \
    AQ_PROPERTIES_OF(AQ_V(4), p##q##s##t, AQ_JOIN4(AQ_COLOR(p), AQ_COLOR(q), AQ_COLOR(s), AQ_COLOR(t)))
#define AQ_V(N) AQ_VEC##N
#define AQ_VEC2 aq_vec2
#define AQ_VEC3 aq_vec3
#define AQ_VEC4 aq_vec4
#define AQ_SET2(p, q) \
    constexpr vec<T, 2> aq_set_##p##q(vec<T, 2> v) & { AQ_LANE(p) = v.aq_lanes_[0]; AQ_LANE(q) = v.aq_lanes_[1]; return v; }
#define AQ_SET3(p, q, s)                                                                                     \
    constexpr vec<T, 3> aq_set_##p##q##s(vec<T, 3> v) & {                                                           \
        AQ_LANE(p) = v.aq_lanes_[0]; AQ_LANE(q) = v.aq_lanes_[1]; AQ_LANE(s) = v.aq_lanes_[2];               \
        return v;                                                                                            \
    }
#define AQ_SET4(p, q, s, t)                                                                                  \
    constexpr vec<T, 4> aq_set_##p##q##s##t(vec<T, 4> v) & {                                                        \
        AQ_LANE(p) = v.aq_lanes_[0]; AQ_LANE(q) = v.aq_lanes_[1];                                            \
        AQ_LANE(s) = v.aq_lanes_[2]; AQ_LANE(t) = v.aq_lanes_[3];                                            \
        return v;                                                                                            \
    }

// All words over the first two, three or four letters.
#define AQ_ALL2(E) E(x) E(y)
#define AQ_ALL3(E) E(x) E(y) E(z)
#define AQ_ALL4(E) E(x) E(y) E(z) E(w)
#define AQ_PAIRS2(E) AQ_PAIRS2_(E, x) AQ_PAIRS2_(E, y)
#define AQ_PAIRS3(E) AQ_PAIRS3_(E, x) AQ_PAIRS3_(E, y) AQ_PAIRS3_(E, z)
#define AQ_PAIRS4(E) AQ_PAIRS4_(E, x) AQ_PAIRS4_(E, y) AQ_PAIRS4_(E, z) AQ_PAIRS4_(E, w)
#define AQ_PAIRS2_(E, p) E(p, x) E(p, y)
#define AQ_PAIRS3_(E, p) E(p, x) E(p, y) E(p, z)
#define AQ_PAIRS4_(E, p) E(p, x) E(p, y) E(p, z) E(p, w)
#define AQ_TRIPLES2(E) AQ_TRIPLES2_(E, x) AQ_TRIPLES2_(E, y)
#define AQ_TRIPLES3(E) AQ_TRIPLES3_(E, x) AQ_TRIPLES3_(E, y) AQ_TRIPLES3_(E, z)
#define AQ_TRIPLES4(E) AQ_TRIPLES4_(E, x) AQ_TRIPLES4_(E, y) AQ_TRIPLES4_(E, z) AQ_TRIPLES4_(E, w)
#define AQ_TRIPLES2_(E, p) AQ_TRIPLES2__(E, p, x) AQ_TRIPLES2__(E, p, y)
#define AQ_TRIPLES3_(E, p) AQ_TRIPLES3__(E, p, x) AQ_TRIPLES3__(E, p, y) AQ_TRIPLES3__(E, p, z)
#define AQ_TRIPLES4_(E, p) AQ_TRIPLES4__(E, p, x) AQ_TRIPLES4__(E, p, y) AQ_TRIPLES4__(E, p, z) AQ_TRIPLES4__(E, p, w)
#define AQ_TRIPLES2__(E, p, q) E(p, q, x) E(p, q, y)
#define AQ_TRIPLES3__(E, p, q) E(p, q, x) E(p, q, y) E(p, q, z)
#define AQ_TRIPLES4__(E, p, q) E(p, q, x) E(p, q, y) E(p, q, z) E(p, q, w)
#define AQ_QUADS2(E) AQ_QUADS2_(E, x) AQ_QUADS2_(E, y)
#define AQ_QUADS3(E) AQ_QUADS3_(E, x) AQ_QUADS3_(E, y) AQ_QUADS3_(E, z)
#define AQ_QUADS4(E) AQ_QUADS4_(E, x) AQ_QUADS4_(E, y) AQ_QUADS4_(E, z) AQ_QUADS4_(E, w)
#define AQ_QUADS2_(E, p) AQ_QUADS2__(E, p, x) AQ_QUADS2__(E, p, y)
#define AQ_QUADS3_(E, p) AQ_QUADS3__(E, p, x) AQ_QUADS3__(E, p, y) AQ_QUADS3__(E, p, z)
#define AQ_QUADS4_(E, p) AQ_QUADS4__(E, p, x) AQ_QUADS4__(E, p, y) AQ_QUADS4__(E, p, z) AQ_QUADS4__(E, p, w)
#define AQ_QUADS2__(E, p, q) AQ_QUADS2___(E, p, q, x) AQ_QUADS2___(E, p, q, y)
#define AQ_QUADS3__(E, p, q) AQ_QUADS3___(E, p, q, x) AQ_QUADS3___(E, p, q, y) AQ_QUADS3___(E, p, q, z)
#define AQ_QUADS4__(E, p, q) AQ_QUADS4___(E, p, q, x) AQ_QUADS4___(E, p, q, y) AQ_QUADS4___(E, p, q, z) AQ_QUADS4___(E, p, q, w)
#define AQ_QUADS2___(E, p, q, s) E(p, q, s, x) E(p, q, s, y)
#define AQ_QUADS3___(E, p, q, s) E(p, q, s, x) E(p, q, s, y) E(p, q, s, z)
#define AQ_QUADS4___(E, p, q, s) E(p, q, s, x) E(p, q, s, y) E(p, q, s, z) E(p, q, s, w)

#define AQ_SETS2 AQ_SET2(x, y) AQ_SET2(y, x)
#define AQ_SETS3                                                                                             \
    AQ_SETS2 AQ_SET2(x, z) AQ_SET2(y, z) AQ_SET2(z, x) AQ_SET2(z, y)                                         \
    AQ_SET3(x, y, z) AQ_SET3(x, z, y) AQ_SET3(y, x, z) AQ_SET3(y, z, x) AQ_SET3(z, x, y) AQ_SET3(z, y, x)
#define AQ_SETS4                                                                                             \
    AQ_SETS3 AQ_SET2(x, w) AQ_SET2(y, w) AQ_SET2(z, w) AQ_SET2(w, x) AQ_SET2(w, y) AQ_SET2(w, z)             \
    AQ_SET3(x, y, w) AQ_SET3(x, w, y) AQ_SET3(y, x, w) AQ_SET3(y, w, x) AQ_SET3(w, x, y) AQ_SET3(w, y, x)    \
    AQ_SET3(x, z, w) AQ_SET3(x, w, z) AQ_SET3(z, x, w) AQ_SET3(z, w, x) AQ_SET3(w, x, z) AQ_SET3(w, z, x)    \
    AQ_SET3(y, z, w) AQ_SET3(y, w, z) AQ_SET3(z, y, w) AQ_SET3(z, w, y) AQ_SET3(w, y, z) AQ_SET3(w, z, y)    \
    AQ_SET4(x, y, z, w) AQ_SET4(x, y, w, z) AQ_SET4(x, z, y, w) AQ_SET4(x, z, w, y) AQ_SET4(x, w, y, z)      \
    AQ_SET4(x, w, z, y) AQ_SET4(y, x, z, w) AQ_SET4(y, x, w, z) AQ_SET4(y, z, x, w) AQ_SET4(y, z, w, x)      \
    AQ_SET4(y, w, x, z) AQ_SET4(y, w, z, x) AQ_SET4(z, x, y, w) AQ_SET4(z, x, w, y) AQ_SET4(z, y, x, w)      \
    AQ_SET4(z, y, w, x) AQ_SET4(z, w, x, y) AQ_SET4(z, w, y, x) AQ_SET4(w, x, y, z) AQ_SET4(w, x, z, y)      \
    AQ_SET4(w, y, x, z) AQ_SET4(w, y, z, x) AQ_SET4(w, z, x, y) AQ_SET4(w, z, y, x)

#define AQ_SWIZZLES(N)                                                                                       \
    typedef vec<T, 2> aq_vec2;                                                                               \
    typedef vec<T, 3> aq_vec3;                                                                               \
    typedef vec<T, 4> aq_vec4;                                                                               \
    AQ_ALL##N(AQ_GET1) AQ_PAIRS##N(AQ_GET2) AQ_TRIPLES##N(AQ_GET3) AQ_QUADS##N(AQ_GET4) AQ_SETS##N

// What every class of lanes in memory has: copies from all address spaces, and elements by number. What writes is qualified `&`: what is
// written to a value that nothing holds, as in `v.xy.x = 1`, would be lost, so it does not compile.
#define AQ_COPIES(C)                                                                                         \
    C() = default;                                                                                           \
    constexpr C(const C&) = default;                                                                         \
    constexpr C(C&&) = default;                                                                              \
    constexpr C(const __constant C&) = default;                                                              \
    C& operator=(const C&) & = default;                                                                      \
    C& operator=(C&&) & = default;                                                                           \
    C& operator=(const __constant C&) & = default;
// Copies of what is `volatile`. They are templates, so that a copy stays trivial.
#define AQ_VOLATILE(C, N)                                                                                    \
    template<typename V, typename = enable_if_t<is_same<V, C>::value>> C(const volatile V& o) : aq_lanes_{} { \
        for (int i = 0; i < N; i++) aq_lanes_[i] = o.aq_lanes_[i];                                           \
    }                                                                                                        \
    template<typename V, typename = enable_if_t<is_same<V, C>::value>> void operator=(V v) volatile {        \
        for (int i = 0; i < N; i++) aq_lanes_[i] = v.aq_lanes_[i];                                           \
    }
#define AQ_ELEMENTS                                                                                          \
    constexpr T& operator[](long i) & { return aq_lanes_[i]; }                                               \
    constexpr T operator[](long i) && { return aq_lanes_[i]; }                                               \
    constexpr T operator[](long i) const& { return aq_lanes_[i]; }                                            \
    constexpr T operator[](long i) const __constant& { return aq_lanes_[i]; }

// Operators, lane by lane. `f` turns the names of two lanes into a value.
#define AQ_LANES2(V, f) V(f(0), f(1))
#define AQ_LANES3(V, f) V(f(0), f(1), f(2))
#define AQ_LANES4(V, f) V(f(0), f(1), f(2), f(3))
#define AQ_OPERATOR(N, op)                                                                                   \
    friend constexpr vec operator op(vec p, vec q) { return AQ_ZIP##N(vec, T, op); }                         \
    constexpr vec& operator op##=(vec q) & {                                                                 \
        *this = vec(*this) op q;                                                                             \
        return *this;                                                                                        \
    }
#define AQ_ZIP2(V, S, op) V(S(p.aq_lanes_[0] op q.aq_lanes_[0]), S(p.aq_lanes_[1] op q.aq_lanes_[1]))
#define AQ_ZIP3(V, S, op) \
    V(S(p.aq_lanes_[0] op q.aq_lanes_[0]), S(p.aq_lanes_[1] op q.aq_lanes_[1]), S(p.aq_lanes_[2] op q.aq_lanes_[2]))
#define AQ_ZIP4(V, S, op)                                                                                    \
    V(S(p.aq_lanes_[0] op q.aq_lanes_[0]), S(p.aq_lanes_[1] op q.aq_lanes_[1]),                              \
      S(p.aq_lanes_[2] op q.aq_lanes_[2]), S(p.aq_lanes_[3] op q.aq_lanes_[3]))
#define AQ_MAP2(V, S, op) V(S(op p.aq_lanes_[0]), S(op p.aq_lanes_[1]))
#define AQ_MAP3(V, S, op) V(S(op p.aq_lanes_[0]), S(op p.aq_lanes_[1]), S(op p.aq_lanes_[2]))
#define AQ_MAP4(V, S, op) V(S(op p.aq_lanes_[0]), S(op p.aq_lanes_[1]), S(op p.aq_lanes_[2]), S(op p.aq_lanes_[3]))
#define AQ_LOGICAL(N, op)                                                                                    \
    friend constexpr vec<bool, N> operator op(vec p, vec q) {                                                \
        static_assert(is_same<T, bool>::value, "logical operators take bools");                              \
        return AQ_ZIP##N(aq_bools, bool, op);                                                                \
    }
#define AQ_COMPARISON(N, op) \
    friend constexpr vec<bool, N> operator op(vec p, vec q) { return AQ_ZIP##N(aq_bools, bool, op); }
#define AQ_OPERATORS(N)                                                                                      \
    typedef vec<bool, N> aq_bools;                                                                           \
    AQ_OPERATOR(N, +) AQ_OPERATOR(N, -) AQ_OPERATOR(N, *) AQ_OPERATOR(N, /) AQ_OPERATOR(N, %)                \
    AQ_OPERATOR(N, &) AQ_OPERATOR(N, |) AQ_OPERATOR(N, ^) AQ_OPERATOR(N, <<) AQ_OPERATOR(N, >>)              \
    AQ_COMPARISON(N, ==) AQ_COMPARISON(N, !=) AQ_COMPARISON(N, <) AQ_COMPARISON(N, <=)                       \
    AQ_COMPARISON(N, >) AQ_COMPARISON(N, >=) AQ_LOGICAL(N, &&) AQ_LOGICAL(N, ||)                             \
    constexpr vec& operator*=(matrix<T, N, N> m) { *this = vec(*this) * m; return *this; }                    \
    friend constexpr vec operator+(vec p) { return p; }                                                      \
    friend constexpr vec operator-(vec p) { return AQ_MAP##N(vec, T, -); }                                   \
    friend constexpr vec operator~(vec p) { return AQ_MAP##N(vec, T, ~); }                                   \
    friend constexpr vec<bool, N> operator!(vec p) {                                                         \
        static_assert(is_same<T, bool>::value, "logical operators take bools");                              \
        return AQ_MAP##N(aq_bools, bool, !);                                                                 \
    }                                                                                                        \
    constexpr vec& operator++() & { *this = aq_next(vec(*this), T(1)); return *this; }                       \
    constexpr vec& operator--() & { *this = aq_next(vec(*this), T(-1)); return *this; }                      \
    constexpr vec operator++(int) & { vec before(*this); *this = aq_next(before, T(1)); return before; }     \
    constexpr vec operator--(int) & { vec before(*this); *this = aq_next(before, T(-1)); return before; }    \
    static constexpr vec aq_next(vec p, T step) {                                                            \
        static_assert(is_integral<T>::value && !is_same<T, bool>::value, "++ and -- take integers");         \
        return p + vec(step);                                                                                \
    }

namespace metal {

template<typename T, int N> struct vec;
template<typename T, int N> struct packed_vec;
template<typename T, int C, int R> struct matrix;

template<typename T> struct alignas(2 * sizeof(T)) vec<T, 2> {
    T aq_lanes_[2];
    AQ_COPIES(vec)
    AQ_VOLATILE(vec, 2)
    constexpr vec(T s) : aq_lanes_{s, s} {}
    constexpr vec(T p, T q) : aq_lanes_{p, q} {}
    template<typename U> explicit constexpr vec(vec<U, 2> o) : aq_lanes_{T(o.aq_lanes_[0]), T(o.aq_lanes_[1])} {}
    AQ_ELEMENTS
    AQ_SWIZZLES(2)
    AQ_OPERATORS(2)
};

template<typename T> struct alignas(4 * sizeof(T)) vec<T, 3> {
    T aq_lanes_[3];
    AQ_COPIES(vec)
    AQ_VOLATILE(vec, 3)
    constexpr vec(T s) : aq_lanes_{s, s, s} {}
    constexpr vec(T p, T q, T s) : aq_lanes_{p, q, s} {}
    constexpr vec(vec<T, 2> p, T s) : aq_lanes_{p.aq_lanes_[0], p.aq_lanes_[1], s} {}
    constexpr vec(T p, vec<T, 2> q) : aq_lanes_{p, q.aq_lanes_[0], q.aq_lanes_[1]} {}
    vec(T, T) = delete;
    template<typename U> explicit constexpr vec(vec<U, 3> o)
        : aq_lanes_{T(o.aq_lanes_[0]), T(o.aq_lanes_[1]), T(o.aq_lanes_[2])} {}
    AQ_ELEMENTS
    AQ_SWIZZLES(3)
    AQ_OPERATORS(3)
};

template<typename T> struct alignas(4 * sizeof(T)) vec<T, 4> {
    T aq_lanes_[4];
    AQ_COPIES(vec)
    AQ_VOLATILE(vec, 4)
    constexpr vec(T s) : aq_lanes_{s, s, s, s} {}
    constexpr vec(T p, T q, T s, T t) : aq_lanes_{p, q, s, t} {}
    constexpr vec(vec<T, 2> p, T s, T t) : aq_lanes_{p.aq_lanes_[0], p.aq_lanes_[1], s, t} {}
    constexpr vec(T p, vec<T, 2> q, T t) : aq_lanes_{p, q.aq_lanes_[0], q.aq_lanes_[1], t} {}
    constexpr vec(T p, T q, vec<T, 2> s) : aq_lanes_{p, q, s.aq_lanes_[0], s.aq_lanes_[1]} {}
    constexpr vec(vec<T, 2> p, vec<T, 2> q) : aq_lanes_{p.aq_lanes_[0], p.aq_lanes_[1], q.aq_lanes_[0], q.aq_lanes_[1]} {}
    constexpr vec(vec<T, 3> p, T t) : aq_lanes_{p.aq_lanes_[0], p.aq_lanes_[1], p.aq_lanes_[2], t} {}
    constexpr vec(T p, vec<T, 3> q) : aq_lanes_{p, q.aq_lanes_[0], q.aq_lanes_[1], q.aq_lanes_[2]} {}
    // A scalar does not spread over a part: four lanes are given, no fewer.
    vec(T, T) = delete;
    vec(T, T, T) = delete;
    vec(vec<T, 2>, T) = delete;
    vec(T, vec<T, 2>) = delete;
    template<typename U> explicit constexpr vec(vec<U, 4> o)
        : aq_lanes_{T(o.aq_lanes_[0]), T(o.aq_lanes_[1]), T(o.aq_lanes_[2]), T(o.aq_lanes_[3])} {}
    AQ_ELEMENTS
    AQ_SWIZZLES(4)
    AQ_OPERATORS(4)
};

#define AQ_VECTORS(T)                                                                                        \
    typedef vec<T, 2> T##2;                                                                                  \
    typedef vec<T, 3> T##3;                                                                                  \
    typedef vec<T, 4> T##4;                                                                                  \
    static_assert(sizeof(T##2) == 2 * sizeof(T) && sizeof(T##3) == 4 * sizeof(T) && sizeof(T##4) == 4 * sizeof(T));
AQ_VECTORS(bool)
AQ_VECTORS(char)
AQ_VECTORS(uchar)
AQ_VECTORS(short)
AQ_VECTORS(ushort)
AQ_VECTORS(int)
AQ_VECTORS(uint)
AQ_VECTORS(long)
AQ_VECTORS(ulong)
AQ_VECTORS(half)
AQ_VECTORS(float)
#undef AQ_VECTORS

template<typename T, int N> struct numeric_limits<vec<T, N>> {
    static constexpr vec<T, N> min() { return vec<T, N>(numeric_limits<T>::min()); }
    static constexpr vec<T, N> lowest() { return vec<T, N>(numeric_limits<T>::lowest()); }
    static constexpr vec<T, N> max() { return vec<T, N>(numeric_limits<T>::max()); }
};

/// The type of a scalar, vector or packed vector's lanes.
template<typename T> struct make_scalar { typedef T type; };
template<typename T, int N> struct make_scalar<vec<T, N>> { typedef T type; };
template<typename T> using make_scalar_t = typename make_scalar<T>::type;
template<typename T> struct is_vector : false_type {};
template<typename T, int N> struct is_vector<vec<T, N>> : true_type {};
template<typename T> struct is_scalar : is_arithmetic<T> {};
template<typename T> struct vec_elements : integral_constant<int, 1> {};
template<typename T, int N> struct vec_elements<vec<T, N>> : integral_constant<int, N> {};

/// The bits of a value as another type of the same size.
template<typename T, typename U> constexpr T as_type(U value) {
    static_assert(sizeof(T) == sizeof(U), "as_type needs types of the same size");
    return __builtin_bit_cast(T, value);
}

} // namespace metal
using metal::as_type;
