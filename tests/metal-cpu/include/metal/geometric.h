// Geometric functions (MSL 2.4, section 6.8). Sums go from the first lane to the last.
#pragma once

namespace metal {

#define AQ_GEOMETRIC(T, N)                                                                                   \
    inline T dot(vec<T, N> p, vec<T, N> q) {                                                                 \
        T sum = AQ_P(0) * AQ_Q(0);                                                                           \
        for (int i = 1; i < N; i++) sum = sum + AQ_P(i) * AQ_Q(i);                                           \
        return sum;                                                                                          \
    }                                                                                                        \
    inline T length_squared(vec<T, N> p) { return dot(p, p); }                                               \
    inline T length(vec<T, N> p) { return sqrt(dot(p, p)); }                                                 \
    inline T distance(vec<T, N> p, vec<T, N> q) { return length(p - q); }                                    \
    inline T distance_squared(vec<T, N> p, vec<T, N> q) { return length_squared(p - q); }                    \
    inline vec<T, N> normalize(vec<T, N> p) { return p * rsqrt(dot(p, p)); }                                 \
    inline vec<T, N> faceforward(vec<T, N> n, vec<T, N> i, vec<T, N> r) { return n * (dot(r, i) < T(0) ? T(1) : T(-1)); } \
    inline vec<T, N> reflect(vec<T, N> i, vec<T, N> n) { return i - n * (T(2) * dot(n, i)); }                \
    inline vec<T, N> refract(vec<T, N> i, vec<T, N> n, T eta) {                                              \
        T d = dot(n, i);                                                                                     \
        T k = T(1) - eta * eta * (T(1) - d * d);                                                             \
        return k < T(0) ? vec<T, N>(T(0)) : i * eta - n * (eta * d + sqrt(k));                               \
    }
AQ_GEOMETRIC(float, 2)
AQ_GEOMETRIC(float, 3)
AQ_GEOMETRIC(float, 4)
AQ_GEOMETRIC(half, 2)
AQ_GEOMETRIC(half, 3)
AQ_GEOMETRIC(half, 4)
#undef AQ_GEOMETRIC

inline float3 cross(float3 p, float3 q) { return p.yzx * q.zxy - p.zxy * q.yzx; }
inline half3 cross(half3 p, half3 q) { return p.yzx * q.zxy - p.zxy * q.yzx; }

#define AQ_GEOMETRIC_VARIANT(N)                                                                              \
    inline float dot(vec<float, N> p, vec<float, N> q) { return metal::dot(p, q); }                          \
    inline float length(vec<float, N> p) { return metal::length(p); }                                        \
    inline float length_squared(vec<float, N> p) { return metal::length_squared(p); }                        \
    inline float distance(vec<float, N> p, vec<float, N> q) { return metal::distance(p, q); }                \
    inline float distance_squared(vec<float, N> p, vec<float, N> q) { return metal::distance_squared(p, q); } \
    inline vec<float, N> normalize(vec<float, N> p) { return metal::normalize(p); }
#define AQ_GEOMETRIC_VARIANTS AQ_GEOMETRIC_VARIANT(2) AQ_GEOMETRIC_VARIANT(3) AQ_GEOMETRIC_VARIANT(4)
namespace fast { AQ_GEOMETRIC_VARIANTS }
namespace precise { AQ_GEOMETRIC_VARIANTS }

} // namespace metal

// The vectors and functions of the host's library of the same name.
namespace simd { using namespace metal; }
