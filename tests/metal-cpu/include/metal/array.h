// `array` and `array_ref`.
#pragma once

namespace metal {

/// Non-type parameters are `int` throughout: the pre-pass makes them so, since clang deduces a number's type too.
template<typename T, int N> struct array {
    T aq_elements_[N];
    AQ_COPIES(array)
    template<typename... P, typename = enable_if_t<(sizeof...(P) > 1 && sizeof...(P) <= N)>>
    constexpr array(P... p) : aq_elements_{p...} {}
    constexpr size_t size() const { return N; }
    constexpr size_t size() const __constant { return N; }
    constexpr bool empty() const { return N == 0; }
#define AQ_ARRAY_IN(SPACE)                                                                                   \
    constexpr SPACE T& operator[](size_t i) SPACE { return aq_elements_[i]; }                                \
    constexpr const SPACE T& operator[](size_t i) const SPACE { return aq_elements_[i]; }                    \
    constexpr SPACE T& at(size_t i) SPACE { return aq_elements_[i]; }                                        \
    constexpr const SPACE T& at(size_t i) const SPACE { return aq_elements_[i]; }                            \
    constexpr SPACE T* data() SPACE { return aq_elements_; }                                                 \
    constexpr const SPACE T* data() const SPACE { return aq_elements_; }
    AQ_ARRAY_IN(__private)
    AQ_ARRAY_IN(__global)
    AQ_ARRAY_IN(__local)
#undef AQ_ARRAY_IN
    constexpr const __constant T& operator[](size_t i) const __constant { return aq_elements_[i]; }
    constexpr const __constant T& at(size_t i) const __constant { return aq_elements_[i]; }
    constexpr const __constant T* data() const __constant { return aq_elements_; }
};

template<typename T> struct array_ref {
    const __private T* aq_elements_;
    size_t aq_count_;
    array_ref() = default;
    template<int N> array_ref(const __private array<T, N>& a) : aq_elements_(a.data()), aq_count_(N) {}
    size_t size() const { return aq_count_; }
    const __private T& operator[](size_t i) const { return aq_elements_[i]; }
};

} // namespace metal
