//! The types of HLSL, interned: equal type, equal id. Literal types, conversions and their ranks (A4, A5, A9, A10.3).
//!
//! | module | holds |
//! |---|---|
//! | [`kind`] | element kinds, how they combine, what converting one costs |
//! | [`object`] | the table of object types |
//! | [`convert`] | shapes, conversions of whole types and their cost |

pub mod convert;
pub mod kind;
pub mod object;

pub use convert::{Cost, Shape};
pub use kind::Kind;
pub use object::{Counter, Family, ObjectKind};

use aquatint_base::{Arena, HashMap, Id, Name, Names, Span};

/// The id of a type.
pub type Ty = Id<Type>;

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// Of an erroneous expression: converts to everything and silences what follows (F1.6).
    Error,
    /// `void`.
    Void,
    /// A string literal.
    String,
    /// One element.
    Scalar(Kind),
    /// 1 to 4 elements. One element is another spelling of a scalar (A4.1).
    Vector(Kind, u8),
    /// Rows by columns, 1 to 4 each. The orientation matters in memory only (A4.2).
    Matrix {
        /// Element kind.
        kind: Kind,
        /// Rows.
        rows: u8,
        /// Columns.
        columns: u8,
        /// Whether a line in memory is a row.
        row_major: bool,
    },
    /// Elements of one type; `None` is a resource array without bound.
    Array(Ty, Option<u32>),
    /// A struct.
    Struct(Id<Struct>),
    /// An enum.
    Enum(Id<Enum>),
    /// A buffer, texture or sampler, with its element type.
    Object {
        /// Which.
        kind: ObjectKind,
        /// What it holds; void for samplers and byte buffers.
        element: Ty,
    },
}

/// A field of a struct.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: Ty,
    /// Where it is declared.
    pub span: Span,
    /// Bits, for a bitfield (A4.6).
    pub bits: Option<BitField>,
    /// Semantic: its name as written, and index (A7.1).
    pub semantic: Option<Semantic>,
    /// Interpolation and other modifiers of stage inputs.
    pub interpolation: Interpolation,
    /// `[[vk::offset(n)]]`.
    pub offset: Option<u32>,
    /// `[[vk::location(n)]]`.
    pub location: Option<u32>,
    /// `[[vk::index(n)]]`.
    pub blend_index: Option<u32>,
    /// `precise`.
    pub precise: bool,
}

impl Field {
    /// A field of a type, and nothing more said of it.
    pub fn new(name: Name, ty: Ty, span: Span) -> Self {
        Self {
            name,
            ty,
            span,
            bits: None,
            semantic: None,
            interpolation: Interpolation::default(),
            offset: None,
            location: None,
            blend_index: None,
            precise: false,
        }
    }
}

/// The place of a bitfield in its storage unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitField {
    /// The field that holds the unit, by index in the IR struct.
    pub unit: u32,
    /// Lowest bit.
    pub low: u32,
    /// Number of bits.
    pub width: u32,
}

/// A semantic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Semantic {
    /// The name without its number, in lower case.
    pub name: Name,
    /// The number.
    pub index: u32,
    /// Where it stands.
    pub span: Span,
}

/// Interpolation modifiers (A6.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Interpolation {
    /// `nointerpolation`.
    pub flat: bool,
    /// `noperspective`.
    pub linear: bool,
    /// `centroid`.
    pub centroid: bool,
    /// `sample`.
    pub sample: bool,
}

impl Interpolation {
    /// Whether nothing was said.
    pub fn is_default(self) -> bool {
        self == Self::default()
    }
}

/// A struct.
#[derive(Clone, Debug)]
pub struct Struct {
    /// Its name; empty for an anonymous one.
    pub name: Name,
    /// Where it is declared.
    pub span: Span,
    /// Fields, those of the base first (A4.10).
    pub fields: Vec<Field>,
    /// The base.
    pub base: Option<Ty>,
    /// Whether the body has been read.
    pub complete: bool,
    /// What was counted when it was: counted again for each use, structs of structs would take exponential time.
    facts: Facts,
}

