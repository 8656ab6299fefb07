//! HLSL, from text to the IR.
//!
//! A source is preprocessed into tokens, parsed into a tree, given types, and lowered.

pub mod ast;
pub mod codes;
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

#[cfg(test)]
mod tests;
