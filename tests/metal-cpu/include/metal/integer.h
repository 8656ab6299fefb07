// Integer functions (MSL 2.4, section 6.4).
#pragma once

namespace metal {

// The upper half of a product. 64 bits go by parts, since there is no wider type.
constexpr ulong aq_high(ulong a, ulong b) {
    ulong al = a & 0xFFFFFFFFul, ah = a >> 32, bl = b & 0xFFFFFFFFul, bh = b >> 32;
    ulong middle = (al * bl >> 32) + (ah * bl & 0xFFFFFFFFul) + al * bh;
    return ah * bh + (ah * bl >> 32) + (middle >> 32);
}
constexpr long aq_high(long a, long b) {
    return long(aq_high(ulong(a), ulong(b)) - (a < 0 ? ulong(b) : 0ul) - (b < 0 ? ulong(a) : 0ul));
}
constexpr long aq_high(int a, int b) { return long(a) * long(b) >> 32; }
constexpr ulong aq_high(uint a, uint b) { return ulong(a) * ulong(b) >> 32; }
constexpr int aq_high(short a, short b) { return int(a) * int(b) >> 16; }
constexpr uint aq_high(ushort a, ushort b) { return uint(a) * uint(b) >> 16; }
constexpr int aq_high(char a, char b) { return int(a) * int(b) >> 8; }
constexpr uint aq_high(uchar a, uchar b) { return uint(a) * uint(b) >> 8; }

#define AQ_INTEGER(T)                                                                                        \
    inline T abs(T p) { return p < T(0) ? T(-p) : p; }                                                       \
    AQ_EACH1(T, abs, T)                                                                                      \
    inline make_unsigned_t<T> absdiff(T p, T q) {                                                            \
        typedef make_unsigned_t<T> U;                                                                        \
        return p > q ? U(U(p) - U(q)) : U(U(q) - U(p));                                                      \
    }                                                                                                        \
    AQ_EACH2(make_unsigned_t<T>, absdiff, T, T)                                                              \
    inline T addsat(T p, T q) {                                                                              \
        typedef numeric_limits<T> L;                                                                         \
        if (q > T(0) && p > T(L::max() - q)) return L::max();                                                \
        if (q < T(0) && p < T(L::min() - q)) return L::min();                                                \
        return T(p + q);                                                                                     \
    }                                                                                                        \
    AQ_EACH2(T, addsat, T, T)                                                                                \
    inline T subsat(T p, T q) {                                                                              \
        typedef numeric_limits<T> L;                                                                         \
        if (q > T(0) && p < T(L::min() + q)) return L::min();                                                \
        if (q < T(0) && p > T(L::max() + q)) return L::max();                                                \
        return T(p - q);                                                                                     \
    }                                                                                                        \
    AQ_EACH2(T, subsat, T, T)                                                                                \
    inline T min(T p, T q) { return q < p ? q : p; }                                                         \
    AQ_EACH2(T, min, T, T)                                                                                   \
    inline T max(T p, T q) { return p < q ? q : p; }                                                         \
    AQ_EACH2(T, max, T, T)                                                                                   \
    inline T clamp(T p, T q, T s) { return min(max(p, q), s); }                                              \
    AQ_EACH3(T, clamp, T, T, T)                                                                              \
    inline T min3(T p, T q, T s) { return min(p, min(q, s)); }                                               \
    AQ_EACH3(T, min3, T, T, T)                                                                               \
    inline T max3(T p, T q, T s) { return max(p, max(q, s)); }                                               \
    AQ_EACH3(T, max3, T, T, T)                                                                               \
    inline T median3(T p, T q, T s) { return max(min(p, q), min(max(p, q), s)); }                            \
    AQ_EACH3(T, median3, T, T, T)                                                                            \
    inline T popcount(T p) { return T(__builtin_popcountl(ulong(make_unsigned_t<T>(p)))); }                  \
    AQ_EACH1(T, popcount, T)                                                                                 \
    inline T clz(T p) {                                                                                      \
        return p == T(0) ? T(8 * sizeof(T)) : T(__builtin_clzl(ulong(make_unsigned_t<T>(p))) - int(64 - 8 * sizeof(T))); \
    }                                                                                                        \
    AQ_EACH1(T, clz, T)                                                                                      \
    inline T ctz(T p) { return p == T(0) ? T(8 * sizeof(T)) : T(__builtin_ctzl(ulong(make_unsigned_t<T>(p)))); } \
    AQ_EACH1(T, ctz, T)                                                                                      \
    inline T reverse_bits(T p) {                                                                             \
        return T(__builtin_bitreverse64(ulong(make_unsigned_t<T>(p))) >> (64 - 8 * sizeof(T)));              \
    }                                                                                                        \
    AQ_EACH1(T, reverse_bits, T)                                                                             \
    inline T rotate(T p, T q) {                                                                              \
        typedef make_unsigned_t<T> U;                                                                        \
        U bits = U(8 * sizeof(T)), n = U(U(q) & U(bits - 1));                                                \
        return n == 0 ? p : T(U(U(p) << n) | U(U(p) >> U(bits - n)));                                        \
    }                                                                                                        \
    AQ_EACH2(T, rotate, T, T)                                                                                \
    inline T hadd(T p, T q) { return T(T(p >> 1) + T(q >> 1) + T(p & q & T(1))); }                           \
    AQ_EACH2(T, hadd, T, T)                                                                                  \
    inline T rhadd(T p, T q) { return T(T(p >> 1) + T(q >> 1) + T((p | q) & T(1))); }                        \
    AQ_EACH2(T, rhadd, T, T)                                                                                 \
    inline T mulhi(T p, T q) { return T(aq_high(p, q)); }                                                    \
    AQ_EACH2(T, mulhi, T, T)                                                                                 \
    inline T madhi(T p, T q, T s) { return T(mulhi(p, q) + s); }                                             \
    AQ_EACH3(T, madhi, T, T, T)                                                                              \
    inline T madsat(T p, T q, T s) {                                                                         \
        typedef numeric_limits<T> L;                                                                         \
        /* The product as two halves; the sum fits where the upper half repeats the lower's sign. */         \
        T low = T(make_unsigned_t<T>(p) * make_unsigned_t<T>(q)), high = mulhi(p, q);                        \
        make_unsigned_t<T> sum = make_unsigned_t<T>(make_unsigned_t<T>(low) + make_unsigned_t<T>(s));        \
        high = T(high + (s < T(0) ? T(-1) : T(0)) + (sum < make_unsigned_t<T>(low) ? T(1) : T(0)));          \
        if (T(sum) < T(0) ? high == T(-1) : high == T(0)) return T(sum);                                     \
        return high < T(0) ? L::min() : L::max();                                                            \
    }                                                                                                        \
    AQ_EACH3(T, madsat, T, T, T)                                                                             \
    inline T extract_bits(T p, uint o, uint b) {                                                             \
        typedef make_unsigned_t<T> U;                                                                        \
        uint size = 8 * sizeof(T);                                                                           \
        if (b == 0) return T(0);                                                                             \
        if (b > size) b = size;                                                                              \
        if (o + b > size) o = size - b;                                                                      \
        return T(T(U(U(p) << (size - o - b))) >> (size - b));                                                \
    }                                                                                                        \
    AQ_EACH1_BITS(extract_bits, T)                                                                           \
    inline T insert_bits(T p, T q, uint o, uint b) {                                                         \
        typedef make_unsigned_t<T> U;                                                                        \
        uint size = 8 * sizeof(T);                                                                           \
        if (b == 0) return p;                                                                                \
        U ones = b >= size ? U(~U(0)) : U((U(1) << b) - 1);                                                  \
        U mask = U(ones << o);                                                                               \
        return T(U(U(p) & U(~mask)) | U(U(U(q) << o) & mask));                                               \
    }                                                                                                        \
    AQ_EACH2_BITS(insert_bits, T)
AQ_FOR_INTEGERS(AQ_INTEGER)
#undef AQ_INTEGER

#define AQ_INTEGER24(T, KEEP)                                                                                \
    inline T mul24(T p, T q) { return T(uint(KEEP(p)) * uint(KEEP(q))); }                                    \
    AQ_EACH2(T, mul24, T, T)                                                                                 \
    inline T mad24(T p, T q, T s) { return T(uint(mul24(p, q)) + uint(s)); }                                 \
    AQ_EACH3(T, mad24, T, T, T)
#define AQ_LOW24_SIGNED(v) (int(uint(v) << 8) >> 8)
#define AQ_LOW24(v) ((v) & 0xFFFFFFu)
AQ_INTEGER24(int, AQ_LOW24_SIGNED)
AQ_INTEGER24(uint, AQ_LOW24)
#undef AQ_INTEGER24

} // namespace metal
