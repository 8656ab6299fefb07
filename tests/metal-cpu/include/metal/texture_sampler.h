// Samplers: arguments of functions, and `constexpr sampler`s that the source describes.
#pragma once

namespace metal {

enum class access { sample, read, write, read_write };
enum class component { x, y, z, w };

// The numbers go to the runner, see `aq_sampler_state` in `runtime.h`.
enum class coord { normalized, pixel };
enum class address { clamp_to_zero, clamp_to_edge, repeat, mirrored_repeat, clamp_to_border };
enum class s_address { clamp_to_zero, clamp_to_edge, repeat, mirrored_repeat, clamp_to_border };
enum class t_address { clamp_to_zero, clamp_to_edge, repeat, mirrored_repeat, clamp_to_border };
enum class r_address { clamp_to_zero, clamp_to_edge, repeat, mirrored_repeat, clamp_to_border };
enum class border_color { transparent_black, opaque_black, opaque_white };
enum class filter { nearest, linear };
enum class mag_filter { nearest, linear };
enum class min_filter { nearest, linear };
enum class mip_filter { none, nearest, linear };
enum class compare_func { never, less, less_equal, greater, greater_equal, equal, not_equal, always, none = never };

struct max_anisotropy {
    uint aq_value;
    constexpr explicit max_anisotropy(int value) : aq_value(uint(value)) {}
};
struct lod_clamp {
    float aq_least, aq_most;
    constexpr lod_clamp(float least, float most) : aq_least(least), aq_most(most) {}
};

/// The handle of samplers that have state of their own.
#define AQ_STATE_HANDLE 0xFFFFFFFFFFFFFFFFul

struct sampler {
    ulong aq_handle;
    aq_sampler_state aq_state;

    constexpr sampler() : aq_handle(AQ_STATE_HANDLE), aq_state{0, 0, 0, {1, 1, 1}, 0, 0, 0, 1, 0.0f, 3.402823466e+38f} {}
    template<typename... O, typename = enable_if_t<(sizeof...(O) > 0)>> constexpr explicit sampler(O... options) : sampler() {
        (aq_take(options), ...);
    }
    constexpr sampler(const sampler&) = default;
    constexpr sampler(sampler&&) = default;
    constexpr sampler(const __constant sampler&) = default;
    sampler& operator=(const sampler&) = default;
    sampler& operator=(sampler&&) = default;
    sampler& operator=(const __constant sampler&) = default;

    constexpr void aq_take(coord value) { aq_state.unnormalised = uint(value); }
    constexpr void aq_take(address value) {
        aq_state.address[0] = uint(value);
        aq_state.address[1] = uint(value);
        aq_state.address[2] = uint(value);
    }
    constexpr void aq_take(s_address value) { aq_state.address[0] = uint(value); }
    constexpr void aq_take(t_address value) { aq_state.address[1] = uint(value); }
    constexpr void aq_take(r_address value) { aq_state.address[2] = uint(value); }
    constexpr void aq_take(border_color value) { aq_state.border = uint(value); }
    constexpr void aq_take(filter value) {
        aq_state.min = uint(value);
        aq_state.mag = uint(value);
    }
    constexpr void aq_take(mag_filter value) { aq_state.mag = uint(value); }
    constexpr void aq_take(min_filter value) { aq_state.min = uint(value); }
    constexpr void aq_take(mip_filter value) { aq_state.mip = uint(value); }
    constexpr void aq_take(compare_func value) { aq_state.compare = uint(value); }
    constexpr void aq_take(max_anisotropy value) { aq_state.anisotropy = value.aq_value; }
    constexpr void aq_take(lod_clamp value) {
        aq_state.min_lod = value.aq_least;
        aq_state.max_lod = value.aq_most;
    }
};

// Options of sampling.
struct bias {
    float aq_value;
    constexpr explicit bias(float value) : aq_value(value) {}
};
struct level {
    float aq_value;
    constexpr explicit level(float value) : aq_value(value) {}
};
struct min_lod_clamp {
    float aq_value;
    constexpr explicit min_lod_clamp(float value) : aq_value(value) {}
};
struct gradient2d {
    float2 aq_x, aq_y;
    constexpr gradient2d(float2 x, float2 y) : aq_x(x), aq_y(y) {}
};
struct gradient3d {
    float3 aq_x, aq_y;
    constexpr gradient3d(float3 x, float3 y) : aq_x(x), aq_y(y) {}
};
struct gradientcube {
    float3 aq_x, aq_y;
    constexpr gradientcube(float3 x, float3 y) : aq_x(x), aq_y(y) {}
};

} // namespace metal
