// Textures: the classes of MSL 2.4 (6.12), whose methods ask the runner. A texture is a handle.
//
// Methods are written once and expanded twice, for objects anywhere and for those in `constant` (argument buffers). What an
// access does not allow is a static assertion, which fires where the method is used.
#pragma once

#include "texture_sampler.h"

namespace metal {

namespace aq_texture {

template<typename T> struct is_texel : false_type {};
template<> struct is_texel<float> : true_type {};
template<> struct is_texel<half> : true_type {};
template<> struct is_texel<int> : true_type {};
template<> struct is_texel<uint> : true_type {};
template<> struct is_texel<short> : true_type {};
template<> struct is_texel<ushort> : true_type {};

// Places.
inline void put(thread aq_sample& how, float at) { how.at[0] = at; }
inline void put(thread aq_sample& how, float2 at) {
    how.at[0] = at.x;
    how.at[1] = at.y;
}
inline void put(thread aq_sample& how, float3 at) {
    how.at[0] = at.x;
    how.at[1] = at.y;
    how.at[2] = at.z;
}
template<typename C> aq_sample place(C at, uint layer, float reference) {
    aq_sample how = {};
    put(how, at);
    how.layer = layer;
    how.reference = reference;
    return how;
}

// Options.
inline void option(thread aq_sample& how, bias b) { how.level_or_bias = b.aq_value; }
inline void option(thread aq_sample& how, level l) {
    how.lod = AQ_LOD_LEVEL;
    how.level_or_bias = l.aq_value;
}
inline void option(thread aq_sample& how, min_lod_clamp c) { how.min_lod = c.aq_value; }
inline void option(thread aq_sample& how, gradient2d g) {
    how.lod = AQ_LOD_GRADIENT;
    how.ddx[0] = g.aq_x.x;
    how.ddx[1] = g.aq_x.y;
    how.ddy[0] = g.aq_y.x;
    how.ddy[1] = g.aq_y.y;
}
inline void gradient(thread aq_sample& how, float3 x, float3 y) {
    how.lod = AQ_LOD_GRADIENT;
    how.ddx[0] = x.x;
    how.ddx[1] = x.y;
    how.ddx[2] = x.z;
    how.ddy[0] = y.x;
    how.ddy[1] = y.y;
    how.ddy[2] = y.z;
}
inline void option(thread aq_sample& how, gradient3d g) { gradient(how, g.aq_x, g.aq_y); }
inline void option(thread aq_sample& how, gradientcube g) { gradient(how, g.aq_x, g.aq_y); }
inline void option(thread aq_sample& how, int2 offset) {
    how.offset[0] = offset.x;
    how.offset[1] = offset.y;
}
inline void option(thread aq_sample& how, int3 offset) {
    how.offset[0] = offset.x;
    how.offset[1] = offset.y;
    how.offset[2] = offset.z;
}
inline void option(thread aq_sample& how, component c) { how.component = uint(c); }

// Texels as words.
inline void lane(thread float& to, uint word) { to = __builtin_astype(word, float); }
inline void lane(thread half& to, uint word) { to = half(__builtin_astype(word, float)); }
inline void lane(thread int& to, uint word) { to = int(word); }
inline void lane(thread uint& to, uint word) { to = word; }
inline void lane(thread short& to, uint word) { to = short(word); }
inline void lane(thread ushort& to, uint word) { to = ushort(word); }
inline uint word(float from) { return __builtin_astype(from, uint); }
inline uint word(half from) { return __builtin_astype(float(from), uint); }
inline uint word(int from) { return uint(from); }
inline uint word(uint from) { return from; }
inline uint word(short from) { return uint(int(from)); }
inline uint word(ushort from) { return from; }
template<typename T> vec<T, 4> texel(const thread uint* words) {
    T lanes[4];
    for (int i = 0; i < 4; i++) {
        lane(lanes[i], words[i]);
    }
    return vec<T, 4>(lanes[0], lanes[1], lanes[2], lanes[3]);
}

inline const aq_sampler_state* state(const thread sampler& s) {
    return s.aq_handle == AQ_STATE_HANDLE ? (const aq_sampler_state*)&s.aq_state : (const aq_sampler_state*)0;
}

// What sampling gives: four lanes, or for depth one.
template<typename T> struct color {
    static vec<T, 4> sample(ulong handle, sampler s, aq_sample how) {
        uint words[4];
        ::aq_texture_sample(handle, s.aq_handle, state(s), &how, words);
        return texel<T>(words);
    }
    static vec<T, 4> read(ulong handle, uint3 at, uint layer, uint level, uint sample) {
        uint place[3] = {at.x, at.y, at.z}, words[4];
        ::aq_texture_read(handle, place, layer, level, sample, words);
        return texel<T>(words);
    }
};
template<typename T> struct depth {
    static T sample(ulong handle, sampler s, aq_sample how) { return color<T>::sample(handle, s, how).x; }
    static T compare(ulong handle, sampler s, aq_sample how) {
        uint words[4];
        ::aq_texture_sample_compare(handle, s.aq_handle, state(s), &how, words);
        return texel<T>(words).x;
    }
    static vec<T, 4> gather_compare(ulong handle, sampler s, aq_sample how) {
        uint words[4];
        ::aq_texture_gather_compare(handle, s.aq_handle, state(s), &how, words);
        return texel<T>(words);
    }
    static T read(ulong handle, uint3 at, uint layer, uint level, uint sample) {
        return color<T>::read(handle, at, layer, level, sample).x;
    }
};
template<typename T> vec<T, 4> gather(ulong handle, sampler s, aq_sample how) {
    uint words[4];
    ::aq_texture_gather(handle, s.aq_handle, state(s), &how, words);
    return texel<T>(words);
}
inline float2 lod(ulong handle, sampler s, aq_sample how) {
    float answers[2];
    ::aq_texture_lod(handle, s.aq_handle, state(s), &how, answers);
    return float2(answers[0], answers[1]);
}
template<typename T> void write(ulong handle, vec<T, 4> value, uint3 at, uint layer, uint level) {
    uint place[3] = {at.x, at.y, at.z};
    uint words[4] = {word(value.x), word(value.y), word(value.z), word(value.w)};
    ::aq_texture_write(handle, place, layer, level, words);
}

} // namespace aq_texture

#define AQ_ARGUMENTS(...) __VA_ARGS__
#define AQ_SAMPLES static_assert(A == access::sample, "only a texture with access::sample can be sampled")
#define AQ_READS static_assert(A != access::write, "a texture with access::write cannot be read")
#define AQ_WRITES \
    static_assert(A == access::write || A == access::read_write, "only a texture with access::write or read_write can be written")

// One method `name` with options. `arguments` are those behind the sampler, `place` makes an aq_sample of them.
#define AQ_METHOD0(Q, R, run, name, arguments, place)                                                        \
    R name(sampler s, AQ_ARGUMENTS arguments) Q {                                                            \
        AQ_SAMPLES;                                                                                          \
        return run(aq_handle, s, place);                                                                     \
    }
#define AQ_METHOD1(Q, R, run, name, arguments, place, O1)                                                    \
    R name(sampler s, AQ_ARGUMENTS arguments, O1 option1) Q {                                                \
        AQ_SAMPLES;                                                                                          \
        aq_sample how = place;                                                                               \
        aq_texture::option(how, option1);                                                                    \
        return run(aq_handle, s, how);                                                                       \
    }
#define AQ_METHOD2(Q, R, run, name, arguments, place, O1, O2)                                                \
    R name(sampler s, AQ_ARGUMENTS arguments, O1 option1, O2 option2) Q {                                    \
        AQ_SAMPLES;                                                                                          \
        aq_sample how = place;                                                                               \
        aq_texture::option(how, option1);                                                                    \
        aq_texture::option(how, option2);                                                                    \
        return run(aq_handle, s, how);                                                                       \
    }
#define AQ_METHOD3(Q, R, run, name, arguments, place, O1, O2, O3)                                            \
    R name(sampler s, AQ_ARGUMENTS arguments, O1 option1, O2 option2, O3 option3) Q {                        \
        AQ_SAMPLES;                                                                                          \
        aq_sample how = place;                                                                               \
        aq_texture::option(how, option1);                                                                    \
        aq_texture::option(how, option2);                                                                    \
        aq_texture::option(how, option3);                                                                    \
        return run(aq_handle, s, how);                                                                       \
    }
// All ways to find the level of detail; G is the gradient's type.
#define AQ_METHODS(Q, R, run, name, arguments, place, G)                                                     \
    AQ_METHOD0(Q, R, run, name, arguments, place)                                                            \
    AQ_METHOD1(Q, R, run, name, arguments, place, bias)                                                      \
    AQ_METHOD1(Q, R, run, name, arguments, place, level)                                                     \
    AQ_METHOD1(Q, R, run, name, arguments, place, G)                                                         \
    AQ_METHOD1(Q, R, run, name, arguments, place, min_lod_clamp)                                             \
    AQ_METHOD2(Q, R, run, name, arguments, place, bias, min_lod_clamp)                                       \
    AQ_METHOD2(Q, R, run, name, arguments, place, G, min_lod_clamp)
// The same with an offset of type O behind.
#define AQ_METHODS_OFFSET(Q, R, run, name, arguments, place, G, O)                                           \
    AQ_METHODS(Q, R, run, name, arguments, place, G)                                                         \
    AQ_METHOD1(Q, R, run, name, arguments, place, O)                                                         \
    AQ_METHOD2(Q, R, run, name, arguments, place, bias, O)                                                   \
    AQ_METHOD2(Q, R, run, name, arguments, place, level, O)                                                  \
    AQ_METHOD2(Q, R, run, name, arguments, place, G, O)                                                      \
    AQ_METHOD2(Q, R, run, name, arguments, place, min_lod_clamp, O)                                          \
    AQ_METHOD3(Q, R, run, name, arguments, place, bias, min_lod_clamp, O)                                    \
    AQ_METHOD3(Q, R, run, name, arguments, place, G, min_lod_clamp, O)

#define AQ_AT(at) aq_texture::place(at, 0u, 0.0f)
#define AQ_AT_LAYER(at, layer) aq_texture::place(at, uint(layer), 0.0f)
#define AQ_COMPARE(at) aq_texture::place(at, 0u, compare_value)
#define AQ_COMPARE_LAYER(at, layer) aq_texture::place(at, uint(layer), compare_value)

// Reads and writes, for 32 and 16-bit coordinates. `U` is the coordinate's type and `I` that of the other arguments; `at`, `layer` and
// `level` are made of them.
#define AQ_READ(Q, R, run, U, arguments, at, layer, level, sample)                                           \
    R read(U coord AQ_ARGUMENTS arguments) Q {                                                               \
        AQ_READS;                                                                                            \
        return run(aq_handle, at, uint(layer), uint(level), uint(sample));                                   \
    }
#define AQ_WRITE(Q, U, arguments, at, layer, level)                                                          \
    void write(vec<T, 4> color, U coord AQ_ARGUMENTS arguments) Q {                                          \
        AQ_WRITES;                                                                                           \
        aq_texture::write<T>(aq_handle, color, at, uint(layer), uint(level));                                \
    }
#define AQ_AT1 uint3(uint(coord), 0u, 0u)
#define AQ_AT2 uint3(uint(coord.x), uint(coord.y), 0u)
#define AQ_AT3 uint3(uint(coord.x), uint(coord.y), uint(coord.z))
#define AQ_COLOR_READ aq_texture::color<T>::read
#define AQ_DEPTH_READ aq_texture::depth<T>::read

#define AQ_QUERY(name, what)                                                                                 \
    uint name() const { return aq_texture_query(aq_handle, what, 0u); }                                      \
    uint name() const __constant { return aq_texture_query(aq_handle, what, 0u); }
#define AQ_QUERY_LEVEL(name, what)                                                                           \
    uint name(uint lod = 0) const { return aq_texture_query(aq_handle, what, lod); }                         \
    uint name(uint lod = 0) const __constant { return aq_texture_query(aq_handle, what, lod); }
#define AQ_LODS(Q, C)                                                                                        \
    float calculate_clamped_lod(sampler s, C coord) Q {                                                      \
        AQ_SAMPLES;                                                                                          \
        return aq_texture::lod(aq_handle, s, AQ_AT(coord)).x;                                                \
    }                                                                                                        \
    float calculate_unclamped_lod(sampler s, C coord) Q {                                                    \
        AQ_SAMPLES;                                                                                          \
        return aq_texture::lod(aq_handle, s, AQ_AT(coord)).y;                                                \
    }
#define AQ_FENCE(Q) \
    void fence() Q { static_assert(A == access::read_write, "only a texture with access::read_write has a fence"); }

// What all classes have. They are values: copies of handles.
#define AQ_TEXTURE(C)                                                                                        \
    ulong aq_handle;                                                                                         \
    typedef vec<T, 4> aq_color;                                                                              \
    C() = default;                                                                                           \
    C(const C&) = default;                                                                                   \
    C(C&&) = default;                                                                                        \
    C(const __constant C&) = default;                                                                        \
    C& operator=(const C&) = default;                                                                        \
    C& operator=(C&&) = default;                                                                             \
    C& operator=(const __constant C&) = default;
#define AQ_ELEMENT static_assert(aq_texture::is_texel<T>::value, "a texture holds float, half, int, uint, short or ushort");
#define AQ_DEPTH_ELEMENT                                                                                     \
    static_assert(is_same<T, float>::value, "a depth texture holds float");                                  \
    static_assert(A == access::sample || A == access::read, "a depth texture has access::sample or read");
#define AQ_MULTISAMPLED static_assert(A == access::read || A == access::sample, "a multisampled texture is only read");
#define AQ_TWICE(M) M(const) M(const __constant)

template<typename T, access A = access::sample> struct texture1d {
    AQ_ELEMENT
    AQ_TEXTURE(texture1d)
#define AQ_ALL(Q)                                                                                            \
    AQ_METHOD0(Q, aq_color, aq_texture::color<T>::sample, sample, (float coord), AQ_AT(coord)) \
    AQ_READ(Q, aq_color, AQ_COLOR_READ, uint, (, uint lod = 0), AQ_AT1, 0, lod, 0)            \
    AQ_READ(Q, aq_color, AQ_COLOR_READ, ushort, (, ushort lod = 0), AQ_AT1, 0, lod, 0)        \
    AQ_WRITE(Q, uint, (, uint lod = 0), AQ_AT1, 0, lod)                                                      \
    AQ_WRITE(Q, ushort, (, ushort lod = 0), AQ_AT1, 0, lod)                                                  \
    AQ_FENCE(Q)
    AQ_TWICE(AQ_ALL)
#undef AQ_ALL
    AQ_QUERY_LEVEL(get_width, 0u)
    AQ_QUERY(get_num_mip_levels, 4u)
};

template<typename T, access A = access::sample> struct texture1d_array {
    AQ_ELEMENT
    AQ_TEXTURE(texture1d_array)
#define AQ_ALL(Q)                                                                                            \
    AQ_METHOD0(Q, aq_color, aq_texture::color<T>::sample, sample, (float coord, uint array), AQ_AT_LAYER(coord, array)) \
    AQ_READ(Q, aq_color, AQ_COLOR_READ, uint, (, uint array, uint lod = 0), AQ_AT1, array, lod, 0) \
    AQ_READ(Q, aq_color, AQ_COLOR_READ, ushort, (, ushort array, ushort lod = 0), AQ_AT1, array, lod, 0) \
    AQ_WRITE(Q, uint, (, uint array, uint lod = 0), AQ_AT1, array, lod)                                      \
    AQ_WRITE(Q, ushort, (, ushort array, ushort lod = 0), AQ_AT1, array, lod)                                \
    AQ_FENCE(Q)
    AQ_TWICE(AQ_ALL)
#undef AQ_ALL
    AQ_QUERY_LEVEL(get_width, 0u)
    AQ_QUERY(get_array_size, 3u)
    AQ_QUERY(get_num_mip_levels, 4u)
};

template<typename T, access A = access::sample> struct texture2d {
    AQ_ELEMENT
    AQ_TEXTURE(texture2d)
#define AQ_ALL(Q)                                                                                            \
    AQ_METHODS_OFFSET(Q, aq_color, aq_texture::color<T>::sample, sample, (float2 coord), AQ_AT(coord), gradient2d, int2) \
    AQ_METHOD0(Q, aq_color, aq_texture::gather<T>, gather, (float2 coord), AQ_AT(coord))      \
    AQ_METHOD1(Q, aq_color, aq_texture::gather<T>, gather, (float2 coord), AQ_AT(coord), int2) \
    AQ_METHOD2(Q, aq_color, aq_texture::gather<T>, gather, (float2 coord), AQ_AT(coord), int2, component) \
    AQ_READ(Q, aq_color, AQ_COLOR_READ, uint2, (, uint lod = 0), AQ_AT2, 0, lod, 0)           \
    AQ_READ(Q, aq_color, AQ_COLOR_READ, ushort2, (, ushort lod = 0), AQ_AT2, 0, lod, 0)       \
    AQ_WRITE(Q, uint2, (, uint lod = 0), AQ_AT2, 0, lod)                                                     \
    AQ_WRITE(Q, ushort2, (, ushort lod = 0), AQ_AT2, 0, lod)                                                 \
    AQ_LODS(Q, float2)                                                                                       \
    AQ_FENCE(Q)
    AQ_TWICE(AQ_ALL)
#undef AQ_ALL
    AQ_QUERY_LEVEL(get_width, 0u)
    AQ_QUERY_LEVEL(get_height, 1u)
    AQ_QUERY(get_num_mip_levels, 4u)
};

template<typename T, access A = access::sample> struct texture2d_array {
    AQ_ELEMENT
    AQ_TEXTURE(texture2d_array)
#define AQ_ALL(Q)                                                                                            \
    AQ_METHODS_OFFSET(Q, aq_color, aq_texture::color<T>::sample, sample, (float2 coord, uint array), AQ_AT_LAYER(coord, array), gradient2d, int2) \
    AQ_METHOD0(Q, aq_color, aq_texture::gather<T>, gather, (float2 coord, uint array), AQ_AT_LAYER(coord, array)) \
    AQ_METHOD1(Q, aq_color, aq_texture::gather<T>, gather, (float2 coord, uint array), AQ_AT_LAYER(coord, array), int2) \
    AQ_METHOD2(Q, aq_color, aq_texture::gather<T>, gather, (float2 coord, uint array), AQ_AT_LAYER(coord, array), int2, component) \
    AQ_READ(Q, aq_color, AQ_COLOR_READ, uint2, (, uint array, uint lod = 0), AQ_AT2, array, lod, 0) \
    AQ_READ(Q, aq_color, AQ_COLOR_READ, ushort2, (, ushort array, ushort lod = 0), AQ_AT2, array, lod, 0) \
    AQ_WRITE(Q, uint2, (, uint array, uint lod = 0), AQ_AT2, array, lod)                                     \
    AQ_WRITE(Q, ushort2, (, ushort array, ushort lod = 0), AQ_AT2, array, lod)                               \
    AQ_LODS(Q, float2)                                                                                       \
    AQ_FENCE(Q)
    AQ_TWICE(AQ_ALL)
#undef AQ_ALL
    AQ_QUERY_LEVEL(get_width, 0u)
    AQ_QUERY_LEVEL(get_height, 1u)
    AQ_QUERY(get_array_size, 3u)
    AQ_QUERY(get_num_mip_levels, 4u)
};

template<typename T, access A = access::sample> struct texture3d {
    AQ_ELEMENT
    AQ_TEXTURE(texture3d)
#define AQ_ALL(Q)                                                                                            \
    AQ_METHODS_OFFSET(Q, aq_color, aq_texture::color<T>::sample, sample, (float3 coord), AQ_AT(coord), gradient3d, int3) \
    AQ_READ(Q, aq_color, AQ_COLOR_READ, uint3, (, uint lod = 0), AQ_AT3, 0, lod, 0)           \
    AQ_READ(Q, aq_color, AQ_COLOR_READ, ushort3, (, ushort lod = 0), AQ_AT3, 0, lod, 0)       \
    AQ_WRITE(Q, uint3, (, uint lod = 0), AQ_AT3, 0, lod)                                                     \
    AQ_WRITE(Q, ushort3, (, ushort lod = 0), AQ_AT3, 0, lod)                                                 \
    AQ_LODS(Q, float3)                                                                                       \
    AQ_FENCE(Q)
    AQ_TWICE(AQ_ALL)
#undef AQ_ALL
    AQ_QUERY_LEVEL(get_width, 0u)
    AQ_QUERY_LEVEL(get_height, 1u)
    AQ_QUERY_LEVEL(get_depth, 2u)
    AQ_QUERY(get_num_mip_levels, 4u)
};

template<typename T, access A = access::sample> struct texturecube {
    AQ_ELEMENT
    AQ_TEXTURE(texturecube)
#define AQ_ALL(Q)                                                                                            \
    AQ_METHODS(Q, aq_color, aq_texture::color<T>::sample, sample, (float3 coord), AQ_AT(coord), gradientcube) \
    AQ_METHOD0(Q, aq_color, aq_texture::gather<T>, gather, (float3 coord), AQ_AT(coord))      \
    AQ_METHOD1(Q, aq_color, aq_texture::gather<T>, gather, (float3 coord), AQ_AT(coord), component) \
    AQ_READ(Q, aq_color, AQ_COLOR_READ, uint2, (, uint face, uint lod = 0), AQ_AT2, face, lod, 0) \
    AQ_READ(Q, aq_color, AQ_COLOR_READ, ushort2, (, ushort face, ushort lod = 0), AQ_AT2, face, lod, 0) \
    AQ_WRITE(Q, uint2, (, uint face, uint lod = 0), AQ_AT2, face, lod)                                       \
    AQ_WRITE(Q, ushort2, (, ushort face, ushort lod = 0), AQ_AT2, face, lod)                                 \
    AQ_LODS(Q, float3)                                                                                       \
    AQ_FENCE(Q)
    AQ_TWICE(AQ_ALL)
#undef AQ_ALL
    AQ_QUERY_LEVEL(get_width, 0u)
    AQ_QUERY_LEVEL(get_height, 1u)
    AQ_QUERY(get_num_mip_levels, 4u)
};

template<typename T, access A = access::sample> struct texturecube_array {
    AQ_ELEMENT
    AQ_TEXTURE(texturecube_array)
#define AQ_FACE(face, array) (uint(array) * 6u + uint(face))
#define AQ_ALL(Q)                                                                                            \
    AQ_METHODS(Q, aq_color, aq_texture::color<T>::sample, sample, (float3 coord, uint array), AQ_AT_LAYER(coord, array), gradientcube) \
    AQ_METHOD0(Q, aq_color, aq_texture::gather<T>, gather, (float3 coord, uint array), AQ_AT_LAYER(coord, array)) \
    AQ_METHOD1(Q, aq_color, aq_texture::gather<T>, gather, (float3 coord, uint array), AQ_AT_LAYER(coord, array), component) \
    AQ_READ(Q, aq_color, AQ_COLOR_READ, uint2, (, uint face, uint array, uint lod = 0), AQ_AT2, AQ_FACE(face, array), lod, 0) \
    AQ_READ(Q, aq_color, AQ_COLOR_READ, ushort2, (, ushort face, ushort array, ushort lod = 0), AQ_AT2, AQ_FACE(face, array), lod, 0) \
    AQ_WRITE(Q, uint2, (, uint face, uint array, uint lod = 0), AQ_AT2, AQ_FACE(face, array), lod)           \
    AQ_WRITE(Q, ushort2, (, ushort face, ushort array, ushort lod = 0), AQ_AT2, AQ_FACE(face, array), lod)   \
    AQ_LODS(Q, float3)                                                                                       \
    AQ_FENCE(Q)
    AQ_TWICE(AQ_ALL)
#undef AQ_ALL
    AQ_QUERY_LEVEL(get_width, 0u)
    AQ_QUERY_LEVEL(get_height, 1u)
    AQ_QUERY(get_array_size, 3u)
    AQ_QUERY(get_num_mip_levels, 4u)
};

template<typename T, access A = access::read> struct texture2d_ms {
    AQ_ELEMENT
    AQ_MULTISAMPLED
    AQ_TEXTURE(texture2d_ms)
#define AQ_ALL(Q)                                                                                            \
    AQ_READ(Q, aq_color, AQ_COLOR_READ, uint2, (, uint sample), AQ_AT2, 0, 0, sample)         \
    AQ_READ(Q, aq_color, AQ_COLOR_READ, ushort2, (, ushort sample), AQ_AT2, 0, 0, sample)
    AQ_TWICE(AQ_ALL)
#undef AQ_ALL
    AQ_QUERY(get_width, 0u)
    AQ_QUERY(get_height, 1u)
    AQ_QUERY(get_num_samples, 5u)
};

template<typename T, access A = access::read> struct texture2d_ms_array {
    AQ_ELEMENT
    AQ_MULTISAMPLED
    AQ_TEXTURE(texture2d_ms_array)
#define AQ_ALL(Q)                                                                                            \
    AQ_READ(Q, aq_color, AQ_COLOR_READ, uint2, (, uint array, uint sample), AQ_AT2, array, 0, sample) \
    AQ_READ(Q, aq_color, AQ_COLOR_READ, ushort2, (, ushort array, ushort sample), AQ_AT2, array, 0, sample)
    AQ_TWICE(AQ_ALL)
#undef AQ_ALL
    AQ_QUERY(get_width, 0u)
    AQ_QUERY(get_height, 1u)
    AQ_QUERY(get_array_size, 3u)
    AQ_QUERY(get_num_samples, 5u)
};

template<typename T, access A = access::read> struct texture_buffer {
    AQ_ELEMENT
    static_assert(A != access::sample, "a texture buffer cannot be sampled");
    AQ_TEXTURE(texture_buffer)
#define AQ_ALL(Q)                                                                                            \
    AQ_READ(Q, aq_color, AQ_COLOR_READ, uint, (), AQ_AT1, 0, 0, 0)                            \
    AQ_WRITE(Q, uint, (), AQ_AT1, 0, 0)                                                                      \
    AQ_FENCE(Q)
    AQ_TWICE(AQ_ALL)
#undef AQ_ALL
    AQ_QUERY(get_width, 0u)
};

template<typename T, access A = access::sample> struct depth2d {
    AQ_DEPTH_ELEMENT
    AQ_TEXTURE(depth2d)
#define AQ_ALL(Q)                                                                                            \
    AQ_METHODS_OFFSET(Q, T, aq_texture::depth<T>::sample, sample, (float2 coord), AQ_AT(coord), gradient2d, int2) \
    AQ_METHODS_OFFSET(Q, T, aq_texture::depth<T>::compare, sample_compare, (float2 coord, float compare_value), AQ_COMPARE(coord), gradient2d, int2) \
    AQ_METHOD0(Q, aq_color, aq_texture::gather<T>, gather, (float2 coord), AQ_AT(coord))      \
    AQ_METHOD1(Q, aq_color, aq_texture::gather<T>, gather, (float2 coord), AQ_AT(coord), int2) \
    AQ_METHOD0(Q, aq_color, aq_texture::depth<T>::gather_compare, gather_compare, (float2 coord, float compare_value), AQ_COMPARE(coord)) \
    AQ_METHOD1(Q, aq_color, aq_texture::depth<T>::gather_compare, gather_compare, (float2 coord, float compare_value), AQ_COMPARE(coord), int2) \
    AQ_READ(Q, T, AQ_DEPTH_READ, uint2, (, uint lod = 0), AQ_AT2, 0, lod, 0)                                 \
    AQ_READ(Q, T, AQ_DEPTH_READ, ushort2, (, ushort lod = 0), AQ_AT2, 0, lod, 0)                             \
    AQ_LODS(Q, float2)
    AQ_TWICE(AQ_ALL)
#undef AQ_ALL
    AQ_QUERY_LEVEL(get_width, 0u)
    AQ_QUERY_LEVEL(get_height, 1u)
    AQ_QUERY(get_num_mip_levels, 4u)
};

template<typename T, access A = access::sample> struct depth2d_array {
    AQ_DEPTH_ELEMENT
    AQ_TEXTURE(depth2d_array)
#define AQ_ALL(Q)                                                                                            \
    AQ_METHODS_OFFSET(Q, T, aq_texture::depth<T>::sample, sample, (float2 coord, uint array), AQ_AT_LAYER(coord, array), gradient2d, int2) \
    AQ_METHODS_OFFSET(Q, T, aq_texture::depth<T>::compare, sample_compare, (float2 coord, uint array, float compare_value), AQ_COMPARE_LAYER(coord, array), gradient2d, int2) \
    AQ_METHOD0(Q, aq_color, aq_texture::gather<T>, gather, (float2 coord, uint array), AQ_AT_LAYER(coord, array)) \
    AQ_METHOD1(Q, aq_color, aq_texture::gather<T>, gather, (float2 coord, uint array), AQ_AT_LAYER(coord, array), int2) \
    AQ_METHOD0(Q, aq_color, aq_texture::depth<T>::gather_compare, gather_compare, (float2 coord, uint array, float compare_value), AQ_COMPARE_LAYER(coord, array)) \
    AQ_METHOD1(Q, aq_color, aq_texture::depth<T>::gather_compare, gather_compare, (float2 coord, uint array, float compare_value), AQ_COMPARE_LAYER(coord, array), int2) \
    AQ_READ(Q, T, AQ_DEPTH_READ, uint2, (, uint array, uint lod = 0), AQ_AT2, array, lod, 0)                 \
    AQ_READ(Q, T, AQ_DEPTH_READ, ushort2, (, ushort array, ushort lod = 0), AQ_AT2, array, lod, 0)           \
    AQ_LODS(Q, float2)
    AQ_TWICE(AQ_ALL)
#undef AQ_ALL
    AQ_QUERY_LEVEL(get_width, 0u)
    AQ_QUERY_LEVEL(get_height, 1u)
    AQ_QUERY(get_array_size, 3u)
    AQ_QUERY(get_num_mip_levels, 4u)
};

template<typename T, access A = access::sample> struct depthcube {
    AQ_DEPTH_ELEMENT
    AQ_TEXTURE(depthcube)
#define AQ_ALL(Q)                                                                                            \
    AQ_METHODS(Q, T, aq_texture::depth<T>::sample, sample, (float3 coord), AQ_AT(coord), gradientcube)       \
    AQ_METHODS(Q, T, aq_texture::depth<T>::compare, sample_compare, (float3 coord, float compare_value), AQ_COMPARE(coord), gradientcube) \
    AQ_METHOD0(Q, aq_color, aq_texture::gather<T>, gather, (float3 coord), AQ_AT(coord))      \
    AQ_METHOD0(Q, aq_color, aq_texture::depth<T>::gather_compare, gather_compare, (float3 coord, float compare_value), AQ_COMPARE(coord)) \
    AQ_READ(Q, T, AQ_DEPTH_READ, uint2, (, uint face, uint lod = 0), AQ_AT2, face, lod, 0)                   \
    AQ_READ(Q, T, AQ_DEPTH_READ, ushort2, (, ushort face, ushort lod = 0), AQ_AT2, face, lod, 0)             \
    AQ_LODS(Q, float3)
    AQ_TWICE(AQ_ALL)
#undef AQ_ALL
    AQ_QUERY_LEVEL(get_width, 0u)
    AQ_QUERY_LEVEL(get_height, 1u)
    AQ_QUERY(get_num_mip_levels, 4u)
};

template<typename T, access A = access::sample> struct depthcube_array {
    AQ_DEPTH_ELEMENT
    AQ_TEXTURE(depthcube_array)
#define AQ_ALL(Q)                                                                                            \
    AQ_METHODS(Q, T, aq_texture::depth<T>::sample, sample, (float3 coord, uint array), AQ_AT_LAYER(coord, array), gradientcube) \
    AQ_METHODS(Q, T, aq_texture::depth<T>::compare, sample_compare, (float3 coord, uint array, float compare_value), AQ_COMPARE_LAYER(coord, array), gradientcube) \
    AQ_METHOD0(Q, aq_color, aq_texture::gather<T>, gather, (float3 coord, uint array), AQ_AT_LAYER(coord, array)) \
    AQ_METHOD0(Q, aq_color, aq_texture::depth<T>::gather_compare, gather_compare, (float3 coord, uint array, float compare_value), AQ_COMPARE_LAYER(coord, array)) \
    AQ_READ(Q, T, AQ_DEPTH_READ, uint2, (, uint face, uint array, uint lod = 0), AQ_AT2, AQ_FACE(face, array), lod, 0) \
    AQ_READ(Q, T, AQ_DEPTH_READ, ushort2, (, ushort face, ushort array, ushort lod = 0), AQ_AT2, AQ_FACE(face, array), lod, 0) \
    AQ_LODS(Q, float3)
    AQ_TWICE(AQ_ALL)
#undef AQ_ALL
    AQ_QUERY_LEVEL(get_width, 0u)
    AQ_QUERY_LEVEL(get_height, 1u)
    AQ_QUERY(get_array_size, 3u)
    AQ_QUERY(get_num_mip_levels, 4u)
};

template<typename T, access A = access::read> struct depth2d_ms {
    AQ_DEPTH_ELEMENT
    AQ_TEXTURE(depth2d_ms)
#define AQ_ALL(Q)                                                                                            \
    AQ_READ(Q, T, AQ_DEPTH_READ, uint2, (, uint sample), AQ_AT2, 0, 0, sample)                               \
    AQ_READ(Q, T, AQ_DEPTH_READ, ushort2, (, ushort sample), AQ_AT2, 0, 0, sample)
    AQ_TWICE(AQ_ALL)
#undef AQ_ALL
    AQ_QUERY(get_width, 0u)
    AQ_QUERY(get_height, 1u)
    AQ_QUERY(get_num_samples, 5u)
};

template<typename T, access A = access::read> struct depth2d_ms_array {
    AQ_DEPTH_ELEMENT
    AQ_TEXTURE(depth2d_ms_array)
#define AQ_ALL(Q)                                                                                            \
    AQ_READ(Q, T, AQ_DEPTH_READ, uint2, (, uint array, uint sample), AQ_AT2, array, 0, sample)               \
    AQ_READ(Q, T, AQ_DEPTH_READ, ushort2, (, ushort array, ushort sample), AQ_AT2, array, 0, sample)
    AQ_TWICE(AQ_ALL)
#undef AQ_ALL
    AQ_QUERY(get_width, 0u)
    AQ_QUERY(get_height, 1u)
    AQ_QUERY(get_array_size, 3u)
    AQ_QUERY(get_num_samples, 5u)
};

/// Whether a texture argument was not given.
template<template<typename, access> class C, typename T, access A> bool is_null_texture(C<T, A> t) {
    return t.aq_handle == 0;
}

} // namespace metal