/// What is counted of a struct's fields, all that lies in them included.
#[derive(Clone, Copy, Debug, Default)]
struct Facts {
    leaves: u64,
    members: u64,
    depth: usize,
    objects: bool,
}

/// An enum.
#[derive(Clone, Debug)]
pub struct Enum {
    /// Its name.
    pub name: Name,
    /// The kind of its values.
    pub kind: Kind,
    /// Whether it is `enum class`: no implicit conversion.
    pub scoped: bool,
}

/// The interned types of a compilation.
#[derive(Debug)]
pub struct Types {
    all: Arena<Type>,
    index: HashMap<Type, Ty>,
    /// The structs.
    pub structs: Arena<Struct>,
    /// The enums.
    pub enums: Arena<Enum>,
}

impl Default for Types {
    fn default() -> Self {
        Self::new()
    }
}

/// The id of the error type, the same in every table.
pub const ERROR: Ty = Id::new(0);
/// The id of `void`.
pub const VOID: Ty = Id::new(1);
/// The id of strings.
pub const STRING: Ty = Id::new(2);

const KINDS: [Kind; 15] = [
    Kind::Bool,
    Kind::Min16Int,
    Kind::Min16Uint,
    Kind::Int16,
    Kind::Uint16,
    Kind::Int,
    Kind::Uint,
    Kind::Int64,
    Kind::Uint64,
    Kind::Min16Float,
    Kind::Half,
    Kind::Float,
    Kind::Double,
    Kind::LitInt,
    Kind::LitFloat,
];

/// The id of a scalar type, the same in every table.
pub const fn scalar(kind: Kind) -> Ty {
    Id::new(3 + kind as usize)
}

/// The id of `bool`.
pub const BOOL: Ty = scalar(Kind::Bool);
/// The id of `int`.
pub const INT: Ty = scalar(Kind::Int);
/// The id of `uint`.
pub const UINT: Ty = scalar(Kind::Uint);
/// The id of `float`.
pub const FLOAT: Ty = scalar(Kind::Float);

impl Types {
    /// A table of the types that every compilation has.
    pub fn new() -> Self {
        let mut types =
            Self { all: Arena::new(), index: HashMap::default(), structs: Arena::new(), enums: Arena::new() };
        for ty in [Type::Error, Type::Void, Type::String] {
            types.intern(ty);
        }
        for kind in KINDS {
            types.intern(Type::Scalar(kind));
        }
        types
    }

    /// The id of a type.
    pub fn intern(&mut self, ty: Type) -> Ty {
        if let Some(&id) = self.index.get(&ty) {
            return id;
        }
        let id = self.all.push(ty);
        self.index.insert(ty, id);
        id
    }

    /// The type of an id.
    #[inline]
    pub fn get(&self, id: Ty) -> Type {
        self.all.get(id).copied().unwrap_or(Type::Error)
    }

    /// A vector, or the scalar for one element.
    pub fn vector(&mut self, kind: Kind, lanes: u8) -> Ty {
        if lanes == 1 { scalar(kind) } else { self.intern(Type::Vector(kind, lanes)) }
    }

    /// A matrix whose orientation does not matter.
    pub fn matrix(&mut self, kind: Kind, rows: u8, columns: u8) -> Ty {
        self.intern(Type::Matrix { kind, rows, columns, row_major: false })
    }

    /// An array.
    pub fn array(&mut self, element: Ty, length: u32) -> Ty {
        self.intern(Type::Array(element, Some(length)))
    }

    /// A struct of the table.
    pub fn structure(&self, ty: Ty) -> Option<(Id<Struct>, &Struct)> {
        match self.get(ty) {
            Type::Struct(id) => Some((id, &self.structs[id])),
            _ => None,
        }
    }

