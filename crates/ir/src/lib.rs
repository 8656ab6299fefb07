//! The intermediate representation: structured, typed SSA that every reader produces and every writer consumes.
//!
//! Control flow is a tree of regions, never a graph. Values are defined once and used in their own region after the
//! definition, or in a region nested there. There are no phis: regions take parameters, and hand results to the
//! instruction that owns them. Every operation has a total meaning (the table in [`op`]).
//!
//! | module | holds |
//! |---|---|
//! | [`types`], [`constants`] | interned types and constants |
//! | [`globals`] | inputs, outputs, resources, variables of module scope |
//! | [`op`] | the op table and the attributes of operations |
//! | [`function`], [`module`] | the data |
//! | [`builder`] | how it is built and edited |
//! | [`walk`] | how it is traversed |
//! | [`eval`] | the meaning of pure operations, in code |
//! | [`text`] | the text form, both ways |
//! | [`verify`] | the numbered rules that a module keeps |

pub mod builder;
pub mod codes;
pub mod constants;
pub mod eval;
pub mod function;
pub mod globals;
pub mod module;
pub mod op;
pub mod text;
pub mod types;
pub mod verify;
pub mod walk;

pub use builder::Builder;
pub use constants::{Constant, ConstantId, ConstantValue};
pub use function::{
    Attr, Case, Cases, Def, Function, FunctionId, Inst, InstId, Local, LocalId, Region, RegionId, Value, ValueKind,
};
pub use globals::{
    Binding, Builtin, Global, GlobalId, GlobalKind, Interpolation, Io, RegisterClass, Sampling, Stage, Usage,
};
pub use module::{Denormals, DepthMode, EntryPoint, Module, SpecConstant};
pub use op::{Effect, Lanes, Op, Rule, SampleAttr};
pub use types::{Dim, Scalar, Space, Struct, Type, TypeId};
