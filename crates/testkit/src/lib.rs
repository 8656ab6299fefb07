//! What the tests of all crates share. Production code never depends on it.
//!
//! | module | holds |
//! |---|---|
//! | [`case`] | case files: an input and what is expected of it, as text |
//! | [`bless`] | committed expectations, rewritten in place with `UPDATE_EXPECT=1` |
//! | [`difference`] | two texts, line by line |
//! | [`module`] | modules from text, with every rule checked and the fault shown in place |
//! | [`execute`] | running entry points on given inputs, and two modules on the same random ones |
//! | [`parity`] | cases that every executor must answer alike |
//!
//! It knows no pass and no language: a test hands it a function. Errors are texts to panic with.

pub mod bless;
pub mod case;
pub mod difference;
pub mod execute;
pub mod module;
pub mod parity;

pub use case::{Case, CaseFile, Found};
