//! From checked expressions to the IR.
//!
//! | module | holds |
//! |---|---|
//! | `emit` | appending instructions; constants are computed at once |
//! | `memory` | reading and writing places |
//! | `convert` | conversions, casts, constructors, brace lists |
//! | `operators` | operators |
//! | `access` | members, swizzles, elements, assignment |
//! | `intrinsic`, `resource` | functions and methods of Part B |

mod access;
mod convert;
mod emit;
mod intrinsic;
mod memory;
pub(crate) mod operators;
pub(crate) mod resource;

pub(crate) use intrinsic::Resolved;
