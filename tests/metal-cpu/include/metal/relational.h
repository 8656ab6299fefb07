// Relational functions (MSL 2.4, section 6.5).
#pragma once

namespace metal {

inline bool all(bool p) { return p; }
inline bool all(bool2 p) { return p.aq_lanes_[0] && p.aq_lanes_[1]; }
inline bool all(bool3 p) { return p.aq_lanes_[0] && p.aq_lanes_[1] && p.aq_lanes_[2]; }
inline bool all(bool4 p) { return p.aq_lanes_[0] && p.aq_lanes_[1] && p.aq_lanes_[2] && p.aq_lanes_[3]; }
inline bool any(bool p) { return p; }
inline bool any(bool2 p) { return p.aq_lanes_[0] || p.aq_lanes_[1]; }
inline bool any(bool3 p) { return p.aq_lanes_[0] || p.aq_lanes_[1] || p.aq_lanes_[2]; }
inline bool any(bool4 p) { return p.aq_lanes_[0] || p.aq_lanes_[1] || p.aq_lanes_[2] || p.aq_lanes_[3]; }

// `not` is an operator's name in C++, and so are calls of it: `not(v)` is `!(v)`, which is Metal's function too.

#define AQ_RELATIONAL(T, BITS, MAGNITUDE, INFINITE, SMALLEST)                                                \
    inline bool isnan(T p) { return (as_type<BITS>(p) & MAGNITUDE) > INFINITE; }                             \
    AQ_EACH1(bool, isnan, T)                                                                                 \
    inline bool isinf(T p) { return (as_type<BITS>(p) & MAGNITUDE) == INFINITE; }                            \
    AQ_EACH1(bool, isinf, T)                                                                                 \
    inline bool isfinite(T p) { return (as_type<BITS>(p) & MAGNITUDE) < INFINITE; }                          \
    AQ_EACH1(bool, isfinite, T)                                                                              \
    inline bool isnormal(T p) { return isfinite(p) && (as_type<BITS>(p) & MAGNITUDE) >= SMALLEST; }          \
    AQ_EACH1(bool, isnormal, T)                                                                              \
    inline bool signbit(T p) { return (as_type<BITS>(p) & BITS(~BITS(MAGNITUDE))) != 0; }                    \
    AQ_EACH1(bool, signbit, T)                                                                               \
    inline bool isordered(T p, T q) { return !isnan(p) && !isnan(q); }                                       \
    AQ_EACH2(bool, isordered, T, T)                                                                          \
    inline bool isunordered(T p, T q) { return isnan(p) || isnan(q); }                                       \
    AQ_EACH2(bool, isunordered, T, T)
AQ_RELATIONAL(float, uint, 0x7FFFFFFFu, 0x7F800000u, 0x00800000u)
AQ_RELATIONAL(half, ushort, 0x7FFF, 0x7C00, 0x0400)
#undef AQ_RELATIONAL

#define AQ_SELECT(T)                                                                                         \
    inline T select(T p, T q, bool s) { return s ? q : p; }                                                  \
    AQ_EACH3(T, select, T, T, bool)
AQ_FOR_ALL(AQ_SELECT)
#undef AQ_SELECT

} // namespace metal
