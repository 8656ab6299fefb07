//! The attributes of the language (MSL 2.4 sections 5.2 to 5.8): where each may stand and on which types.

use super::types::{Class, Number};

/// Places of the interface, as bits.
pub mod place {
    /// Argument of a vertex function.
    pub const VERTEX_IN: u16 = 1;
    /// Result of a vertex function.
    pub const VERTEX_OUT: u16 = 2;
    /// Argument of a fragment function, or a member of its stage input.
    pub const FRAGMENT_IN: u16 = 4;
    /// Result of a fragment function.
    pub const FRAGMENT_OUT: u16 = 8;
    /// Argument of a kernel function.
    pub const KERNEL_IN: u16 = 16;
}
use place::*;

/// Types that a built-in variable may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Types {
    /// `bool`.
    Bool,
    /// `float`.
    Float,
    /// `float` or an array of them.
    FloatOrArray,
    /// `float2`.
    Float2,
    /// `float2` or `float3`.
    Float2Or3,
    /// `float4`.
    Float4,
    /// `uint`.
    Uint,
    /// `ushort` or `uint`.
    UshortOrUint,
    /// `uchar`, `ushort` or `uint`.
    UnsignedUpTo32,
    /// `ushort` or `uint`, scalar or of 2 or 3 components.
    Grid,
    /// A colour: half, float, short, ushort, int or uint, of 1 to 4 components.
    Color,
}

impl Types {
    /// Whether a type with no pointers is one of these; `sizes` is the number of array dimensions.
    pub fn allow(self, class: Class, sizes: usize) -> bool {
        let Class::Vector(number, lanes) = class else { return class == Class::Template };
        if sizes > 0 {
            return self == Types::FloatOrArray && sizes == 1 && (number, lanes) == (Number::Float(32), 1);
        }
        let unsigned = |up_to_16: bool| match number {
            Number::Integer(32, false) | Number::Integer(16, false) => true,
            Number::Integer(8, false) => up_to_16,
            _ => false,
        };
        match self {
            Types::Bool => (number, lanes) == (Number::Bool, 1),
            Types::Float | Types::FloatOrArray => (number, lanes) == (Number::Float(32), 1),
            Types::Float2 => (number, lanes) == (Number::Float(32), 2),
            Types::Float2Or3 => number == Number::Float(32) && (2..=3).contains(&lanes),
            Types::Float4 => (number, lanes) == (Number::Float(32), 4),
            Types::Uint => (number, lanes) == (Number::Integer(32, false), 1),
            Types::UshortOrUint => lanes == 1 && unsigned(false),
            Types::UnsignedUpTo32 => lanes == 1 && unsigned(true),
            Types::Grid => lanes <= 3 && unsigned(false),
            Types::Color => matches!(number, Number::Float(_) | Number::Integer(16 | 32, _)),
        }
    }

    /// The types in words.
    pub fn words(self) -> &'static str {
        match self {
            Types::Bool => "bool",
            Types::Float => "float",
            Types::FloatOrArray => "float or an array of float",
            Types::Float2 => "float2",
            Types::Float2Or3 => "float2 or float3",
            Types::Float4 => "float4",
            Types::Uint => "uint",
            Types::UshortOrUint => "ushort or uint",
            Types::UnsignedUpTo32 => "uchar, ushort or uint",
            Types::Grid => "ushort or uint with one to three components",
            Types::Color => "half, float, short, ushort, int or uint with one to four components",
        }
    }
}

/// A built-in variable.
pub struct BuiltIn {
    /// Its attribute.
    pub name: &'static str,
    /// Where it may stand.
    pub places: u16,
    /// Which types it may have.
    pub types: Types,
}

const fn built_in(name: &'static str, places: u16, types: Types) -> BuiltIn {
    BuiltIn { name, places, types }
}

const LANES: u16 = FRAGMENT_IN | KERNEL_IN;

