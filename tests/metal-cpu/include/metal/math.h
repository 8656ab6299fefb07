// Common and math functions (MSL 2.4, sections 6.2 and 6.6). `half` goes by way of `float`. `fast::` and `precise::` are the same
// functions, of `float` alone.
#pragma once

namespace metal {

// F(name, value): the float function of one value `a`, and the half function.
#define AQ_MATH1(name, ...)                                                                                  \
    inline float name(float a) { return __VA_ARGS__; }                                                       \
    inline half name(half x) { float a = x; return half(__VA_ARGS__); }                                      \
    AQ_EACH1(float, name, float) AQ_EACH1(half, name, half)
#define AQ_MATH2(name, ...)                                                                                  \
    inline float name(float a, float b) { return __VA_ARGS__; }                                              \
    inline half name(half x, half y) { float a = x, b = y; return half(__VA_ARGS__); }                       \
    AQ_EACH2(float, name, float, float) AQ_EACH2(half, name, half, half)
#define AQ_MATH3(name, ...)                                                                                  \
    inline float name(float a, float b, float c) { return __VA_ARGS__; }                                     \
    inline half name(half x, half y, half z) { float a = x, b = y, c = z; return half(__VA_ARGS__); }        \
    AQ_EACH3(float, name, float, float, float) AQ_EACH3(half, name, half, half, half)

#define AQ_PI 3.14159265358979323846f
AQ_MATH1(abs, __builtin_fabsf(a))
AQ_MATH1(fabs, __builtin_fabsf(a))
AQ_MATH1(acos, __builtin_acosf(a))
AQ_MATH1(acosh, __builtin_acoshf(a))
AQ_MATH1(asin, __builtin_asinf(a))
AQ_MATH1(asinh, __builtin_asinhf(a))
AQ_MATH1(atan, __builtin_atanf(a))
AQ_MATH1(atanh, __builtin_atanhf(a))
AQ_MATH2(atan2, __builtin_atan2f(a, b))
AQ_MATH1(ceil, __builtin_ceilf(a))
AQ_MATH2(copysign, __builtin_copysignf(a, b))
AQ_MATH1(cos, __builtin_cosf(a))
AQ_MATH1(cosh, __builtin_coshf(a))
AQ_MATH1(sin, __builtin_sinf(a))
AQ_MATH1(sinh, __builtin_sinhf(a))
AQ_MATH1(tan, __builtin_tanf(a))
AQ_MATH1(tanh, __builtin_tanhf(a))
// One turn is two: taken off first, exactly.
AQ_MATH1(sinpi, __builtin_sinf((a - 2.0f * __builtin_floorf(a * 0.5f)) * AQ_PI))
AQ_MATH1(cospi, __builtin_cosf((a - 2.0f * __builtin_floorf(a * 0.5f)) * AQ_PI))
AQ_MATH1(tanpi, __builtin_tanf((a - __builtin_floorf(a)) * AQ_PI))
AQ_MATH2(divide, a / b)
AQ_MATH1(exp, __builtin_expf(a))
AQ_MATH1(exp2, __builtin_exp2f(a))
AQ_MATH1(exp10, __builtin_powf(10.0f, a))
AQ_MATH2(fdim, a > b ? a - b : a <= b ? 0.0f : __builtin_nanf(""))
AQ_MATH1(floor, __builtin_floorf(a))
AQ_MATH3(fma, __builtin_fmaf(a, b, c))
AQ_MATH2(fmax, __builtin_fmaxf(a, b))
AQ_MATH2(max, __builtin_fmaxf(a, b))
AQ_MATH2(fmin, __builtin_fminf(a, b))
AQ_MATH2(min, __builtin_fminf(a, b))
AQ_MATH3(fmax3, __builtin_fmaxf(a, __builtin_fmaxf(b, c)))
AQ_MATH3(max3, __builtin_fmaxf(a, __builtin_fmaxf(b, c)))
AQ_MATH3(fmin3, __builtin_fminf(a, __builtin_fminf(b, c)))
AQ_MATH3(min3, __builtin_fminf(a, __builtin_fminf(b, c)))
AQ_MATH3(fmedian3, __builtin_fmaxf(__builtin_fminf(a, b), __builtin_fminf(__builtin_fmaxf(a, b), c)))
AQ_MATH3(median3, __builtin_fmaxf(__builtin_fminf(a, b), __builtin_fminf(__builtin_fmaxf(a, b), c)))
AQ_MATH2(fmod, __builtin_fmodf(a, b))
AQ_MATH1(log, __builtin_logf(a))
AQ_MATH1(log2, __builtin_log2f(a))
AQ_MATH1(log10, __builtin_log10f(a))
AQ_MATH2(pow, __builtin_powf(a, b))
AQ_MATH2(powr, a < 0.0f ? __builtin_nanf("") : __builtin_powf(a, b))
AQ_MATH1(rint, __builtin_rintf(a))
AQ_MATH1(round, __builtin_roundf(a))
AQ_MATH1(sqrt, __builtin_sqrtf(a))
AQ_MATH1(rsqrt, 1.0f / __builtin_sqrtf(a))
AQ_MATH1(trunc, __builtin_truncf(a))
AQ_MATH3(clamp, __builtin_fminf(__builtin_fmaxf(a, b), c))
AQ_MATH1(saturate, __builtin_fminf(__builtin_fmaxf(a, 0.0f), 1.0f))
AQ_MATH1(sign, a > 0.0f ? 1.0f : a < 0.0f ? -1.0f : a == 0.0f ? a : 0.0f)
AQ_MATH2(step, b < a ? 0.0f : 1.0f)

// These round at each step, so `half` has its own.
#define AQ_MATH_STEPS(T, ONE_BELOW)                                                                          \
    inline T fract(T a) { return min(T(a - floor(a)), T(ONE_BELOW)); }                                       \
    AQ_EACH1(T, fract, T)                                                                                    \
    inline T mix(T a, T b, T t) { return a + (b - a) * t; }                                                  \
    AQ_EACH3(T, mix, T, T, T)                                                                                \
    inline T smoothstep(T a, T b, T x) {                                                                     \
        T t = clamp(T((x - a) / (b - a)), T(0), T(1));                                                       \
        return t * t * (T(3) - T(2) * t);                                                                    \
    }                                                                                                        \
    AQ_EACH3(T, smoothstep, T, T, T)                                                                         \
    inline T modf(T a, __private T& whole) {                                                                 \
        whole = trunc(a);                                                                                    \
        return copysign(isinf(a) ? T(0) : T(a - whole), a);                                                  \
    }                                                                                                        \
    AQ_EACH_OUT(T, modf, T, T)                                                                               \
    inline T sincos(T a, __private T& c) {                                                                   \
        c = cos(a);                                                                                          \
        return sin(a);                                                                                       \
    }                                                                                                        \
    AQ_EACH_OUT(T, sincos, T, T)                                                                             \
    inline T ldexp(T a, int k) { return T(__builtin_ldexpf(float(a), k)); }                                  \
    AQ_EACH2(T, ldexp, T, int)                                                                               \
    inline T frexp(T a, __private int& exponent) {                                                           \
        exponent = 0;                                                                                        \
        if (a == T(0) || !isfinite(a)) return a;                                                             \
        float x = float(a);                                                                                  \
        if (!isnormal(x)) { x *= 0x1p32f; exponent = -32; }                                                  \
        uint bits = as_type<uint>(x);                                                                        \
        exponent += int(bits >> 23 & 0xFFu) - 126;                                                           \
        return T(as_type<float>((bits & 0x807FFFFFu) | 0x3F000000u));                                        \
    }                                                                                                        \
    AQ_EACH_OUT(T, frexp, T, int)                                                                            \
    inline int ilogb(T a) {                                                                                  \
        if (a == T(0)) return FP_ILOGB0;                                                                     \
        if (isnan(a)) return FP_ILOGBNAN;                                                                    \
        if (isinf(a)) return INT_MAX;                                                                        \
        int exponent;                                                                                        \
        frexp(a, exponent);                                                                                  \
        return exponent - 1;                                                                                 \
    }                                                                                                        \
    AQ_EACH1(int, ilogb, T)
AQ_MATH_STEPS(half, 0x1.ffcp-1h)
AQ_MATH_STEPS(float, 0x1.fffffep-1f)

#define AQ_NEXTAFTER(T, BITS, S)                                                                             \
    inline T nextafter(T a, T b) {                                                                           \
        if (isnan(a) || isnan(b)) return a + b;                                                              \
        if (a == b) return b;                                                                                \
        if (a == T(0)) return copysign(as_type<T>(BITS(1)), b);                                              \
        S bits = as_type<S>(a);                                                                              \
        return as_type<T>(S((a < b) == (a > T(0)) ? bits + 1 : bits - 1));                                   \
    }                                                                                                        \
    AQ_EACH2(T, nextafter, T, T)
AQ_NEXTAFTER(half, ushort, short)
AQ_NEXTAFTER(float, uint, int)

#undef AQ_MATH_STEPS
#undef AQ_NEXTAFTER

// The variants: what is said of them is said of single precision. A half scalar turns into a float; vectors of half have none.
#define AQ_SINGLE1(name) \
    inline float name(float a) { return metal::name(a); } \
    AQ_EACH1(float, name, float)
#define AQ_SINGLE2(name) \
    inline float name(float a, float b) { return metal::name(a, b); } \
    AQ_EACH2(float, name, float, float)
#define AQ_SINGLE3(name) \
    inline float name(float a, float b, float c) { return metal::name(a, b, c); } \
    AQ_EACH3(float, name, float, float, float)
#define AQ_MATH_VARIANTS                                                                                     \
    AQ_SINGLE1(abs) AQ_SINGLE1(fabs) AQ_SINGLE1(acos) AQ_SINGLE1(acosh) AQ_SINGLE1(asin) AQ_SINGLE1(asinh)   \
    AQ_SINGLE1(atan) AQ_SINGLE1(atanh) AQ_SINGLE1(ceil) AQ_SINGLE1(cos) AQ_SINGLE1(cosh) AQ_SINGLE1(sin)     \
    AQ_SINGLE1(sinh) AQ_SINGLE1(tan) AQ_SINGLE1(tanh) AQ_SINGLE1(sinpi) AQ_SINGLE1(cospi) AQ_SINGLE1(tanpi)  \
    AQ_SINGLE1(exp) AQ_SINGLE1(exp2) AQ_SINGLE1(exp10) AQ_SINGLE1(floor) AQ_SINGLE1(log) AQ_SINGLE1(log2)    \
    AQ_SINGLE1(log10) AQ_SINGLE1(rint) AQ_SINGLE1(round) AQ_SINGLE1(sqrt) AQ_SINGLE1(rsqrt) AQ_SINGLE1(trunc) \
    AQ_SINGLE1(saturate) AQ_SINGLE1(sign) AQ_SINGLE1(fract)                                                  \
    AQ_SINGLE2(atan2) AQ_SINGLE2(copysign) AQ_SINGLE2(divide) AQ_SINGLE2(fdim) AQ_SINGLE2(fmax)              \
    AQ_SINGLE2(max) AQ_SINGLE2(fmin) AQ_SINGLE2(min) AQ_SINGLE2(fmod) AQ_SINGLE2(pow) AQ_SINGLE2(powr)       \
    AQ_SINGLE2(step) AQ_SINGLE2(nextafter)                                                                   \
    AQ_SINGLE3(fma) AQ_SINGLE3(fmax3) AQ_SINGLE3(max3) AQ_SINGLE3(fmin3) AQ_SINGLE3(min3) AQ_SINGLE3(fmedian3) \
    AQ_SINGLE3(median3) AQ_SINGLE3(clamp) AQ_SINGLE3(mix) AQ_SINGLE3(smoothstep)                             \
    inline float modf(float a, __private float& whole) { return metal::modf(a, whole); }                     \
    AQ_EACH_OUT(float, modf, float, float)                                                                   \
    inline float sincos(float a, __private float& c) { return metal::sincos(a, c); }                         \
    AQ_EACH_OUT(float, sincos, float, float)                                                                 \
    inline float frexp(float a, __private int& exponent) { return metal::frexp(a, exponent); }               \
    AQ_EACH_OUT(float, frexp, float, int)                                                                    \
    inline float ldexp(float a, int k) { return metal::ldexp(a, k); }                                        \
    AQ_EACH2(float, ldexp, float, int)
namespace fast { AQ_MATH_VARIANTS }
namespace precise { AQ_MATH_VARIANTS }

} // namespace metal
