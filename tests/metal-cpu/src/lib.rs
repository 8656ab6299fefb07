//! Metal sources compiled, checked and run on the CPU, so that no Metal text is taken on trust.

pub mod check;
pub mod clang;
pub mod run;
pub mod source;
