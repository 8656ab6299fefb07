//! Types, interned: equal type, equal id.

use aquatint_base::{Arena, HashMap, Id, Name};

/// The id of a type.
pub type TypeId = Id<Type>;

/// A scalar kind. Signedness lives in the type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Scalar {
    /// `true` or `false`; has no size in memory.
    Bool,
    /// 16-bit signed.
    I16,
    /// 16-bit unsigned.
    U16,
    /// 32-bit signed.
    I32,
    /// 32-bit unsigned.
    U32,
    /// 64-bit signed.
    I64,
    /// 64-bit unsigned.
    U64,
    /// IEEE 754 binary16.
    F16,
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
}

impl Scalar {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Scalar; 10] = [
        Scalar::Bool,
        Scalar::I16,
        Scalar::U16,
        Scalar::I32,
        Scalar::U32,
        Scalar::I64,
        Scalar::U64,
        Scalar::F16,
        Scalar::F32,
        Scalar::F64,
    ];

    /// The spelling in the text form.
    pub const fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::I16 => "i16",
            Scalar::U16 => "u16",
            Scalar::I32 => "i32",
            Scalar::U32 => "u32",
            Scalar::I64 => "i64",
            Scalar::U64 => "u64",
            Scalar::F16 => "f16",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
        }
    }

    /// Width in bits; 1 for `bool`.
    pub const fn bits(self) -> u32 {
        match self {
            Scalar::Bool => 1,
            Scalar::I16 | Scalar::U16 | Scalar::F16 => 16,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 32,
            Scalar::I64 | Scalar::U64 | Scalar::F64 => 64,
        }
    }

    /// Size in memory in bytes; `bool` counts as 4, the size that every source language gives it in a buffer.
    pub const fn bytes(self) -> u32 {
        match self {
            Scalar::Bool => 4,
            other => other.bits() / 8,
        }
    }

    /// Whether it is a float kind.
    pub const fn is_float(self) -> bool {
        matches!(self, Scalar::F16 | Scalar::F32 | Scalar::F64)
    }

    /// Whether it is a signed integer kind.
    pub const fn is_signed(self) -> bool {
        matches!(self, Scalar::I16 | Scalar::I32 | Scalar::I64)
    }

    /// Whether it is an integer kind; `bool` is not.
    pub const fn is_integer(self) -> bool {
        !self.is_float() && !matches!(self, Scalar::Bool)
    }
}

/// An address space.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Space {
    /// A local of a function (`var`).
    Function,
    /// A module-scope variable of one invocation.
    Private,
    /// Shared by a workgroup.
    Workgroup,
    /// A constant buffer.
    Uniform,
    /// A storage buffer.
    Storage,
    /// The push-constant block.
    Push,
    /// A stage input.
    Input,
    /// A stage output.
    Output,
    /// Textures and samplers; never loaded through a pointer.
    Handle,
}

impl Space {
    /// All spaces.
    pub const ALL: [Space; 9] = [
        Space::Function,
        Space::Private,
        Space::Workgroup,
        Space::Uniform,
        Space::Storage,
        Space::Push,
        Space::Input,
        Space::Output,
        Space::Handle,
    ];

    /// The spelling in the text form.
    pub const fn name(self) -> &'static str {
        match self {
            Space::Function => "function",
            Space::Private => "private",
            Space::Workgroup => "workgroup",
            Space::Uniform => "uniform",
            Space::Storage => "storage",
            Space::Push => "push",
            Space::Input => "input",
            Space::Output => "output",
            Space::Handle => "handle",
        }
    }

    /// Whether a `store` may go there. Storage buffers may still be read-only by their binding.
    pub const fn is_writable(self) -> bool {
        matches!(self, Space::Function | Space::Private | Space::Workgroup | Space::Storage | Space::Output)
    }
}

/// The dimension of a texture.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Dim {
    /// One coordinate.
    D1,
    /// Two coordinates.
    D2,
    /// Three coordinates.
    D3,
    /// A direction.
    Cube,
    /// A linear buffer of texels; fetched, never sampled.
    Buffer,
}

impl Dim {
    /// Coordinates without the array layer.
    pub const fn coordinates(self) -> u8 {
        match self {
            Dim::D1 | Dim::Buffer => 1,
            Dim::D2 => 2,
            Dim::D3 | Dim::Cube => 3,
        }
    }

    /// The part of the type's name: `1d`, `2d`, `3d`, `cube`, `buffer`.
    pub const fn name(self) -> &'static str {
        match self {
            Dim::D1 => "1d",
            Dim::D2 => "2d",
            Dim::D3 => "3d",
            Dim::Cube => "cube",
            Dim::Buffer => "buffer",
        }
    }
}

