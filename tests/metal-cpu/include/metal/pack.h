// Packing and unpacking (MSL 2.4, section 6.12).
#pragma once

namespace metal {

inline float aq_unorm(uint v, uint bits) { return float(v & ((1u << bits) - 1u)) / float((1u << bits) - 1u); }
inline float aq_snorm(uint v, uint bits) {
    int wide = int(v << (32 - bits)) >> (32 - bits);
    return max(float(wide) / float((1 << (bits - 1)) - 1), -1.0f);
}
inline uint aq_to_unorm(float v, uint bits) { return uint(rint(saturate(v) * float((1u << bits) - 1u))); }
inline uint aq_to_snorm(float v, uint bits) {
    float clamped = v == v ? clamp(v, -1.0f, 1.0f) : 0.0f;
    return uint(int(rint(clamped * float((1 << (bits - 1)) - 1)))) & ((1u << bits) - 1u);
}
inline float aq_from_srgb(float c) { return c <= 0.04045f ? c / 12.92f : pow((c + 0.055f) / 1.055f, 2.4f); }
inline float aq_to_srgb(float v) {
    float c = saturate(v);
    return c < 0.0031308f ? 12.92f * c : 1.055f * pow(c, 1.0f / 2.4f) - 0.055f;
}

#define AQ_UNPACK(T)                                                                                                     \
    inline vec<T, 4> unpack_unorm4x8_to_##T(uint v) {                                                                    \
        return vec<T, 4>(float4(aq_unorm(v, 8), aq_unorm(v >> 8, 8), aq_unorm(v >> 16, 8), aq_unorm(v >> 24, 8)));       \
    }                                                                                                                    \
    inline vec<T, 4> unpack_snorm4x8_to_##T(uint v) {                                                                    \
        return vec<T, 4>(float4(aq_snorm(v, 8), aq_snorm(v >> 8, 8), aq_snorm(v >> 16, 8), aq_snorm(v >> 24, 8)));       \
    }                                                                                                                    \
    inline vec<T, 4> unpack_unorm4x8_srgb_to_##T(uint v) {                                                               \
        return vec<T, 4>(float4(aq_from_srgb(aq_unorm(v, 8)), aq_from_srgb(aq_unorm(v >> 8, 8)),                         \
                                aq_from_srgb(aq_unorm(v >> 16, 8)), aq_unorm(v >> 24, 8)));                              \
    }                                                                                                                    \
    inline vec<T, 2> unpack_unorm2x16_to_##T(uint v) { return vec<T, 2>(float2(aq_unorm(v, 16), aq_unorm(v >> 16, 16))); } \
    inline vec<T, 2> unpack_snorm2x16_to_##T(uint v) { return vec<T, 2>(float2(aq_snorm(v, 16), aq_snorm(v >> 16, 16))); } \
    inline vec<T, 4> unpack_unorm10a2_to_##T(uint v) {                                                                   \
        return vec<T, 4>(float4(aq_unorm(v, 10), aq_unorm(v >> 10, 10), aq_unorm(v >> 20, 10), aq_unorm(v >> 30, 2)));   \
    }                                                                                                                    \
    inline vec<T, 3> unpack_unorm565_to_##T(ushort v) {                                                                  \
        return vec<T, 3>(float3(aq_unorm(v >> 11, 5), aq_unorm(v >> 5, 6), aq_unorm(v, 5)));                             \
    }                                                                                                                    \
    inline uint pack_##T##_to_unorm4x8(vec<T, 4> v) {                                                                    \
        return aq_to_unorm(v.x, 8) | aq_to_unorm(v.y, 8) << 8 | aq_to_unorm(v.z, 8) << 16 | aq_to_unorm(v.w, 8) << 24;   \
    }                                                                                                                    \
    inline uint pack_##T##_to_snorm4x8(vec<T, 4> v) {                                                                    \
        return aq_to_snorm(v.x, 8) | aq_to_snorm(v.y, 8) << 8 | aq_to_snorm(v.z, 8) << 16 | aq_to_snorm(v.w, 8) << 24;   \
    }                                                                                                                    \
    inline uint pack_##T##_to_srgb_unorm4x8(vec<T, 4> v) {                                                               \
        return aq_to_unorm(aq_to_srgb(v.x), 8) | aq_to_unorm(aq_to_srgb(v.y), 8) << 8 |                                  \
               aq_to_unorm(aq_to_srgb(v.z), 8) << 16 | aq_to_unorm(v.w, 8) << 24;                                        \
    }                                                                                                                    \
    inline uint pack_##T##_to_unorm2x16(vec<T, 2> v) { return aq_to_unorm(v.x, 16) | aq_to_unorm(v.y, 16) << 16; }       \
    inline uint pack_##T##_to_snorm2x16(vec<T, 2> v) { return aq_to_snorm(v.x, 16) | aq_to_snorm(v.y, 16) << 16; }       \
    inline uint pack_##T##_to_unorm10a2(vec<T, 4> v) {                                                                   \
        return aq_to_unorm(v.x, 10) | aq_to_unorm(v.y, 10) << 10 | aq_to_unorm(v.z, 10) << 20 | aq_to_unorm(v.w, 2) << 30; \
    }                                                                                                                    \
    inline ushort pack_##T##_to_unorm565(vec<T, 3> v) {                                                                  \
        return ushort(aq_to_unorm(v.x, 5) << 11 | aq_to_unorm(v.y, 6) << 5 | aq_to_unorm(v.z, 5));                       \
    }
AQ_UNPACK(float)
AQ_UNPACK(half)
#undef AQ_UNPACK

} // namespace metal
