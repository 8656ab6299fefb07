// Scalar types and the traits of types.
#pragma once

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;

// A list in braces, as the language wants it.
namespace std {
template<typename T> class initializer_list {
    const T* aq_first_;
    size_t aq_count_;
    constexpr initializer_list(const T* first, size_t count) : aq_first_(first), aq_count_(count) {}

public:
    constexpr initializer_list() : aq_first_(nullptr), aq_count_(0) {}
    constexpr size_t size() const { return aq_count_; }
    constexpr const T* begin() const { return aq_first_; }
    constexpr const T* end() const { return aq_first_ + aq_count_; }
};
} // namespace std

namespace metal {
using std::initializer_list;

template<typename T, T V> struct integral_constant {
    static constexpr __constant T value = V;
    typedef T value_type;
};
typedef integral_constant<bool, true> true_type;
typedef integral_constant<bool, false> false_type;

template<bool B, typename T = void> struct enable_if {};
template<typename T> struct enable_if<true, T> { typedef T type; };
template<bool B, typename T = void> using enable_if_t = typename enable_if<B, T>::type;
template<bool B, typename T, typename F> struct conditional { typedef T type; };
template<typename T, typename F> struct conditional<false, T, F> { typedef F type; };
template<bool B, typename T, typename F> using conditional_t = typename conditional<B, T, F>::type;
template<typename T, typename U> struct is_same : false_type {};
template<typename T> struct is_same<T, T> : true_type {};

template<typename T> struct remove_reference { typedef T type; };
template<typename T> struct remove_reference<T&> { typedef T type; };
template<typename T> struct remove_reference<T&&> { typedef T type; };
template<typename T> using remove_reference_t = typename remove_reference<T>::type;
template<typename T> struct remove_address_space { typedef T type; };
template<typename T> struct remove_address_space<__private T> { typedef T type; };
template<typename T> struct remove_address_space<__global T> { typedef T type; };
template<typename T> struct remove_address_space<__local T> { typedef T type; };
template<typename T> struct remove_address_space<__constant T> { typedef T type; };
template<typename T> struct remove_address_space<__generic T> { typedef T type; };
template<typename T> struct remove_const { typedef T type; };
template<typename T> struct remove_const<const T> { typedef T type; };
template<typename T> using remove_const_t = typename remove_const<T>::type;
template<typename T> struct remove_volatile { typedef T type; };
template<typename T> struct remove_volatile<volatile T> { typedef T type; };
template<typename T> struct remove_cv { typedef typename remove_const<typename remove_volatile<T>::type>::type type; };
template<typename T> using remove_cv_t = typename remove_cv<T>::type;
template<typename T> struct is_pointer : false_type {};
template<typename T> struct is_pointer<T*> : true_type {};
template<typename T> struct is_enum : integral_constant<bool, __is_enum(T)> {};
template<typename T> struct is_class : integral_constant<bool, __is_class(T)> {};
template<typename T> struct is_trivially_copyable : integral_constant<bool, __is_trivially_copyable(T)> {};
template<typename T> remove_reference_t<T>&& declval();

template<typename T> struct is_floating_point : false_type {};
template<> struct is_floating_point<float> : true_type {};
template<> struct is_floating_point<half> : true_type {};
template<typename T> struct is_integral : false_type {};
template<> struct is_integral<bool> : true_type {};
template<> struct is_integral<char> : true_type {};
template<> struct is_integral<signed char> : true_type {};
template<> struct is_integral<uchar> : true_type {};
template<> struct is_integral<short> : true_type {};
template<> struct is_integral<ushort> : true_type {};
template<> struct is_integral<int> : true_type {};
template<> struct is_integral<uint> : true_type {};
template<> struct is_integral<long> : true_type {};
template<> struct is_integral<ulong> : true_type {};
template<typename T> struct is_arithmetic : integral_constant<bool, is_integral<T>::value || is_floating_point<T>::value> {};
template<typename T> struct is_signed : integral_constant<bool, is_arithmetic<T>::value && (T(-1) < T(0))> {};
template<typename T> struct is_unsigned : integral_constant<bool, is_integral<T>::value && !(T(-1) < T(0))> {};
template<typename T> struct make_unsigned { typedef T type; };
template<> struct make_unsigned<char> { typedef uchar type; };
template<> struct make_unsigned<short> { typedef ushort type; };
template<> struct make_unsigned<int> { typedef uint type; };
template<> struct make_unsigned<long> { typedef ulong type; };
template<typename T> using make_unsigned_t = typename make_unsigned<T>::type;
template<typename T> struct make_signed { typedef T type; };
template<> struct make_signed<uchar> { typedef char type; };
template<> struct make_signed<ushort> { typedef short type; };
template<> struct make_signed<uint> { typedef int type; };
template<> struct make_signed<ulong> { typedef long type; };
template<typename T> using make_signed_t = typename make_signed<T>::type;

template<typename T, typename U> constexpr __constant bool is_same_v = is_same<T, U>::value;
template<typename T> constexpr __constant bool is_integral_v = is_integral<T>::value;
template<typename T> constexpr __constant bool is_floating_point_v = is_floating_point<T>::value;

// The pre-pass puts these around what C++ for OpenCL takes otherwise.

/// `(aq_value(), x)` is the value of an operand of `?:`, in no address space; of `void` it is nothing.
struct aq_value {
    template<typename T> friend constexpr T operator,(aq_value, T value) { return value; }
};
/// What `= {}` gives a variable in `constant`, whose class has no constructor for objects there.
template<typename T> constexpr T aq_zero() { return T{}; }
/// Room for an object in threadgroup memory, which nothing constructs.
template<typename T> struct aq_storage { alignas(T) uchar aq_bytes_[sizeof(T)]; };
template<typename T> inline __local T& aq_threadgroup(__global aq_storage<T>& room) { return *(__local T*)(ulong)&room; }

} // namespace metal

#define is_function_constant_defined(name) aq_defined_##name