/// How a storage texture is used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Access {
    /// Loads only.
    Read,
    /// Stores only.
    Write,
    /// Loads, stores and atomics.
    ReadWrite,
}

impl Access {
    /// The spelling in the text form.
    pub const fn name(self) -> &'static str {
        match self {
            Access::Read => "read",
            Access::Write => "write",
            Access::ReadWrite => "read_write",
        }
    }
}

macro_rules! texel_formats {
    ($($variant:ident $name:literal $scalar:ident $channels:literal $bits:literal;)*) => {
        /// The texel format of a storage texture.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum TexelFormat {
            /// Not declared; the host's view decides.
            Any,
            $(#[doc = concat!("`", $name, "`.")] $variant,)*
        }

        impl TexelFormat {
            /// All formats with their names.
            pub const ALL: &'static [TexelFormat] = &[TexelFormat::Any, $(TexelFormat::$variant),*];

            /// The spelling in the text form.
            pub const fn name(self) -> &'static str {
                match self { TexelFormat::Any => "any", $(TexelFormat::$variant => $name),* }
            }

            /// Kind of a loaded component; `None` for `Any`.
            pub const fn scalar(self) -> Option<Scalar> {
                match self { TexelFormat::Any => None, $(TexelFormat::$variant => Some(Scalar::$scalar)),* }
            }

            /// Channels and bits a channel of the first one; zero for `Any`.
            pub const fn channels_bits(self) -> (u8, u8) {
                match self { TexelFormat::Any => (0, 0), $(TexelFormat::$variant => ($channels, $bits)),* }
            }
        }
    };
}

texel_formats! {
    Rgba32f "rgba32f" F32 4 32;
    Rgba16f "rgba16f" F32 4 16;
    Rg32f "rg32f" F32 2 32;
    Rg16f "rg16f" F32 2 16;
    R11fG11fB10f "r11g11b10f" F32 3 11;
    R32f "r32f" F32 1 32;
    R16f "r16f" F32 1 16;
    Rgba16 "rgba16" F32 4 16;
    Rgb10A2 "rgb10a2" F32 4 10;
    Rg16 "rg16" F32 2 16;
    Rg8 "rg8" F32 2 8;
    R16 "r16" F32 1 16;
    R8 "r8" F32 1 8;
    Rgba8 "rgba8" F32 4 8;
    Rgba16Snorm "rgba16snorm" F32 4 16;
    Rg16Snorm "rg16snorm" F32 2 16;
    Rg8Snorm "rg8snorm" F32 2 8;
    R16Snorm "r16snorm" F32 1 16;
    R8Snorm "r8snorm" F32 1 8;
    Rgba8Snorm "rgba8snorm" F32 4 8;
    Rgba32i "rgba32i" I32 4 32;
    Rgba16i "rgba16i" I32 4 16;
    Rgba8i "rgba8i" I32 4 8;
    R32i "r32i" I32 1 32;
    Rg32i "rg32i" I32 2 32;
    Rg16i "rg16i" I32 2 16;
    Rg8i "rg8i" I32 2 8;
    R16i "r16i" I32 1 16;
    R8i "r8i" I32 1 8;
    Rgba32ui "rgba32ui" U32 4 32;
    Rgba16ui "rgba16ui" U32 4 16;
    Rgba8ui "rgba8ui" U32 4 8;
    R32ui "r32ui" U32 1 32;
    Rgb10A2ui "rgb10a2ui" U32 4 10;
    Rg32ui "rg32ui" U32 2 32;
    Rg16ui "rg16ui" U32 2 16;
    Rg8ui "rg8ui" U32 2 8;
    R16ui "r16ui" U32 1 16;
    R8ui "r8ui" U32 1 8;
    R64ui "r64ui" U64 1 64;
    R64i "r64i" I64 1 64;
}

/// Sampled or storage.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TextureKind {
    /// Read through `sample`, `gather`, `fetch`.
    Sampled,
    /// Sampled with comparison: Metal's depth textures.
    Depth,
    /// Read and written through `image.*`.
    Storage(TexelFormat, Access),
}

/// A texture type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Texture {
    /// Dimension.
    pub dim: Dim,
    /// Whether the last coordinate is an array layer.
    pub arrayed: bool,
    /// Whether it has samples.
    pub multisampled: bool,
    /// Kind of one component.
    pub scalar: Scalar,
    /// Sampled, depth or storage.
    pub kind: TextureKind,
}

impl Texture {
    /// A plain sampled texture of 32-bit floats.
    pub const fn sampled(dim: Dim) -> Self {
        Self { dim, arrayed: false, multisampled: false, scalar: Scalar::F32, kind: TextureKind::Sampled }
    }

