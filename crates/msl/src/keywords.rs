//! The names that Metal Shading Language keeps for itself (sheet D1.6), as a table that is sorted when this is compiled.

/// Words matched exactly. Families with a pattern (`float4x4`, `simd_…`) are in [`is_reserved`].
const WORDS: &[&str] = &sorted([
    // C++.
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "class",
    "compl",
    "const",
    "constexpr",
    "const_cast",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "final",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "override",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
    "main",
    // Metal's words.
    "kernel",
    "vertex",
    "fragment",
    "compute",
    "mesh",
    "object",
    "tile",
    "visible",
    "intersection",
    "stage_in",
    "device",
    "constant",
    "thread",
    "threadgroup",
    "threadgroup_imageblock",
    "ray_data",
    "object_data",
    "patch",
    "metal",
    "simd",
    "fast",
    "precise",
    "access",
    "read",
    "write",
    "read_write",
    "sample",
    "level",
    "bias",
    "gradient2d",
    "gradient3d",
    "gradientcube",
    "min_lod_clamp",
    "lod_clamp",
    "component",
    "coord",
    "filter",
    "mag_filter",
    "min_filter",
    "mip_filter",
    "address",
    "s_address",
    "t_address",
    "r_address",
    "border_color",
    "compare_func",
    "max_anisotropy",
    "mem_flags",
    "memory_order",
    "memory_order_relaxed",
    "thread_scope",
    "as_type",
    "is_function_constant_defined",
    "is_null_texture",
    // Types.
    "half",
    "bfloat",
    "uchar",
    "ushort",
    "uint",
    "ulong",
    "llong",
    "ullong",
    "quad",
    "complex",
    "imaginary",
    "size_t",
    "ptrdiff_t",
    "int8_t",
    "int16_t",
    "int32_t",
    "int64_t",
    "uint8_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "int8",
    "uint8",
    "int16",
    "uint16",
    "float8",
    "float16",
    "vec",
    "matrix",
    "array",
    "array_ref",
    "atomic",
    "sampler",
    "imageblock",
    "interpolant",
    "interpolation",
    "patch_control_point",
    "ray",
    "intersector",
    "acceleration_structure",
    "command_buffer",
    "render_command",
    "compute_command",
    "visible_function_table",
    "intersection_function_table",
    // Library functions.
    "abs",
    "absdiff",
    "acos",
    "acosh",
    "addsat",
    "all",
    "any",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "ceil",
    "clamp",
    "clz",
    "copysign",
    "cos",
    "cosh",
    "cospi",
    "cross",
    "ctz",
    "determinant",
    "dfdx",
    "dfdy",
    "discard_fragment",
    "distance",
    "distance_squared",
    "divide",
    "dot",
    "exp",
    "exp10",
    "exp2",
    "extract_bits",
    "fabs",
    "faceforward",
    "fdim",
    "floor",
    "fma",
    "fmax",
    "fmax3",
    "fmedian3",
    "fmin",
    "fmin3",
    "fmod",
    "fract",
    "frexp",
    "fwidth",
    "get_num_samples",
    "get_sample_position",
    "hadd",
    "ilogb",
    "insert_bits",
    "isfinite",
    "isinf",
    "isnan",
    "isnormal",
    "isordered",
    "isunordered",
    "ldexp",
    "length",
    "length_squared",
    "log",
    "log10",
    "log2",
    "mad24",
    "madhi",
    "madsat",
    "max",
    "max3",
    "median3",
    "min",
    "min3",
    "mix",
    "modf",
    "mul24",
    "mulhi",
    "nextafter",
    "normalize",
    "popcount",
    "pow",
    "powr",
    "reflect",
    "refract",
    "reverse_bits",
    "rhadd",
    "rint",
    "rotate",
    "round",
    "rsqrt",
    "saturate",
    "select",
    "sign",
    "signbit",
    "sin",
    "sincos",
    "sinh",
    "sinpi",
    "smoothstep",
    "sqrt",
    "step",
    "subsat",
    "tan",
    "tanh",
    "tanpi",
    "threadgroup_barrier",
    "transpose",
    "trunc",
    // Macros.
    "assert",
    "NULL",
    "INFINITY",
    "NAN",
    "MAXFLOAT",
    "MAXHALF",
    "HUGE_VAL",
    "HUGE_VALF",
    "HUGE_VALH",
    "CHAR_BIT",
    "USHRT_MAX",
    "UINT_MAX",
    "ULONG_MAX",
    "ULLONG_MAX",
    "VARIABLE_TRACEPOINT",
    "STATIC_DATA_TRACEPOINT",
    "STATIC_DATA_TRACEPOINT_V",
]);

