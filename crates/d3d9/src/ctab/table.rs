//! The constant table as data.

use aquatint_base::{Arena, Diagnostic, Diags, Id, Span};

use crate::codes;

/// Which register file a constant lives in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RegisterSet {
    /// `b#`: one bool a register.
    Bool,
    /// `i#`: four integers a register.
    Int4,
    /// `c#`: four floats a register.
    Float4,
    /// `s#`.
    Sampler,
}

impl RegisterSet {
    /// The set of that number in a table.
    pub const fn from_number(number: u16) -> Option<Self> {
        Some(match number {
            0 => Self::Bool,
            1 => Self::Int4,
            2 => Self::Float4,
            3 => Self::Sampler,
            _ => return None,
        })
    }

    /// Its number in a table.
    pub const fn number(self) -> u16 {
        self as u16
    }

    /// The letter of its registers in assembly text.
    pub const fn letter(self) -> char {
        match self {
            Self::Bool => 'b',
            Self::Int4 => 'i',
            Self::Float4 => 'c',
            Self::Sampler => 's',
        }
    }

    /// Registers of the widest file of this set in any shader version.
    pub const fn widest(self) -> u32 {
        match self {
            Self::Float4 => 8192,
            Self::Bool | Self::Int4 => 2048,
            Self::Sampler => 16,
        }
    }
}

/// The shape of a type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// One number.
    Scalar,
    /// One row of numbers.
    Vector,
    /// A matrix, one row a register.
    MatrixRows,
    /// A matrix, one column a register: HLSL's default.
    MatrixColumns,
    /// A sampler, texture, string or shader.
    Object,
    /// Members in order.
    Struct,
}

impl Class {
    /// The class of that number (D3DXPARAMETER_CLASS).
    pub const fn from_number(number: u32) -> Option<Self> {
        Some(match number {
            0 => Self::Scalar,
            1 => Self::Vector,
            2 => Self::MatrixRows,
            3 => Self::MatrixColumns,
            4 => Self::Object,
            5 => Self::Struct,
            _ => return None,
        })
    }
}

macro_rules! base_types {
    ($($variant:ident $name:literal,)*) => {
        /// What a type is made of (D3DXPARAMETER_TYPE, in its order).
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[allow(missing_docs, reason = "each is the HLSL type of that name")]
        pub enum BaseType {
            $($variant,)*
        }

        impl BaseType {
            /// All, in the order of their numbers.
            pub const ALL: &'static [BaseType] = &[$(Self::$variant,)*];

            /// The HLSL spelling.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

base_types! {
    Void "void", Bool "bool", Int "int", Float "float", String "string",
    Texture "texture", Texture1D "texture1D", Texture2D "texture2D", Texture3D "texture3D", TextureCube "textureCUBE",
    Sampler "sampler", Sampler1D "sampler1D", Sampler2D "sampler2D", Sampler3D "sampler3D", SamplerCube "samplerCUBE",
    PixelShader "pixelshader", VertexShader "vertexshader",
    PixelFragment "pixelfragment", VertexFragment "vertexfragment", Unsupported "unsupported",
}

impl BaseType {
    /// The type of that number.
    pub fn from_number(number: u32) -> Option<Self> {
        Self::ALL.get(usize::try_from(number).ok()?).copied()
    }

    /// Whether it is bool, int or float.
    pub const fn is_numeric(self) -> bool {
        matches!(self, Self::Bool | Self::Int | Self::Float)
    }

    /// Whether it is one of the five samplers.
    pub const fn is_sampler(self) -> bool {
        matches!(self, Self::Sampler | Self::Sampler1D | Self::Sampler2D | Self::Sampler3D | Self::SamplerCube)
    }

    /// Whether it is one of the five textures.
    pub const fn is_texture(self) -> bool {
        matches!(self, Self::Texture | Self::Texture1D | Self::Texture2D | Self::Texture3D | Self::TextureCube)
    }

    /// Whether it is a vertex or pixel shader.
    pub const fn is_shader(self) -> bool {
        matches!(self, Self::VertexShader | Self::PixelShader)
    }
}

/// A member of a struct type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Its type, in the same table.
    pub ty: Id<TypeInfo>,
}

/// A type. Types are shared by id, so that a table whose structs refer to each other stays as small as its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeInfo {
    /// The shape.
    pub class: Class,
    /// What it is made of; [`BaseType::Void`] for structs.
    pub base: BaseType,
    /// Rows, 1 where it is no matrix.
    pub rows: u16,
    /// Columns.
    pub columns: u16,
    /// Array length, 1 for no array.
    pub elements: u16,
    /// The members of a struct.
    pub members: Vec<Member>,
    registers: u32,
    scalars: u32,
}

impl TypeInfo {
    /// Registers that the whole type takes in `set`, arrays included (5.1). A shader may use fewer.
    pub fn registers(&self, set: RegisterSet) -> u32 {
        match set {
            RegisterSet::Bool => self.scalars,
            RegisterSet::Int4 | RegisterSet::Float4 => self.registers,
            RegisterSet::Sampler => u32::from(self.elements.max(1)),
        }
    }

    /// The same for one element of an array.
    pub fn element_registers(&self, set: RegisterSet) -> u32 {
        self.registers(set) / u32::from(self.elements.max(1))
    }
}

/// A constant of a shader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// Its name. One name may stand in two sets: the key is (name, set).
    pub name: String,
    /// The register file.
    pub set: RegisterSet,
    /// First register.
    pub index: u16,
    /// Registers that the shader uses; may be fewer than the type needs.
    pub count: u16,
    /// Not zero where the source bound the register itself.
    pub reserved: u16,
    /// Its type.
    pub ty: Id<TypeInfo>,
    /// The initial value: four words a register of the whole type, one a register in the bool set. Float bits in the
    /// float set, whatever the type is made of.
    pub default: Option<Vec<u32>>,
}

