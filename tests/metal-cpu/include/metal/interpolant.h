// Inputs of a fragment function that it interpolates itself (MSL 2.3).
#pragma once

namespace metal {

namespace interpolation {
struct perspective {};
struct no_perspective {};
} // namespace interpolation

/// The runner stores the value at the pixel's centre. Elsewhere it is that, and the derivatives times the way: exact where the
/// input is linear over the screen.
template<typename T, typename P> struct interpolant {
    T aq_center_;
    T interpolate_at_center() const { return aq_center_; }
    T interpolate_at_centroid() const { return aq_center_; }
    T interpolate_at_offset(float2 o) const { return aq_center_ + dfdx(aq_center_) * (o.x - 0.5f) + dfdy(aq_center_) * (o.y - 0.5f); }
    T interpolate_at_sample(uint sample) const { return interpolate_at_offset(get_sample_position(sample)); }
};

} // namespace metal
