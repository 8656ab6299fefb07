// Limits and constants (MSL 2.4, sections 6.6 and 6.7 and the limits of types).
#pragma once

#define CHAR_BIT 8
#define SCHAR_MAX 127
#define SCHAR_MIN (-128)
#define UCHAR_MAX 255
#define CHAR_MAX SCHAR_MAX
#define CHAR_MIN SCHAR_MIN
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295u
#define LONG_MAX 9223372036854775807l
#define LONG_MIN (-9223372036854775807l - 1)
#define ULONG_MAX 18446744073709551615ul

#define FLT_DIG 6
#define FLT_MANT_DIG 24
#define FLT_MAX_10_EXP 38
#define FLT_MAX_EXP 128
#define FLT_MIN_10_EXP (-37)
#define FLT_MIN_EXP (-125)
#define FLT_RADIX 2
#define FLT_MAX 0x1.fffffep127f
#define FLT_MIN 0x1.0p-126f
#define FLT_EPSILON 0x1.0p-23f
#define FLT_DECIMAL_DIG 9
#define FP_ILOGB0 (-2147483647 - 1)
#define FP_ILOGBNAN (-2147483647 - 1)
#define HALF_DIG 2
#define HALF_MANT_DIG 11
#define HALF_MAX_10_EXP 4
#define HALF_MAX_EXP 16
#define HALF_MIN_10_EXP (-4)
#define HALF_MIN_EXP (-13)
#define HALF_RADIX 2
#define HALF_MAX 0x1.ffcp15h
#define HALF_MIN 0x1.0p-14h
#define HALF_EPSILON 0x1.0p-10h
#define HALF_DECIMAL_DIG 5

#define MAXFLOAT FLT_MAX
#define MAXHALF HALF_MAX
#define HUGE_VALF (__builtin_inff())
#define HUGE_VALH half(__builtin_inff())
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))

#define M_E_F 2.71828182845904523536f
#define M_LOG2E_F 1.44269504088896340736f
#define M_LOG10E_F 0.434294481903251827651f
#define M_LN2_F 0.693147180559945309417f
#define M_LN10_F 2.30258509299404568402f
#define M_PI_F 3.14159265358979323846f
#define M_PI_2_F 1.57079632679489661923f
#define M_PI_4_F 0.785398163397448309616f
#define M_1_PI_F 0.318309886183790671538f
#define M_2_PI_F 0.636619772367581343076f
#define M_2_SQRTPI_F 1.12837916709551257390f
#define M_SQRT2_F 1.41421356237309504880f
#define M_SQRT1_2_F 0.707106781186547524401f
#define M_E_H half(M_E_F)
#define M_LOG2E_H half(M_LOG2E_F)
#define M_LOG10E_H half(M_LOG10E_F)
#define M_LN2_H half(M_LN2_F)
#define M_LN10_H half(M_LN10_F)
#define M_PI_H half(M_PI_F)
#define M_PI_2_H half(M_PI_2_F)
#define M_PI_4_H half(M_PI_4_F)
#define M_1_PI_H half(M_1_PI_F)
#define M_2_PI_H half(M_2_PI_F)
#define M_2_SQRTPI_H half(M_2_SQRTPI_F)
#define M_SQRT2_H half(M_SQRT2_F)
#define M_SQRT1_2_H half(M_SQRT1_2_F)

namespace metal {

template<typename T> struct numeric_limits;
#define AQ_LIMITS(T, LOW, HIGH)                               \
    template<> struct numeric_limits<T> {                     \
        static constexpr T min() { return LOW; }              \
        static constexpr T lowest() { return LOW; }           \
        static constexpr T max() { return HIGH; }             \
    };
AQ_LIMITS(bool, false, true)
AQ_LIMITS(char, CHAR_MIN, CHAR_MAX)
AQ_LIMITS(uchar, 0, UCHAR_MAX)
AQ_LIMITS(short, SHRT_MIN, SHRT_MAX)
AQ_LIMITS(ushort, 0, USHRT_MAX)
AQ_LIMITS(int, INT_MIN, INT_MAX)
AQ_LIMITS(uint, 0, UINT_MAX)
AQ_LIMITS(long, LONG_MIN, LONG_MAX)
AQ_LIMITS(ulong, 0, ULONG_MAX)
#undef AQ_LIMITS
template<> struct numeric_limits<float> {
    static constexpr float min() { return FLT_MIN; }
    static constexpr float lowest() { return -FLT_MAX; }
    static constexpr float max() { return FLT_MAX; }
    static constexpr float epsilon() { return FLT_EPSILON; }
    static constexpr float infinity() { return INFINITY; }
    static constexpr float quiet_NaN() { return NAN; }
};
template<> struct numeric_limits<half> {
    static constexpr half min() { return HALF_MIN; }
    static constexpr half lowest() { return -HALF_MAX; }
    static constexpr half max() { return HALF_MAX; }
    static constexpr half epsilon() { return HALF_EPSILON; }
    static constexpr half infinity() { return HUGE_VALH; }
    static constexpr half quiet_NaN() { return half(NAN); }
};

} // namespace metal
