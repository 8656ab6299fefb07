// Matrices of float and half: C columns of R rows.
#pragma once

namespace metal {

#define AQ_MATRIX_COLUMNS2(f) f(0), f(1)
#define AQ_MATRIX_COLUMNS3(f) f(0), f(1), f(2)
#define AQ_MATRIX_COLUMNS4(f) f(0), f(1), f(2), f(3)
#define AQ_COLUMN_ADD(i) p.columns[i] + q.columns[i]
#define AQ_COLUMN_SUB(i) p.columns[i] - q.columns[i]
#define AQ_COLUMN_SCALE(i) p.columns[i] * s
#define AQ_COLUMN_NEGATE(i) -p.columns[i]
#define AQ_COLUMN_CONVERT(i) vec<T, R>(o.columns[i])
#define AQ_COLUMN_DIAGONAL(i) aq_unit(i, s)
#define AQ_COLUMN_DOT(i) aq_dot(v, p.columns[i])

#define AQ_MATRIX(N)                                                                                          \
    vec<T, R> columns[N];                                                                                     \
    AQ_COPIES(matrix)                                                                                         \
    explicit constexpr matrix(T s) : columns{AQ_MATRIX_COLUMNS##N(AQ_COLUMN_DIAGONAL)} {}                     \
    template<typename U> explicit constexpr matrix(matrix<U, N, R> o) : columns{AQ_MATRIX_COLUMNS##N(AQ_COLUMN_CONVERT)} {} \
    template<typename... S, typename = enable_if_t<sizeof...(S) == N * R && (is_arithmetic<S>::value && ...)>> \
    constexpr matrix(S... s) : columns{} {                                                                    \
        T all[] = {T(s)...};                                                                                  \
        for (int i = 0; i < N * R; i++) columns[i / R].aq_lanes_[i % R] = all[i];                             \
    }                                                                                                         \
    constexpr vec<T, R>& operator[](long i) & { return columns[i]; }                                          \
    constexpr vec<T, R> operator[](long i) && { return columns[i]; }                                          \
    constexpr const vec<T, R>& operator[](long i) const& { return columns[i]; }                                \
    constexpr const __constant vec<T, R>& operator[](long i) const __constant& { return columns[i]; }          \
    static constexpr vec<T, R> aq_unit(int i, T s) {                                                          \
        vec<T, R> v(T(0));                                                                                    \
        if (i < R) v.aq_lanes_[i] = s;                                                                        \
        return v;                                                                                             \
    }                                                                                                         \
    static constexpr T aq_dot(vec<T, R> p, vec<T, R> q) {                                                     \
        T sum = p.aq_lanes_[0] * q.aq_lanes_[0];                                                              \
        for (int i = 1; i < R; i++) sum = sum + p.aq_lanes_[i] * q.aq_lanes_[i];                              \
        return sum;                                                                                           \
    }                                                                                                         \
    friend constexpr matrix operator+(matrix p, matrix q) { return matrix(AQ_MATRIX_COLUMNS##N(AQ_COLUMN_ADD)); } \
    friend constexpr matrix operator-(matrix p, matrix q) { return matrix(AQ_MATRIX_COLUMNS##N(AQ_COLUMN_SUB)); } \
    friend constexpr matrix operator-(matrix p) { return matrix(AQ_MATRIX_COLUMNS##N(AQ_COLUMN_NEGATE)); }    \
    friend constexpr matrix operator*(matrix p, T s) { return matrix(AQ_MATRIX_COLUMNS##N(AQ_COLUMN_SCALE)); } \
    friend constexpr matrix operator*(T s, matrix p) { return matrix(AQ_MATRIX_COLUMNS##N(AQ_COLUMN_SCALE)); } \
    friend constexpr vec<T, R> operator*(matrix p, vec<T, N> v) {                                             \
        vec<T, R> sum = p.columns[0] * v.aq_lanes_[0];                                                        \
        for (int i = 1; i < N; i++) sum = sum + p.columns[i] * v.aq_lanes_[i];                                \
        return sum;                                                                                           \
    }                                                                                                         \
    friend constexpr vec<T, N> operator*(vec<T, R> v, matrix p) { return vec<T, N>(AQ_MATRIX_COLUMNS##N(AQ_COLUMN_DOT)); } \
    constexpr matrix& operator+=(matrix o) { *this = matrix(*this) + o; return *this; }                       \
    constexpr matrix& operator-=(matrix o) { *this = matrix(*this) - o; return *this; }                       \
    constexpr matrix& operator*=(T s) { *this = matrix(*this) * s; return *this; }                            \
    constexpr matrix& operator*=(matrix<T, N, N> o) { *this = matrix(*this) * o; return *this; }              \
    friend constexpr bool operator==(matrix p, matrix q) {                                                    \
        for (int i = 0; i < N * R; i++)                                                                       \
            if (!(p.columns[i / R].aq_lanes_[i % R] == q.columns[i / R].aq_lanes_[i % R])) return false;      \
        return true;                                                                                          \
    }                                                                                                         \
    friend constexpr bool operator!=(matrix p, matrix q) { return !(p == q); }

template<typename T, int R> struct matrix<T, 2, R> {
    constexpr matrix(vec<T, R> p, vec<T, R> q) : columns{p, q} {}
    matrix(T, T) = delete;
    AQ_MATRIX(2)
};
template<typename T, int R> struct matrix<T, 3, R> {
    constexpr matrix(vec<T, R> p, vec<T, R> q, vec<T, R> s) : columns{p, q, s} {}
    matrix(T, T, T) = delete;
    AQ_MATRIX(3)
};
template<typename T, int R> struct matrix<T, 4, R> {
    constexpr matrix(vec<T, R> p, vec<T, R> q, vec<T, R> s, vec<T, R> t) : columns{p, q, s, t} {}
    // With two rows four scalars would be two of the columns' lanes each, or all columns' one.
    matrix(T, T, T, T) = delete;
    AQ_MATRIX(4)
};

template<typename T, int K, int C, int R> constexpr matrix<T, C, R> operator*(matrix<T, K, R> p, matrix<T, C, K> q) {
    matrix<T, C, R> product;
    for (int i = 0; i < C; i++) product.columns[i] = p * q.columns[i];
    return product;
}

#define AQ_MATRICES(T)                                                                                       \
    typedef matrix<T, 2, 2> T##2x2;                                                                          \
    typedef matrix<T, 2, 3> T##2x3;                                                                          \
    typedef matrix<T, 2, 4> T##2x4;                                                                          \
    typedef matrix<T, 3, 2> T##3x2;                                                                          \
    typedef matrix<T, 3, 3> T##3x3;                                                                          \
    typedef matrix<T, 3, 4> T##3x4;                                                                          \
    typedef matrix<T, 4, 2> T##4x2;                                                                          \
    typedef matrix<T, 4, 3> T##4x3;                                                                          \
    typedef matrix<T, 4, 4> T##4x4;
AQ_MATRICES(float)
AQ_MATRICES(half)
#undef AQ_MATRICES

#define AQ_MATRIX_FUNCTIONS(T)                                                                               \
    template<int C, int R> constexpr matrix<T, R, C> transpose(matrix<T, C, R> m) {                          \
        matrix<T, R, C> turned;                                                                              \
        for (int i = 0; i < R; i++)                                                                          \
            for (int j = 0; j < C; j++) turned.columns[i].aq_lanes_[j] = m.columns[j].aq_lanes_[i];          \
        return turned;                                                                                       \
    }                                                                                                        \
    constexpr T determinant(T##2x2 m) { return m[0].x * m[1].y - m[1].x * m[0].y; }                          \
    constexpr T determinant(T##3x3 m) {                                                                      \
        return m[0].x * (m[1].y * m[2].z - m[2].y * m[1].z) - m[1].x * (m[0].y * m[2].z - m[2].y * m[0].z) + \
               m[2].x * (m[0].y * m[1].z - m[1].y * m[0].z);                                                 \
    }                                                                                                        \
    constexpr T determinant(T##4x4 m) {                                                                      \
        return m[0].x * determinant(T##3x3(m[1].yzw, m[2].yzw, m[3].yzw)) -                                  \
               m[1].x * determinant(T##3x3(m[0].yzw, m[2].yzw, m[3].yzw)) +                                  \
               m[2].x * determinant(T##3x3(m[0].yzw, m[1].yzw, m[3].yzw)) -                                  \
               m[3].x * determinant(T##3x3(m[0].yzw, m[1].yzw, m[2].yzw));                                   \
    }
AQ_MATRIX_FUNCTIONS(float)
AQ_MATRIX_FUNCTIONS(half)
#undef AQ_MATRIX_FUNCTIONS

} // namespace metal
