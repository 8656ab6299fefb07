//! HLSL, from text to the IR.
//!
//! A source is preprocessed into tokens, parsed into a tree, given types, and lowered.

pub mod ast;
pub mod codes;
pub mod compile;
pub mod include;
pub mod intrinsics;
pub mod layout;
pub mod lex;
mod lower;
pub mod options;
pub mod origin;
pub mod parse;
pub mod preprocess;
pub mod sema;
pub mod token;
pub mod types;

pub use compile::{CompileOptions, compile};

#[cfg(test)]
mod tests;