    /// Coordinates including the layer.
    pub const fn coordinates(self) -> u8 {
        self.dim.coordinates() + self.arrayed as u8
    }
}

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// The result of a function without one.
    Void,
    /// One number.
    Scalar(Scalar),
    /// 2 to 4 numbers.
    Vector(Scalar, u8),
    /// `rows` lines of `columns` numbers (2 to 4 each; 1 is allowed in integer or bool matrices until they are split).
    /// Indexing gives a row.
    Matrix {
        /// Component kind.
        scalar: Scalar,
        /// Rows.
        rows: u8,
        /// Columns.
        columns: u8,
    },
    /// Elements of one type.
    Array {
        /// Element type.
        element: TypeId,
        /// Element count; `None` is a runtime array, the last member of a storage struct or a whole storage buffer.
        length: Option<u32>,
        /// Bytes from one element to the next where the array lies in a buffer, else 0.
        stride: u32,
    },
    /// A struct of the module's table. Two layouts of one source struct are two structs.
    Struct(Id<Struct>),
    /// A pointer.
    Pointer {
        /// Where it points.
        space: Space,
        /// To what.
        pointee: TypeId,
    },
    /// A texture or texel buffer handle.
    Texture(Texture),
    /// A sampler handle.
    Sampler {
        /// Whether it compares.
        comparison: bool,
    },
}

/// The place of a struct member in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MemberLayout {
    /// Byte offset from the start of the struct.
    pub offset: u32,
    /// For a matrix (or an array of them): bytes from one stored line to the next, else 0.
    pub matrix_stride: u32,
    /// For a matrix: whether a stored line is a row.
    pub row_major: bool,
}

/// A member of a struct.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Member {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: TypeId,
    /// Its place, if the struct lies in a buffer.
    pub layout: Option<MemberLayout>,
}

/// A struct.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Struct {
    /// Its name.
    pub name: Name,
    /// Its members in order.
    pub members: Vec<Member>,
    /// Size in bytes where it lies in a buffer, else 0.
    pub size: u32,
}

/// The number of types that every module has: void, scalars, vectors.
const BUILT_IN: usize = 1 + 10 + 30;

const fn built_in(index: usize) -> Type {
    match index {
        0 => Type::Void,
        1..=10 => Type::Scalar(Scalar::ALL[index - 1]),
        _ => Type::Vector(Scalar::ALL[(index - 11) / 3], ((index - 11) % 3) as u8 + 2),
    }
}

static BUILT_IN_TYPES: [Type; BUILT_IN] = {
    let mut all = [Type::Void; BUILT_IN];
    let mut i = 0;
    while i < BUILT_IN {
        all[i] = built_in(i);
        i += 1;
    }
    all
};

/// The id of `void`, the same in every module.
pub const VOID: TypeId = Id::new(0);
/// The id of `bool`.
pub const BOOL: TypeId = scalar(Scalar::Bool);
/// The id of `i32`.
pub const I32: TypeId = scalar(Scalar::I32);
/// The id of `u32`.
pub const U32: TypeId = scalar(Scalar::U32);
/// The id of `f32`.
pub const F32: TypeId = scalar(Scalar::F32);
/// The id of `vec4<f32>`.
pub const VEC4F: TypeId = vector(Scalar::F32, 4);

/// The id of a scalar type, the same in every module.
pub const fn scalar(kind: Scalar) -> TypeId {
    Id::new(1 + kind as usize)
}

/// The id of a vector type of 2 to 4 lanes, the same in every module; 1 lane gives the scalar.
///
/// # Panics
/// For other lane counts.
pub const fn vector(kind: Scalar, lanes: u8) -> TypeId {
    match lanes {
        1 => scalar(kind),
        2..=4 => Id::new(11 + kind as usize * 3 + lanes as usize - 2),
        _ => panic!("a vector has 2 to 4 lanes"),
    }
}

/// If the type is a scalar or vector: its kind and lane count (1 for a scalar). Needs no table.
pub const fn lanes_of(id: TypeId) -> Option<(Scalar, u8)> {
    match id.index() {
        index @ 1..=10 => Some((Scalar::ALL[index - 1], 1)),
        index @ 11..BUILT_IN => Some((Scalar::ALL[(index - 11) / 3], ((index - 11) % 3) as u8 + 2)),
        _ => None,
    }
}

/// The interned types and the structs of a module.
#[derive(Clone, Debug, Default)]
pub struct Types {
    more: Vec<Type>,
    index: HashMap<Type, TypeId>,
    /// The structs.
    pub structs: Arena<Struct>,
}

impl PartialEq for Types {
    fn eq(&self, other: &Self) -> bool {
        self.more == other.more && self.structs == other.structs
    }
}

