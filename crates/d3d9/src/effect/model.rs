//! An effect as data.

use std::ops::Range;

use aquatint_base::{Arena, HashMap, Id};

use super::states::{self, StateInfo};
use crate::ctab::{BaseType, Class};
use crate::preshader::Preshader;

/// A type record. It carries the name and semantic of the parameter, member or state that it describes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FxType {
    /// What it is made of.
    pub base: BaseType,
    /// Its shape. Every HLSL matrix is [`Class::MatrixRows`]: values are row-major whatever the packing.
    pub class: Class,
    /// The name, if any.
    pub name: Option<String>,
    /// The semantic, if any.
    pub semantic: Option<String>,
    /// Array length, 0 for no array.
    pub elements: u32,
    /// Rows of a number, vector or matrix.
    pub rows: u32,
    /// Columns of a number, vector or matrix.
    pub columns: u32,
    /// The members of a struct.
    pub members: Vec<Id<FxType>>,
}

impl FxType {
    /// The type that stands in for a damaged record.
    pub const UNKNOWN: FxType = FxType {
        base: BaseType::Void,
        class: Class::Scalar,
        name: None,
        semantic: None,
        elements: 0,
        rows: 0,
        columns: 0,
        members: Vec::new(),
    };

    /// Array elements, 1 for no array.
    pub fn count(&self) -> u32 {
        self.elements.max(1)
    }

    /// Whether values are object ids: strings, textures and shaders.
    pub fn is_object(&self) -> bool {
        self.class == Class::Object && !self.base.is_sampler()
    }
}

/// A value.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Value {
    /// No initial value, or one that could not be read. Numbers are zero then.
    #[default]
    None,
    /// Rows times columns words an element, row-major, elements one after the other. Floats as their bits, bools 0 or 1.
    Words(Vec<u32>),
    /// One object id an element; 0 for none.
    Objects(Vec<u32>),
    /// The states of each element.
    Samplers(Vec<Vec<State>>),
    /// The members of element 0, then of element 1, and so on.
    Struct(Vec<Value>),
}

/// A name with a value for tools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// Its type and name.
    pub ty: Id<FxType>,
    /// Its value.
    pub value: Value,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its type, name and semantic.
    pub ty: Id<FxType>,
    /// Bits of [`Parameter::SHARED`] and its neighbours.
    pub flags: u32,
    /// Its initial value.
    pub value: Value,
    /// Its annotations.
    pub annotations: Vec<Annotation>,
}

impl Parameter {
    /// Flag: one value for all effects of a pool.
    pub const SHARED: u32 = 1;
    /// Flag: never changed by the application.
    pub const LITERAL: u32 = 2;
    /// Flag: an annotation.
    pub const ANNOTATION: u32 = 4;
}

/// A state assignment of a pass or sampler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The operation: an index of [`states::STATES`].
    pub operation: u32,
    /// Which texture stage, light, register or sampler. Native compilers write 100 (hexadecimal) in samplers: ignore it.
    pub index: u32,
    /// The type of the value.
    pub ty: Id<FxType>,
    /// The value in the file. A resource replaces it.
    pub value: Value,
    /// The resource that says what the value is: an index of [`Effect::resources`].
    pub resource: Option<usize>,
}

impl State {
    /// What the operation is, where it is known.
    pub fn info(&self) -> Option<&'static StateInfo> {
        states::find(self.operation)
    }
}

/// A pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pass {
    /// Its name, if any.
    pub name: Option<String>,
    /// Its annotations.
    pub annotations: Vec<Annotation>,
    /// Its states.
    pub states: Vec<State>,
}

/// A technique.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Technique {
    /// Its name, if any.
    pub name: Option<String>,
    /// Its annotations.
    pub annotations: Vec<Annotation>,
    /// Its passes.
    pub passes: Vec<Pass>,
}

/// An object: a string, texture or shader.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Object {
    /// What it is, by the type of whoever refers to it first.
    pub base: Option<BaseType>,
    /// Its bytes in the file. Empty for textures and NULL shaders.
    pub data: Option<Range<usize>>,
}