/// A constant table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConstantTable {
    /// The compiler's name for itself.
    pub creator: Option<String>,
    /// The version word of the shader or preshader it belongs to.
    pub version: u32,
    /// Compile flags, opaque; 0 in a legacy table.
    pub flags: u32,
    /// The profile, such as `ps_2_0`; absent in a legacy table.
    pub target: Option<String>,
    /// The constants in the order of the table: by name, in all real ones.
    pub constants: Vec<Constant>,
    /// The types of the constants; enter new ones with [`ConstantTable::add_type`].
    pub types: Arena<TypeInfo>,
}

impl ConstantTable {
    /// The type of a constant or member.
    pub fn ty(&self, id: Id<TypeInfo>) -> Option<&TypeInfo> {
        self.types.get(id)
    }

    /// Enters a type. Its members must be types of this table that were entered before; others count no registers.
    pub fn add_type(
        &mut self,
        class: Class,
        base: BaseType,
        [rows, columns]: [u16; 2],
        elements: u16,
        members: Vec<Member>,
    ) -> Id<TypeInfo> {
        let (registers, scalars) = match class {
            Class::Scalar | Class::Object => (1, 1),
            Class::Vector => (1, u64::from(rows.max(1)) * u64::from(columns)),
            Class::MatrixRows => (u64::from(rows), u64::from(rows) * u64::from(columns)),
            Class::MatrixColumns => (u64::from(columns), u64::from(rows) * u64::from(columns)),
            Class::Struct => members.iter().filter_map(|member| self.types.get(member.ty)).fold((0, 0), |sum, ty| {
                (sum.0 + u64::from(ty.registers), sum.1 + u64::from(ty.scalars)) // 65,535 summands at most
            }),
        };
        // Saturating: no file is that wide, so a saturated count fits nowhere.
        let total = |one: u64| u32::try_from(one.saturating_mul(u64::from(elements.max(1)))).unwrap_or(u32::MAX);
        let (registers, scalars) = (total(registers), total(scalars));
        self.types.push(TypeInfo { class, base, rows, columns, elements, members, registers, scalars })
    }

    /// The constant of that name in that set.
    pub fn find(&self, name: &str, set: RegisterSet) -> Option<&Constant> {
        self.constants.iter().find(|constant| constant.set == set && constant.name == name)
    }

    /// The constant whose registers include `register` of `set`.
    pub fn covering(&self, set: RegisterSet, register: u32) -> Option<&Constant> {
        self.constants.iter().find(|constant| {
            let first = u32::from(constant.index);
            constant.set == set && (first..first + u32::from(constant.count)).contains(&register)
        })
    }

    /// Registers of `set` that the table speaks of: one past the highest.
    pub fn extent(&self, set: RegisterSet) -> u32 {
        let ends = self.constants.iter().filter(|constant| constant.set == set);
        ends.map(|constant| u32::from(constant.index) + u32::from(constant.count)).max().unwrap_or(0)
    }

    /// Warns where the table names another version than the stream it was found in.
    pub fn check_version(&self, version: u32, span: Span, diags: &mut Diags) {
        if self.version != version {
            let message = format!("constant table says version {:08X}, its stream is {version:08X}", self.version);
            diags.push(Diagnostic::warning(&codes::E_CTAB, message).at(span, "this table"));
        }
    }
}