impl Types {
    /// The types that every module has.
    pub fn new() -> Self {
        Self::default()
    }

    /// The type of that id. Ids from another module give [`Type::Void`]; the verifier reports them (V001).
    #[inline]
    pub fn get(&self, id: TypeId) -> Type {
        let index = id.index();
        match BUILT_IN_TYPES.get(index) {
            Some(&ty) => ty,
            None => self.more.get(index - BUILT_IN).copied().unwrap_or(Type::Void),
        }
    }

    /// Whether the id is of this module.
    pub fn contains(&self, id: TypeId) -> bool {
        id.index() < self.len()
    }

    /// The number of types.
    pub fn len(&self) -> usize {
        BUILT_IN + self.more.len()
    }

    /// Never true.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The id of a type, entered if it is new.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        match ty {
            Type::Void => return VOID,
            Type::Scalar(kind) => return scalar(kind),
            Type::Vector(kind, lanes @ 2..=4) => return vector(kind, lanes),
            _ => {}
        }
        // Few types: a linear search beats a map that must first be allocated.
        if self.more.len() <= 8 {
            if let Some(index) = self.more.iter().position(|&t| t == ty) {
                return Id::new(BUILT_IN + index);
            }
        } else {
            if self.index.is_empty() {
                self.index = self.more.iter().enumerate().map(|(i, &t)| (t, Id::new(BUILT_IN + i))).collect();
            }
            if let Some(&id) = self.index.get(&ty) {
                return id;
            }
        }
        let id = Id::new(BUILT_IN + self.more.len());
        self.more.push(ty);
        if !self.index.is_empty() {
            self.index.insert(ty, id);
        }
        id
    }

    /// All types beyond the ones that every module has, with their ids.
    pub fn iter_more(&self) -> impl Iterator<Item = (TypeId, Type)> + '_ {
        self.more.iter().enumerate().map(|(i, &t)| (Id::new(BUILT_IN + i), t))
    }

    /// A pointer type.
    pub fn pointer(&mut self, space: Space, pointee: TypeId) -> TypeId {
        self.intern(Type::Pointer { space, pointee })
    }

    /// An array type without a memory layout.
    pub fn array(&mut self, element: TypeId, length: u32) -> TypeId {
        self.intern(Type::Array { element, length: Some(length), stride: 0 })
    }

    /// The type that one step of a path leads to from `ty`: the member, element, row or lane numbered `index`.
    /// `None` when there is no such step. Pointers are not followed.
    pub fn step(&self, ty: TypeId, index: u32) -> Option<TypeId> {
        match self.get(ty) {
            Type::Vector(kind, lanes) => (index < u32::from(lanes)).then(|| scalar(kind)),
            Type::Matrix { scalar, rows, columns } => (index < u32::from(rows)).then(|| vector(scalar, columns)),
            Type::Array { element, length, .. } => length.is_none_or(|n| index < n).then_some(element),
            Type::Struct(id) => self.structs.get(id)?.members.get(index as usize).map(|m| m.ty),
            Type::Void | Type::Scalar(_) | Type::Pointer { .. } | Type::Texture(_) | Type::Sampler { .. } => None,
        }
    }

    /// Whether values of the type are handles (textures, samplers) or arrays of them.
    pub fn is_handle(&self, ty: TypeId) -> bool {
        let mut ty = ty;
        // Bounded, since the verifier asks it of types that it has yet to judge.
        for _ in 0..self.len() {
            match self.get(ty) {
                Type::Texture(_) | Type::Sampler { .. } => return true,
                Type::Array { element, .. } => ty = element,
                _ => return false,
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_ids_are_constants() {
        let mut types = Types::new();
        for kind in Scalar::ALL {
            assert_eq!(types.get(scalar(kind)), Type::Scalar(kind));
            assert_eq!(lanes_of(scalar(kind)), Some((kind, 1)));
            for lanes in 2..=4 {
                assert_eq!(types.intern(Type::Vector(kind, lanes)), vector(kind, lanes));
                assert_eq!(types.get(vector(kind, lanes)), Type::Vector(kind, lanes));
                assert_eq!(lanes_of(vector(kind, lanes)), Some((kind, lanes)));
            }
        }
        assert_eq!(lanes_of(VOID), None);
    }

    #[test]
    fn equal_types_share_an_id_before_and_after_the_index_is_built() {
        let mut types = Types::new();
        let ids: Vec<_> = (1..40).map(|n| types.array(F32, n)).collect();
        for (i, &id) in ids.iter().enumerate() {
            assert_eq!(types.array(F32, i as u32 + 1), id);
        }
        assert_eq!(types.iter_more().count(), 39);
    }
}
