// Packed vectors: lanes without padding and with the alignment of one. They turn into vectors and back without being asked.
#pragma once

namespace metal {

#define AQ_PACKED_OPERATOR(N, op)                                                                            \
    friend constexpr vec<T, N> operator op(packed_vec p, packed_vec q) { return vec<T, N>(p) op vec<T, N>(q); } \
    friend constexpr vec<T, N> operator op(packed_vec p, vec<T, N> q) { return vec<T, N>(p) op q; }          \
    friend constexpr vec<T, N> operator op(vec<T, N> p, packed_vec q) { return p op vec<T, N>(q); }          \
    friend constexpr vec<T, N> operator op(packed_vec p, T q) { return vec<T, N>(p) op vec<T, N>(q); }       \
    friend constexpr vec<T, N> operator op(T p, packed_vec q) { return vec<T, N>(p) op vec<T, N>(q); }       \
    constexpr packed_vec& operator op##=(vec<T, N> q) & {                                                    \
        *this = packed_vec(vec<T, N>(*this) op q);                                                           \
        return *this;                                                                                        \
    }
#define AQ_PACKED_COMPARISON(N, op)                                                                          \
    friend constexpr vec<bool, N> operator op(packed_vec p, packed_vec q) { return vec<T, N>(p) op vec<T, N>(q); } \
    friend constexpr vec<bool, N> operator op(packed_vec p, vec<T, N> q) { return vec<T, N>(p) op q; }       \
    friend constexpr vec<bool, N> operator op(vec<T, N> p, packed_vec q) { return p op vec<T, N>(q); }       \
    friend constexpr vec<bool, N> operator op(packed_vec p, T q) { return vec<T, N>(p) op vec<T, N>(q); }    \
    friend constexpr vec<bool, N> operator op(T p, packed_vec q) { return vec<T, N>(p) op vec<T, N>(q); }
#define AQ_PACKED(N)                                                                                         \
    T aq_lanes_[N];                                                                                          \
    AQ_COPIES(packed_vec)                                                                                    \
    AQ_VOLATILE(packed_vec, N)                                                                               \
    constexpr operator vec<T, N>() const { return AQ_LANES##N(aq_self, AQ_ITS); }                            \
    constexpr operator vec<T, N>() const __constant { return AQ_LANES##N(aq_self, AQ_ITS); }                 \
    template<typename U> explicit constexpr operator vec<U, N>() const { return vec<U, N>(vec<T, N>(*this)); } \
    AQ_ELEMENTS                                                                                              \
    AQ_SWIZZLES(N)                                                                                           \
    typedef vec<T, N> aq_self;                                                                               \
    AQ_PACKED_OPERATOR(N, +) AQ_PACKED_OPERATOR(N, -) AQ_PACKED_OPERATOR(N, *) AQ_PACKED_OPERATOR(N, /)      \
    AQ_PACKED_OPERATOR(N, %) AQ_PACKED_OPERATOR(N, &) AQ_PACKED_OPERATOR(N, |) AQ_PACKED_OPERATOR(N, ^)      \
    AQ_PACKED_OPERATOR(N, <<) AQ_PACKED_OPERATOR(N, >>)                                                      \
    AQ_PACKED_COMPARISON(N, ==) AQ_PACKED_COMPARISON(N, !=) AQ_PACKED_COMPARISON(N, <)                       \
    AQ_PACKED_COMPARISON(N, <=) AQ_PACKED_COMPARISON(N, >) AQ_PACKED_COMPARISON(N, >=)                       \
    friend constexpr vec<T, N> operator-(packed_vec p) { return -vec<T, N>(p); }                             \
    friend constexpr vec<T, N> operator~(packed_vec p) { return ~vec<T, N>(p); }
#define AQ_ITS(i) aq_lanes_[i]

template<typename T> struct packed_vec<T, 2> {
    constexpr packed_vec(vec<T, 2> v) : aq_lanes_{v.aq_lanes_[0], v.aq_lanes_[1]} {}
    explicit constexpr packed_vec(T s) : aq_lanes_{s, s} {}
    constexpr packed_vec(T p, T q) : aq_lanes_{p, q} {}
    AQ_PACKED(2)
};
template<typename T> struct packed_vec<T, 3> {
    constexpr packed_vec(vec<T, 3> v) : aq_lanes_{v.aq_lanes_[0], v.aq_lanes_[1], v.aq_lanes_[2]} {}
    explicit constexpr packed_vec(T s) : aq_lanes_{s, s, s} {}
    constexpr packed_vec(T p, T q, T s) : aq_lanes_{p, q, s} {}
    constexpr packed_vec(vec<T, 2> p, T s) : packed_vec(vec<T, 3>(p, s)) {}
    constexpr packed_vec(T p, vec<T, 2> q) : packed_vec(vec<T, 3>(p, q)) {}
    packed_vec(T, T) = delete;
    AQ_PACKED(3)
};
template<typename T> struct packed_vec<T, 4> {
    constexpr packed_vec(vec<T, 4> v) : aq_lanes_{v.aq_lanes_[0], v.aq_lanes_[1], v.aq_lanes_[2], v.aq_lanes_[3]} {}
    explicit constexpr packed_vec(T s) : aq_lanes_{s, s, s, s} {}
    constexpr packed_vec(T p, T q, T s, T t) : aq_lanes_{p, q, s, t} {}
    constexpr packed_vec(vec<T, 3> p, T t) : packed_vec(vec<T, 4>(p, t)) {}
    constexpr packed_vec(vec<T, 2> p, T s, T t) : packed_vec(vec<T, 4>(p, s, t)) {}
    AQ_PACKED(4)
};

#define AQ_PACKED_VECTORS(T)                                                                                 \
    typedef packed_vec<T, 2> packed_##T##2;                                                                  \
    typedef packed_vec<T, 3> packed_##T##3;                                                                  \
    typedef packed_vec<T, 4> packed_##T##4;                                                                  \
    static_assert(sizeof(packed_##T##2) == 2 * sizeof(T) && sizeof(packed_##T##3) == 3 * sizeof(T) && alignof(packed_##T##4) == alignof(T));
AQ_PACKED_VECTORS(bool)
AQ_PACKED_VECTORS(char)
AQ_PACKED_VECTORS(uchar)
AQ_PACKED_VECTORS(short)
AQ_PACKED_VECTORS(ushort)
AQ_PACKED_VECTORS(int)
AQ_PACKED_VECTORS(uint)
AQ_PACKED_VECTORS(long)
AQ_PACKED_VECTORS(ulong)
AQ_PACKED_VECTORS(half)
AQ_PACKED_VECTORS(float)
#undef AQ_PACKED_VECTORS

template<typename T, int N> struct make_scalar<packed_vec<T, N>> { typedef T type; };
template<typename T, int N> struct is_vector<packed_vec<T, N>> : true_type {};

} // namespace metal
