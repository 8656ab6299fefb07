//! The tokens of a shader stream: what they mean, decoded and checked (sheet, section 1).
//!
//! | module | holds |
//! |---|---|
//! | [`version`] | stages and versions, and the version word |
//! | [`opcode`] | the opcode table: one row an opcode |
//! | [`register`] | register types, and how many of each a version has |
//! | [`operand`] | swizzles, masks, modifiers, relative addressing, sources and destinations |
//! | [`shader`] | a decoded shader |
//! | [`container`] | what a file is, and the streams inside a `DXBC` container |
//! | [`decode`](mod@decode) | words to [`Shader`] |
//! | [`structure`] | main program, subroutines, nesting, calls |
//! | [`validate`] | structural rules, and the rules of each version (the *profile*) |
//!
//! A reader calls [`decode()`], which also checks the structural rules, and then, where it wants the advice,
//! [`validate::profile`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

pub mod container;
pub mod decode;
pub mod opcode;
pub mod operand;
pub mod register;
pub mod shader;
pub mod structure;
pub mod validate;
pub mod version;

pub use decode::{DecodeOptions, decode};
pub use opcode::{Kind, Opcode};
pub use operand::{
    Comparison, Destination, Mask, Predicate, Relative, RelativeIndex, Source, SourceModifier, Swizzle, TexldKind,
};
pub use register::{Register, RegisterKind};
pub use shader::{
    Comment, Declaration, Definition, DefinitionValue, Instruction, Item, SamplerKind, Shader, Sources, Usage,
};
pub use structure::{Program, Subroutine};
pub use version::{Stage, Version};