/// Tables 5.2 to 5.8 of the specification.
pub const BUILT_INS: [BuiltIn; 48] = [
    built_in("amplification_count", VERTEX_IN | FRAGMENT_IN, Types::UshortOrUint),
    built_in("amplification_id", VERTEX_IN | FRAGMENT_IN, Types::UshortOrUint),
    built_in("barycentric_coord", FRAGMENT_IN, Types::Float2Or3),
    built_in("base_instance", VERTEX_IN, Types::UshortOrUint),
    built_in("base_vertex", VERTEX_IN, Types::UshortOrUint),
    built_in("clip_distance", VERTEX_OUT, Types::FloatOrArray),
    built_in("color", FRAGMENT_IN | FRAGMENT_OUT, Types::Color),
    built_in("depth", FRAGMENT_OUT, Types::Float),
    built_in("dispatch_quadgroups_per_threadgroup", KERNEL_IN, Types::UshortOrUint),
    built_in("dispatch_simdgroups_per_threadgroup", KERNEL_IN, Types::UshortOrUint),
    built_in("dispatch_threads_per_threadgroup", KERNEL_IN, Types::Grid),
    built_in("front_facing", FRAGMENT_IN, Types::Bool),
    built_in("grid_origin", KERNEL_IN, Types::Grid),
    built_in("grid_size", KERNEL_IN, Types::Grid),
    built_in("instance_id", VERTEX_IN, Types::UshortOrUint),
    built_in("patch_id", VERTEX_IN, Types::UshortOrUint),
    built_in("point_coord", FRAGMENT_IN, Types::Float2),
    built_in("point_size", VERTEX_OUT, Types::Float),
    built_in("position", VERTEX_OUT | FRAGMENT_IN, Types::Float4),
    built_in("position_in_patch", VERTEX_IN, Types::Float2Or3),
    built_in("primitive_id", FRAGMENT_IN, Types::UshortOrUint),
    built_in("quadgroup_index_in_threadgroup", KERNEL_IN, Types::UshortOrUint),
    built_in("quadgroups_per_threadgroup", KERNEL_IN, Types::UshortOrUint),
    built_in("render_target_array_index", VERTEX_OUT | FRAGMENT_IN, Types::UnsignedUpTo32),
    built_in("sample_id", FRAGMENT_IN, Types::UshortOrUint),
    built_in("sample_mask", FRAGMENT_IN | FRAGMENT_OUT, Types::Uint),
    built_in("simdgroup_index_in_threadgroup", KERNEL_IN, Types::UshortOrUint),
    built_in("simdgroups_per_threadgroup", KERNEL_IN, Types::UshortOrUint),
    built_in("stage_in_grid_origin", KERNEL_IN, Types::Grid),
    built_in("stage_in_grid_size", KERNEL_IN, Types::Grid),
    built_in("stencil", FRAGMENT_OUT, Types::Uint),
    built_in("thread_execution_width", LANES, Types::UshortOrUint),
    built_in("thread_index_in_quadgroup", LANES, Types::UshortOrUint),
    built_in("thread_index_in_simdgroup", LANES, Types::UshortOrUint),
    built_in("thread_index_in_threadgroup", KERNEL_IN, Types::UshortOrUint),
    built_in("thread_position_in_grid", KERNEL_IN, Types::Grid),
    built_in("thread_position_in_threadgroup", KERNEL_IN, Types::Grid),
    built_in("threadgroup_position_in_grid", KERNEL_IN, Types::Grid),
    built_in("threadgroups_per_grid", KERNEL_IN, Types::Grid),
    built_in("threads_per_grid", KERNEL_IN, Types::Grid),
    built_in("threads_per_simdgroup", LANES, Types::UshortOrUint),
    built_in("threads_per_threadgroup", KERNEL_IN, Types::Grid),
    built_in("vertex_id", VERTEX_IN, Types::UshortOrUint),
    built_in("viewport_array_index", VERTEX_OUT | FRAGMENT_IN, Types::UnsignedUpTo32),
    built_in("pixel_position_in_tile", KERNEL_IN, Types::Grid),
    built_in("pixels_per_tile", KERNEL_IN, Types::Grid),
    built_in("tile_index", KERNEL_IN, Types::UshortOrUint),
    built_in("render_target_array_size", KERNEL_IN, Types::UshortOrUint),
];

