//! Functions as sema knows them, and their instances in the IR.

use crate::intrinsics::Stages;
use crate::sema::operand::Object;
use crate::types::{Interpolation, Semantic, Ty};
use aquatint_base::{Name, Span};
use aquatint_ir::{FunctionId, Stage};

/// How a parameter passes its value (A6.3, A11.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// A copy goes in.
    #[default]
    In,
    /// A copy comes out.
    Out,
    /// Both.
    InOut,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name; empty for an unnamed one.
    pub name: Name,
    /// Where it stands.
    pub span: Span,
    /// Its type.
    pub ty: Ty,
    /// How it passes its value.
    pub mode: Mode,
    /// Whether the function may not assign to it.
    pub constant: bool,
    /// Whether it is `uniform`, a member of `$Params` where the function is an entry point (A13.5).
    pub uniform: bool,
    /// Its semantic.
    pub semantic: Option<Semantic>,
    /// Interpolation modifiers.
    pub interpolation: Interpolation,
    /// `[[vk::location(n)]]`.
    pub location: Option<u32>,
    /// Whether it has a default.
    pub defaulted: bool,
}

/// What the attributes of a function say.
#[derive(Clone, Debug, Default)]
pub struct FunctionAttributes {
    /// `numthreads`.
    pub numthreads: Option<[u32; 3]>,
    /// `shader`, and where; `Err` is a stage that is not supported.
    pub shader: Option<Result<Stage, String>>,
    /// `earlydepthstencil`.
    pub early: bool,
}

/// A function, or a prototype.
#[derive(Clone)]
pub struct Function<B> {
    /// Its name.
    pub name: Name,
    /// Where it is declared.
    pub span: Span,
    /// Parameters.
    pub params: Vec<Param>,
    /// The type of the result.
    pub result: Ty,
    /// The semantic of the result.
    pub semantic: Option<Semantic>,
    /// `[[vk::location(n)]]` and `[[vk::index(n)]]` of the result.
    pub location: Option<u32>,
    /// What its attributes say.
    pub attributes: FunctionAttributes,
    /// The struct that it is a method of.
    pub of: Option<Ty>,
    /// Whether it is a static method.
    pub is_static: bool,
    /// Whether it is precise.
    pub precise: bool,
    /// When it was declared; names declared later are not seen by its body (A11.1).
    pub order: u32,
    /// Its body.
    pub body: Option<B>,
}

/// A function as it is in the IR: one for each set of resources that it is called with.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The function, by index.
    pub function: usize,
    /// Resources given to object parameters, in order; the flags say whether an index goes with each.
    pub objects: Vec<Option<(Object, bool)>>,
    /// Its place in the module.
    pub id: FunctionId,
    /// What it needs of the stage.
    pub stage_uses: Vec<(&'static str, Stages, Span)>,
    /// The instances that it calls, and where.
    pub calls: Vec<(usize, Span)>,
    /// Module-scope variables that it names, by index.
    pub statics: Vec<usize>,
    /// How deep in chains of instances it was made.
    pub depth: usize,
}
