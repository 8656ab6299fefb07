//! What kind of type a name is.

use super::syntax::{Type, Unit};

/// A number type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// `bool`.
    Bool,
    /// An integer: bits, signed.
    Integer(u8, bool),
    /// `half` or `float`: bits.
    Float(u8),
}

/// A texture type without its element and access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Texture {
    /// `depth…`.
    pub depth: bool,
    /// Can be written.
    pub writable: bool,
    /// Can be read and written.
    pub read_write: bool,
    /// Can be sampled.
    pub sampled: bool,
}

/// The kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// `void`.
    Void,
    /// A scalar (1) or vector (2 to 4).
    Vector(Number, u8),
    /// A packed vector.
    Packed,
    /// A matrix.
    Matrix,
    /// An atomic type.
    Atomic,
    /// A texture.
    Texture(Texture),
    /// A sampler.
    Sampler,
    /// `array<T, N>`.
    Array,
    /// A struct of the source.
    Record,
    /// An enumeration of the source.
    Enum,
    /// A template parameter.
    Template,
    /// A type of the language that the rules do not look into.
    Opaque,
    /// Unknown.
    Unknown,
}

/// The scalar type of a name.
pub fn scalar(name: &str) -> Option<Number> {
    Some(match name {
        "bool" => Number::Bool,
        "char" | "int8_t" | "signed" => Number::Integer(8, true),
        "uchar" | "uint8_t" => Number::Integer(8, false),
        "short" | "int16_t" => Number::Integer(16, true),
        "ushort" | "uint16_t" => Number::Integer(16, false),
        "int" | "int32_t" => Number::Integer(32, true),
        "uint" | "uint32_t" | "unsigned" => Number::Integer(32, false),
        "long" | "int64_t" | "ptrdiff_t" => Number::Integer(64, true),
        "ulong" | "uint64_t" | "size_t" => Number::Integer(64, false),
        "half" => Number::Float(16),
        "float" => Number::Float(32),
        _ => return None,
    })
}

/// The textures of the language (MSL 2.9): which accesses each has.
pub fn texture(name: &str) -> Option<Texture> {
    let of = |depth, writable, read_write, sampled| Some(Texture { depth, writable, read_write, sampled });
    match name {
        "texture1d" | "texture1d_array" | "texture2d" | "texture2d_array" | "texture3d" => of(false, true, true, true),
        "texturecube" | "texturecube_array" => of(false, true, false, true),
        "texture_buffer" => of(false, true, true, false),
        "texture2d_ms" | "texture2d_ms_array" => of(false, false, false, false),
        "depth2d" | "depth2d_array" | "depthcube" | "depthcube_array" => of(true, false, false, true),
        "depth2d_ms" | "depth2d_ms_array" => of(true, false, false, false),
        _ => None,
    }
}

/// Types of the language that no rule looks into.
const OPAQUE: [&str; 16] = [
    "interpolant",
    "patch_control_point",
    "imageblock",
    "acceleration_structure",
    "visible_function_table",
    "intersection_function_table",
    "command_buffer",
    "render_command",
    "compute_command",
    "mesh",
    "mesh_grid_properties",
    "instance_acceleration_structure",
    "primitive_acceleration_structure",
    "intersector",
    "simdgroup_float8x8",
    "uniform",
];

/// The class of a type by its name alone, levels and sizes aside; aliases are followed before.
pub fn class_of(unit: &Unit, ty: &Type) -> Class {
    let name = ty.name;
    if name == "void" {
        return Class::Void;
    }
    if let Some(number) = scalar(name) {
        return Class::Vector(number, 1);
    }
    if name == "vec" && ty.arguments.len() == 2 {
        let element = unit.text(ty.arguments[0].start);
        let lanes = unit.text(ty.arguments[1].start).parse().unwrap_or(4);
        return scalar(element).map_or(Class::Template, |number| Class::Vector(number, lanes));
    }
    if unit.record(name).is_some() {
        return Class::Record;
    }
    if unit.enums.contains(&name) {
        return Class::Enum;
    }
    if name.starts_with("packed_") {
        return Class::Packed;
    }
    if let Some(texture) = texture(name) {
        return Class::Texture(texture);
    }
    if name == "atomic" || name.starts_with("atomic_") {
        return Class::Atomic;
    }
    match name {
        "sampler" => return Class::Sampler,
        "array" | "array_ref" => return Class::Array,
        "matrix" => return Class::Matrix,
        _ if OPAQUE.contains(&name) => return Class::Opaque,
        _ if unit.template_types.contains(&name) => return Class::Template,
        _ => {}
    }
    let bytes = name.as_bytes();
    let size = |byte: u8| (b'2'..=b'4').contains(&byte);
    match bytes {
        [.., r, b'x', c] if size(*r) && size(*c) && matches!(&name[..name.len() - 3], "float" | "half") => {
            Class::Matrix
        }
        [.., lanes] if size(*lanes) => scalar(&name[..name.len() - 1])
            .filter(|_| !name.contains('_'))
            .map_or(Class::Unknown, |number| Class::Vector(number, lanes - b'0')),
        _ => Class::Unknown,
    }
}

/// Whether a name is a type of the language or of the source, so that `name *` declares a pointer.
pub fn is_type(unit: &Unit, name: &str, at: usize) -> bool {
    let ty = Type { name, at, ..Type::default() };
    !matches!(class_of(unit, &ty), Class::Unknown | Class::Template)
        || unit.aliases.iter().any(|(alias, _)| *alias == name)
}

/// A type as a message shows it.
pub fn describe(unit: &Unit, ty: &Type) -> String {
    let mut text = String::new();
    if let Some(space) = ty.space {
        text.push_str(space);
        text.push(' ');
    }
    text.push_str(ty.name);
    if let (Some(first), Some(last)) = (ty.arguments.first(), ty.arguments.last()) {
        text.push('<');
        for at in first.start..last.end {
            text.push_str(unit.text(at));
            if unit.text(at) == "," {
                text.push(' ');
            }
        }
        text.push('>');
    }
    for level in &ty.levels {
        text.push(if level.reference { '&' } else { '*' });
    }
    for size in &ty.sizes {
        text.push('[');
        for at in size.clone() {
            text.push_str(unit.text(at));
        }
        text.push(']');
    }
    text
}