/// The built-in variable of an attribute.
pub fn find(name: &str) -> Option<&'static BuiltIn> {
    BUILT_INS.iter().find(|built_in| built_in.name == name)
}

/// Positions and sizes that must agree in their number of components (5.2.3.6).
pub const GRID: [&str; 6] = [
    "thread_position_in_grid",
    "thread_position_in_threadgroup",
    "threadgroup_position_in_grid",
    "threadgroups_per_grid",
    "threads_per_grid",
    "threads_per_threadgroup",
];

/// Sampling and interpolation attributes (5.4).
pub const INTERPOLATION: [&str; 7] = [
    "center_perspective",
    "center_no_perspective",
    "centroid_perspective",
    "centroid_no_perspective",
    "sample_perspective",
    "sample_no_perspective",
    "flat",
];

/// Attributes that locate an argument (5.2.1).
pub const LOCATIONS: [&str; 4] = ["buffer", "texture", "sampler", "threadgroup"];

/// Attributes of functions, with the stages that may have them.
pub const OF_FUNCTIONS: [(&str, &[&str]); 10] = [
    ("early_fragment_tests", &["fragment"]),
    ("max_total_threads_per_threadgroup", &["kernel"]),
    ("patch", &["vertex"]),
    ("host_name", &["vertex", "fragment", "kernel"]),
    ("vertex", &["vertex"]),
    ("fragment", &["fragment"]),
    ("kernel", &["kernel"]),
    ("visible", &[]),
    ("intersection", &[]),
    ("stitchable", &[]),
];

/// Attributes that stand beside others and say more about a variable.
pub const BESIDE: [&str; 8] =
    ["invariant", "shared", "raster_order_group", "post_depth_coverage", "index", "function_constant", "id", "user"];

/// Attributes of C++ and of the compiler, which mean nothing here.
pub const PLAIN: [&str; 9] = [
    "maybe_unused",
    "nodiscard",
    "deprecated",
    "fallthrough",
    "noreturn",
    "likely",
    "unlikely",
    "unused",
    "always_inline",
];

/// Attributes of stages that the checker does not treat (mesh, ray tracing, tiles).
pub const ELSEWHERE: [&str; 12] = [
    "payload",
    "mesh",
    "object",
    "primitive_culled",
    "imageblock_data",
    "alias_implicit_imageblock",
    "origin",
    "direction",
    "min_distance",
    "max_distance",
    "distance",
    "accept_intersection",
];

/// Whether the language has an attribute of this name.
pub fn known(name: &str) -> bool {
    find(name).is_some()
        || INTERPOLATION.contains(&name)
        || LOCATIONS.contains(&name)
        || OF_FUNCTIONS.iter().any(|(of, _)| *of == name)
        || BESIDE.contains(&name)
        || PLAIN.contains(&name)
        || ELSEWHERE.contains(&name)
        || matches!(name, "stage_in" | "attribute")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Attributes of tiles, which no test has.
    const TILES: [&str; 4] = ["pixel_position_in_tile", "pixels_per_tile", "tile_index", "render_target_array_size"];

    #[test]
    fn every_built_in_variable_stands_in_a_source_that_is_accepted() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/accepted");
        let text: String = std::fs::read_dir(folder)
            .expect("the sources are there")
            .map(|entry| std::fs::read_to_string(entry.expect("a source").path()).expect("a source can be read"))
            .collect();
        let attributes = BUILT_INS.iter().map(|built_in| built_in.name).chain(INTERPOLATION).chain(LOCATIONS);
        let missing: Vec<_> = attributes
            .filter(|name| !TILES.contains(name) && !name.starts_with("stage_in_grid"))
            .filter(|name| {
                ![
                    "[[",
                    "[[color(0), ",
                    "locn0), ",
                    "locn1), ",
                    "locn2), ",
                    "locn3), ",
                    "locn4), ",
                    "locn5), ",
                    "locn6), ",
                ]
                .iter()
                .any(|before| text.contains(&format!("{before}{name}")))
            })
            .collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