/// Which state a resource belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// A state of a pass.
    Pass {
        /// The technique.
        technique: usize,
        /// The pass in it.
        pass: usize,
        /// The state in that.
        state: usize,
    },
    /// A state of a sampler parameter.
    Sampler {
        /// The parameter.
        parameter: usize,
        /// The array element, 0 for no array.
        element: usize,
        /// The state in it.
        state: usize,
    },
}

/// What a resource holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// A shader.
    Shader(Range<usize>),
    /// A shader of no bytes.
    NullShader,
    /// An expression whose first results are the value.
    Expression(Box<Preshader>),
    /// The value of the parameter of that name or path.
    Reference(String),
    /// An element of an array parameter.
    Selector {
        /// The array parameter.
        array: String,
        /// Its first result is the index.
        index: Box<Preshader>,
    },
    /// Bytes for a state of another type.
    Data(Range<usize>),
}

/// Data attached to one state assignment.
#[derive(Clone, Debug, PartialEq)]
pub struct Resource {
    /// The state.
    pub target: Target,
    /// What its value is.
    pub content: Content,
    /// Its bytes in the file.
    pub data: Range<usize>,
}

/// An effect. It owns a copy of the file that it was read from, so that shaders and strings can be taken out of it.
#[derive(Clone, Debug, Default)]
pub struct Effect {
    /// Byte offset of the effect in the file, past its wrappers.
    pub offset: usize,
    /// Type records. Equal offsets in the file are one entry.
    pub types: Arena<FxType>,
    /// The parameters in file order, which resources count by.
    pub parameters: Vec<Parameter>,
    /// The techniques.
    pub techniques: Vec<Technique>,
    /// The objects by id. Entry 0 is none.
    pub objects: Vec<Object>,
    /// The resources that could be used.
    pub resources: Vec<Resource>,
    /// Bytes after the last resource, 0 in a conforming file.
    pub trailing: usize,
    pub(super) bytes: Vec<u8>,
    pub(super) by_name: HashMap<String, usize>,
}

impl Effect {
    /// A type.
    pub fn ty(&self, id: Id<FxType>) -> &FxType {
        const UNKNOWN: &FxType = &FxType::UNKNOWN;
        self.types.get(id).unwrap_or(UNKNOWN)
    }

    /// The name of a type record, empty where it has none.
    pub fn name(&self, id: Id<FxType>) -> &str {
        self.ty(id).name.as_deref().unwrap_or("")
    }

    /// Bytes of the file, such as a shader.
    pub fn bytes(&self, range: Range<usize>) -> &[u8] {
        self.bytes.get(range).unwrap_or(&[])
    }

    /// The bytes of an object that has some.
    pub fn object(&self, id: u32) -> Option<Range<usize>> {
        self.objects.get(id as usize)?.data.clone().filter(|data| !data.is_empty())
    }

    /// The text of a string object.
    pub fn string(&self, id: u32) -> Option<String> {
        let bytes = self.bytes(self.object(id)?);
        let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
        Some(crate::ctab::bytes::text(bytes.get(..end)?))
    }

    /// The first parameter of that name.
    pub fn parameter(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The state that a resource belongs to.
    pub fn state(&self, target: Target) -> Option<&State> {
        match target {
            Target::Pass { technique, pass, state } => {
                self.techniques.get(technique)?.passes.get(pass)?.states.get(state)
            }
            Target::Sampler { parameter, element, state } => match &self.parameters.get(parameter)?.value {
                Value::Samplers(elements) => elements.get(element)?.get(state),
                Value::None | Value::Words(_) | Value::Objects(_) | Value::Struct(_) => None,
            },
        }
    }

    /// What says the value of `state`, where it is not the value itself.
    pub fn content(&self, state: &State) -> Option<&Content> {
        self.resources.get(state.resource?).map(|resource| &resource.content)
    }
}