    /// The element kind and shape of a scalar, vector, matrix or enum.
    pub fn numeric(&self, ty: Ty) -> Option<(Kind, Shape)> {
        match self.get(ty) {
            Type::Scalar(kind) => Some((kind, Shape::Scalar)),
            Type::Vector(kind, n) => Some((kind, if n == 1 { Shape::Scalar } else { Shape::Vector(n) })),
            Type::Matrix { kind, rows, columns, .. } => Some((kind, Shape::Matrix(rows, columns))),
            Type::Enum(id) => Some((self.enums[id].kind, Shape::Scalar)),
            _ => None,
        }
    }

    /// The type of that kind and shape.
    pub fn of(&mut self, kind: Kind, shape: Shape) -> Ty {
        match shape {
            Shape::Scalar => scalar(kind),
            Shape::Vector(n) => self.vector(kind, n),
            Shape::Matrix(rows, columns) => self.matrix(kind, rows, columns),
        }
    }

    /// The type without orientations: what tells value types apart. One-element vectors are scalars.
    pub fn canonical(&mut self, ty: Ty) -> Ty {
        match self.get(ty) {
            Type::Matrix { kind, rows, columns, row_major: true } => self.matrix(kind, rows, columns),
            Type::Vector(kind, 1) => scalar(kind),
            Type::Array(element, length) => {
                let inner = self.canonical(element);
                if inner == element { ty } else { self.intern(Type::Array(inner, length)) }
            }
            _ => ty,
        }
    }

    /// A struct without its body.
    pub fn declare_struct(&mut self, name: Name, span: Span) -> Id<Struct> {
        let facts = Facts::default();
        self.structs.push(Struct { name, span, fields: Vec::new(), base: None, complete: false, facts })
    }

    /// Gives a struct its fields, whose types are complete.
    pub fn complete_struct(&mut self, id: Id<Struct>, fields: Vec<Field>) {
        let facts = fields.iter().fold(Facts::default(), |sum, field| Facts {
            leaves: sum.leaves.saturating_add(self.leaves(field.ty)),
            members: sum.members.saturating_add(self.members(field.ty)),
            depth: sum.depth.max(self.depth(field.ty)),
            objects: sum.objects || self.holds_objects(field.ty),
        });
        let data = &mut self.structs[id];
        (data.fields, data.facts, data.complete) = (fields, facts, true);
    }

    /// What arrays of arrays are of in the end, and the number of their elements. Types are made from what exists, so no
    /// type is in itself, and the way down ends.
    pub fn innermost(&self, mut ty: Ty) -> (Ty, u64, usize) {
        let (mut count, mut depth) = (1u64, 0);
        while let Type::Array(element, length) = self.get(ty) {
            count = count.saturating_mul(u64::from(length.unwrap_or(0)));
            (ty, depth) = (element, depth + 1);
        }
        (ty, count, depth)
    }

    /// Whether values of the type hold objects somewhere.
    pub fn holds_objects(&self, ty: Ty) -> bool {
        match self.get(self.innermost(ty).0) {
            Type::Object { .. } => true,
            Type::Struct(id) => self.structs[id].facts.objects,
            _ => false,
        }
    }

    /// Whether the type is an object, or an array of objects.
    pub fn is_object(&self, ty: Ty) -> bool {
        matches!(self.get(self.innermost(ty).0), Type::Object { .. })
    }

    /// The number of leaves: numbers, each of its own (A6.5). Saturates far above every limit.
    pub fn leaves(&self, ty: Ty) -> u64 {
        let (ty, count, _) = self.innermost(ty);
        let of = match self.get(ty) {
            Type::Scalar(_) | Type::Enum(_) => 1,
            Type::Vector(_, n) => u64::from(n),
            Type::Matrix { rows, columns, .. } => u64::from(rows) * u64::from(columns),
            Type::Struct(id) => self.structs[id].facts.leaves,
            Type::Error | Type::Void | Type::String | Type::Object { .. } | Type::Array(..) => 0,
        };
        of.saturating_mul(count)
    }

