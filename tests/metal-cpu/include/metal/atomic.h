// Atomics (MSL 2.4, section 6.13). The threads of a group run on one thread of the machine and give way only in collective
// operations, so a plain read and write is atomic.
#pragma once

namespace metal {

#define memory_order metal::aq_memory_order
enum aq_memory_order {
    aq_memory_order_relaxed = 0,
#if __METAL_VERSION__ >= 320
    aq_memory_order_acquire = 2,
    aq_memory_order_release = 3,
    aq_memory_order_acq_rel = 4,
    aq_memory_order_seq_cst = 5,
#endif
};
#define memory_order_relaxed metal::aq_memory_order_relaxed
#define memory_order_acquire metal::aq_memory_order_acquire
#define memory_order_release metal::aq_memory_order_release
#define memory_order_acq_rel metal::aq_memory_order_acq_rel
#define memory_order_seq_cst metal::aq_memory_order_seq_cst

/// An atomic object: only the functions below touch what is in it.
template<typename T> struct atomic {
    T aq_value_;
    atomic() = default;
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;
};
typedef atomic<int> aq_atomic_int;
typedef atomic<uint> aq_atomic_uint;
typedef atomic<bool> aq_atomic_bool;
typedef atomic<ulong> aq_atomic_ulong;
#if __METAL_VERSION__ >= 300
typedef atomic<float> aq_atomic_float;
#endif

#define AQ_ATOMIC_FETCH(T, SPACE, name, ...)                                                                 \
    inline T atomic_fetch_##name##_explicit(volatile SPACE atomic<T>* object, T v, aq_memory_order) {        \
        T old = object->aq_value_;                                                                           \
        object->aq_value_ = __VA_ARGS__;                                                                     \
        return old;                                                                                          \
    }
#define AQ_ATOMIC(T, SPACE)                                                                                  \
    inline T atomic_load_explicit(const volatile SPACE atomic<T>* object, aq_memory_order) { return object->aq_value_; } \
    inline void atomic_store_explicit(volatile SPACE atomic<T>* object, T v, aq_memory_order) { object->aq_value_ = v; } \
    inline T atomic_exchange_explicit(volatile SPACE atomic<T>* object, T v, aq_memory_order) {              \
        T old = object->aq_value_;                                                                           \
        object->aq_value_ = v;                                                                               \
        return old;                                                                                          \
    }                                                                                                        \
    inline bool atomic_compare_exchange_weak_explicit(volatile SPACE atomic<T>* object, __private T* expected, T v, \
                                                      aq_memory_order, aq_memory_order) {                    \
        T old = object->aq_value_;                                                                           \
        if (old == *expected) {                                                                              \
            object->aq_value_ = v;                                                                           \
            return true;                                                                                     \
        }                                                                                                    \
        *expected = old;                                                                                     \
        return false;                                                                                        \
    }
#define AQ_ATOMIC_INTEGER(T, SPACE)                                                                          \
    AQ_ATOMIC(T, SPACE)                                                                                      \
    AQ_ATOMIC_FETCH(T, SPACE, add, T(make_unsigned_t<T>(old) + make_unsigned_t<T>(v)))                       \
    AQ_ATOMIC_FETCH(T, SPACE, sub, T(make_unsigned_t<T>(old) - make_unsigned_t<T>(v)))                       \
    AQ_ATOMIC_FETCH(T, SPACE, and, old & v)                                                                  \
    AQ_ATOMIC_FETCH(T, SPACE, or, old | v)                                                                   \
    AQ_ATOMIC_FETCH(T, SPACE, xor, old ^ v)                                                                  \
    AQ_ATOMIC_FETCH(T, SPACE, min, min(old, v))                                                              \
    AQ_ATOMIC_FETCH(T, SPACE, max, max(old, v))
AQ_ATOMIC_INTEGER(int, __global)
AQ_ATOMIC_INTEGER(int, __local)
AQ_ATOMIC_INTEGER(uint, __global)
AQ_ATOMIC_INTEGER(uint, __local)
AQ_ATOMIC(bool, __global)
AQ_ATOMIC(bool, __local)
// 64 bits: the smaller and the greater only, without what was there (Apple's GPUs of family 8).
inline void atomic_min_explicit(volatile __global atomic<ulong>* object, ulong v, aq_memory_order) {
    object->aq_value_ = min(ulong(object->aq_value_), v);
}
inline void atomic_max_explicit(volatile __global atomic<ulong>* object, ulong v, aq_memory_order) {
    object->aq_value_ = max(ulong(object->aq_value_), v);
}
#if __METAL_VERSION__ >= 300
AQ_ATOMIC(float, __global)
AQ_ATOMIC_FETCH(float, __global, add, old + v)
AQ_ATOMIC_FETCH(float, __global, sub, old - v)
#endif
#undef AQ_ATOMIC
#undef AQ_ATOMIC_INTEGER
#undef AQ_ATOMIC_FETCH

} // namespace metal