/// Beginnings that make a name reserved, the emitter's own prefixes (D1.5) among them.
const PREFIXES: &[&str] = &[
    "atomic_",
    "simd_",
    "quad_",
    "simdgroup_",
    "quadgroup_",
    "pack_",
    "unpack_",
    "packed_",
    "texture",
    "depth2d",
    "depthcube",
    "FLT_",
    "DBL_",
    "HALF_",
    "FP_ILOGB",
    "M_",
    "METAL_",
    "TARGET_",
    "__",
    "aq_",
    "Aq",
    "AQUATINT_",
];

const fn less(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() {
        if a[i] != b[i] {
            return a[i] < b[i];
        }
        i += 1;
    }
    a.len() < b.len()
}

const fn sorted<const N: usize>(mut words: [&'static str; N]) -> [&'static str; N] {
    let mut i = 1;
    while i < N {
        let word = words[i];
        let mut j = i;
        while j > 0 && less(word, words[j - 1]) {
            words[j] = words[j - 1];
            j -= 1;
        }
        words[j] = word;
        i += 1;
    }
    words
}

/// Whether an identifier may not be used as it is.
pub fn is_reserved(name: &str) -> bool {
    is_word(name)
        || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || is_sized_type(name)
        || is_limit_macro(name)
}

/// The marks of the words, a bit each: most names are no words, and one look tells.
static MARKS: [u64; 64] = {
    let mut marks = [0; 64];
    let mut at = 0;
    while at < WORDS.len() {
        let mark = mark(WORDS[at].as_bytes());
        marks[mark / 64] |= 1 << (mark % 64);
        at += 1;
    }
    marks
};

/// A number below 4096 from a word's length, its ends and its middle.
const fn mark(word: &[u8]) -> usize {
    match word {
        [] => 0,
        [first, .., last] => {
            let (first, middle, last) = (*first as usize, word[word.len() / 2] as usize, *last as usize);
            (word.len() * 1021 + first * 179 + middle * 61 + last * 17) % 4096
        }
        [only] => *only as usize,
    }
}

fn is_word(name: &str) -> bool {
    let mark = mark(name.as_bytes());
    MARKS[mark / 64] >> (mark % 64) & 1 != 0 && WORDS.binary_search(&name).is_ok()
}

/// `float3`, `half2x4` and their kin.
fn is_sized_type(name: &str) -> bool {
    const SCALARS: [&str; 12] =
        ["bool", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "bfloat"];
    let size = |c: u8| (b'2'..=b'4').contains(&c);
    match name.as_bytes() {
        [.., rows, b'x', columns] if size(*rows) && size(*columns) => {
            matches!(&name[..name.len() - 3], "float" | "half")
        }
        [.., lanes] if size(*lanes) => SCALARS.contains(&&name[..name.len() - 1]),
        _ => false,
    }
}

/// `(S|U)?(CHAR|SHRT|INT|LONG|LLONG)_(MIN|MAX)`.
fn is_limit_macro(name: &str) -> bool {
    let Some(kind) = name.strip_suffix("_MIN").or_else(|| name.strip_suffix("_MAX")) else { return false };
    let kind = kind.strip_prefix(['S', 'U']).filter(|rest| !rest.is_empty() && *rest != "HRT").unwrap_or(kind);
    matches!(kind, "CHAR" | "SHRT" | "INT" | "LONG" | "LLONG")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_strictly_sorted_and_every_word_is_found() {
        assert!(WORDS.windows(2).all(|w| w[0] < w[1]));
        assert!(WORDS.iter().all(|word| is_word(word)));
    }

    #[test]
    fn families_are_matched() {
        for name in [
            "main",
            "float4",
            "half3x2",
            "packed_float3",
            "texture2d",
            "simd_sum",
            "uint",
            "SHRT_MAX",
            "USHRT_MAX",
            "INT_MIN",
            "ULLONG_MAX",
            "FLT_MAX",
            "M_PI_F",
            "__x",
            "depth2d_array",
            "aq_in",
            "AqArray",
            "normalize",
            "SCHAR_MIN",
        ] {
            assert!(is_reserved(name), "{name}");
        }
        for name in ["color", "float5", "double2x2", "float4x5", "v0", "uv", "Main", "maximum", "HRT_MAX", "samp"] {
            assert!(!is_reserved(name), "{name}");
        }
    }
}
