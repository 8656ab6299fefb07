//! The D3DX constant table (`CTAB`) that compilers leave in a comment of a shader (sheet 5.1).
//!
//! A table is metadata: a damaged one is dropped, whole or in part, with warnings, and never fails its shader.
//!
//! | module | holds |
//! |---|---|
//! | [`table`] | the table as data: constants, types, registers that a type takes |
//! | [`parse`](mod@parse) | payload to table |
//! | [`stream`] | the comments directly after the version word |
//! | [`write`](mod@write) | table to payload, and the synthetic one-array table |
//! | [`print`](mod@print) | the comment lines that open a disassembly |

pub(crate) mod bytes;
pub mod parse;
pub mod print;
pub mod stream;
pub mod table;
pub mod write;

pub use parse::parse;
pub use print::print;
pub use stream::{leading_comments, of_stream};
pub use table::{BaseType, Class, Constant, ConstantTable, Member, RegisterSet, TypeInfo};
pub use write::{comment, synthetic, write};
