//! A module: everything that one shader source gives.

use crate::constants::{ConstantId, Constants};
use crate::function::{Function, FunctionId, Value, ValueKind};
use crate::globals::{Builtin, Global, GlobalId, GlobalKind, Stage};
use crate::types::{Space, TypeId, Types};
use aquatint_base::{Arena, Id, Name, Names, Span};

/// What 32-bit denormals do in the module's arithmetic.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Denormals {
    /// Either; the interpreter keeps them.
    #[default]
    Any,
    /// They are kept.
    Keep,
    /// They become zeros of their sign.
    Flush,
}

/// What a fragment entry promises about the depth that it writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum DepthMode {
    /// Nothing.
    #[default]
    Any,
    /// At least the interpolated depth.
    Greater,
    /// At most the interpolated depth.
    Less,
}

/// An entry point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryPoint {
    /// The name that the host uses.
    pub name: Name,
    /// Its stage.
    pub stage: Stage,
    /// Its function: no parameters, no result.
    pub function: FunctionId,
    /// Invocations of a workgroup in x, y, z (compute).
    pub workgroup_size: [u32; 3],
    /// Promise about depth (fragment).
    pub depth: DepthMode,
    /// Depth and stencil tests before the stage (fragment).
    pub early_tests: bool,
}

/// A specialisation constant: a value that the host may set when it builds the pipeline.
/// It is a private-space global to read; this table gives its number and default.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SpecConstant {
    /// The host's number for it.
    pub id: u32,
    /// The global that holds it: its kind is [`GlobalKind::Private`] and no store goes there (V008).
    pub global: GlobalId,
    /// Its value unless the host sets another.
    pub default: ConstantId,
}

/// A module.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// Types and structs.
    pub types: Types,
    /// Constants.
    pub constants: Constants,
    /// Module-scope variables.
    pub globals: Arena<Global>,
    /// Functions.
    pub functions: Arena<Function>,
    /// Entry points.
    pub entry_points: Vec<EntryPoint>,
    /// Specialisation constants.
    pub spec_constants: Vec<SpecConstant>,
    /// All names.
    pub names: Names,
    /// Denormals of f32 arithmetic.
    pub denormals: Denormals,
}

impl Module {
    /// An empty module.
    pub fn new() -> Self {
        Self::default()
    }

    /// The string of a name.
    pub fn name(&self, name: Name) -> &str {
        self.names.get(name)
    }

    /// Enters a global in a space other than `handle`, or a handle. The value type is derived.
    pub fn add_global(&mut self, name: &str, ty: TypeId, space: Space, kind: GlobalKind) -> GlobalId {
        let name = self.unique_global_name(name);
        let value_ty = if space == Space::Handle { ty } else { self.types.pointer(space, ty) };
        self.globals.push(Global { name, ty, value_ty, space, kind, span: Span::NONE })
    }

    fn unique_global_name(&mut self, name: &str) -> Name {
        let mut text = name.to_owned();
        let mut number = 1;
        while let Some(found) = self.names.find(&text)
            && self.globals.iter().any(|(_, g)| g.name == found)
        {
            text = format!("{name}.{number}");
            number += 1;
        }
        self.names.intern(&text)
    }

    /// The type of a value used in `function`. Ids that do not exist give void; the verifier reports them (V001).
    #[inline]
    pub fn type_of(&self, function: &Function, value: Value) -> TypeId {
        value_type(self.parts(), function, value)
    }

    /// The tables that typing needs, borrowed apart from the functions.
    #[inline]
    pub fn parts(&self) -> Parts<'_> {
        Parts { constants: &self.constants, globals: &self.globals }
    }

    /// The entry point of that name.
    pub fn entry(&self, name: &str) -> Option<&EntryPoint> {
        self.entry_points.iter().find(|e| self.names.get(e.name) == name)
    }

    /// The global that is the built-in in the given direction.
    pub fn find_builtin(&self, builtin: Builtin, space: Space) -> Option<GlobalId> {
        self.globals
            .iter()
            .find(|(_, g)| g.space == space && g.io().is_some_and(|io| io.builtin == Some(builtin)))
            .map(|(id, _)| id)
    }
}

/// The tables that the type of a value needs.
#[derive(Clone, Copy)]
pub struct Parts<'a> {
    /// Constants.
    pub constants: &'a Constants,
    /// Globals.
    pub globals: &'a Arena<Global>,
}

/// The type of a value.
#[inline]
pub fn value_type(parts: Parts<'_>, function: &Function, value: Value) -> TypeId {
    match value.kind() {
        ValueKind::Local(id) => function.locals.get(id).map_or(Id::new(0), |l| l.ty),
        ValueKind::Constant(id) => parts.constants.get(id).map_or(Id::new(0), |c| c.ty),
        ValueKind::Global(id) => parts.globals.get(id).map_or(Id::new(0), |g| g.value_ty),
    }
}
