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

/// The codes of all phases, each once, in order.
pub fn all_codes() -> Vec<&'static aquatint_base::Code> {
    let phases = [codes::CODES, parse::codes::CODES, sema::codes::CODES];
    let mut all: Vec<&'static aquatint_base::Code> = phases.into_iter().flatten().copied().collect();
    all.sort_by_key(|code| code.id);
    all.dedup_by_key(|code| code.id);
    all
}

#[cfg(test)]
mod tests;