    /// The fields that are members of a struct in the IR, with their numbers: those that hold data; of the bitfields of one
    /// unit the first.
    pub fn member_fields<'f>(&self, fields: &'f [Field]) -> impl Iterator<Item = (usize, &'f Field)> {
        let mut unit = None;
        fields.iter().enumerate().filter(move |(_, field)| {
            let known = field.bits.is_some_and(|bits| unit.replace(bits.unit) == Some(bits.unit));
            self.leaves(field.ty) > 0 && !known
        })
    }

    /// The number of members and structs in a value of the type, arrays counted as one: what a walk through it takes. More than
    /// [`MAX_MEMBERS`] is refused where it is made.
    pub fn members(&self, ty: Ty) -> u64 {
        match self.get(self.innermost(ty).0) {
            Type::Struct(id) => self.structs[id].facts.members.saturating_add(1),
            _ => 1,
        }
    }

    /// How deep the type nests; more than [`MAX_DEPTH`] is refused where it is made (F4, AQ4009).
    pub fn depth(&self, ty: Ty) -> usize {
        let (ty, _, arrays) = self.innermost(ty);
        let own = match self.get(ty) {
            Type::Struct(id) => self.structs[id].facts.depth,
            _ => 0,
        };
        arrays + 1 + own
    }

    /// The spelling in messages.
    pub fn display(&self, ty: Ty, names: &Names) -> String {
        let mut lengths = String::new();
        let mut ty = ty;
        for _ in 0..MAX_DEPTH {
            let Type::Array(element, length) = self.get(ty) else { break };
            match length {
                Some(n) => lengths.push_str(&format!("[{n}]")),
                None => lengths.push_str("[]"),
            }
            ty = element;
        }
        let base = match self.get(ty) {
            Type::Error => "<error>".to_owned(),
            Type::Void => "void".to_owned(),
            Type::String => "string".to_owned(),
            Type::Scalar(kind) => kind.name().to_owned(),
            Type::Vector(kind, n) => format!("{}{n}", kind.name()),
            Type::Matrix { kind, rows, columns, .. } => format!("{}{rows}x{columns}", kind.name()),
            Type::Struct(id) => match names.get(self.structs[id].name) {
                "" => "<anonymous struct>".to_owned(),
                name => name.to_owned(),
            },
            Type::Enum(id) => names.get(self.enums[id].name).to_owned(),
            Type::Object { kind, element } => match self.get(element) {
                Type::Void => kind.row().name.to_owned(),
                _ => format!("{}<{}>", kind.row().name, self.display(element, names)),
            },
            Type::Array(..) => "…".to_owned(),
        };
        base + &lengths
    }
}

/// How deep types nest at most (F4).
pub const MAX_DEPTH: usize = 64;

/// Members and structs in a type at most: without a bound 64 structs of two structs each have 2^64.
pub const MAX_MEMBERS: u64 = 1 << 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalar_ids_are_constants() {
        let mut types = Types::new();
        for kind in KINDS {
            assert_eq!(types.get(scalar(kind)), Type::Scalar(kind));
            assert_eq!(types.intern(Type::Scalar(kind)), scalar(kind));
        }
        assert_eq!(types.get(ERROR), Type::Error);
        assert_eq!(types.get(VOID), Type::Void);
    }

    #[test]
    fn a4_2_orientation_does_not_tell_value_types_apart() {
        let mut types = Types::new();
        let row = types.intern(Type::Matrix { kind: Kind::Float, rows: 2, columns: 3, row_major: true });
        let column = types.matrix(Kind::Float, 2, 3);
        assert_ne!(row, column);
        let (a, b) = (types.array(row, 4), types.array(column, 4));
        assert_eq!(types.canonical(a), b);
    }

    #[test]
    fn names_read_as_written() {
        let mut types = Types::new();
        let names = Names::new();
        let m = types.matrix(Kind::Float, 3, 4);
        let inner = types.array(m, 2);
        let outer = types.array(inner, 5);
        assert_eq!(types.display(outer, &names), "float3x4[5][2]");
        let v = types.vector(Kind::Uint, 4);
        let object = types.intern(Type::Object { kind: ObjectKind::RwTexture2D, element: v });
        assert_eq!(types.display(object, &names), "RWTexture2D<uint4>");
    }
}
