//! Parity cases: one shader, one input, every executor, one answer.
//!
//! A case is one text file ([`mod@read`]). A caller turns its shaders into modules ([`Scene::new`] takes a function that knows
//! the languages), and gives the scene to [`Executor`]s; [`check()`] compares what they give, and where two differ it names
//! the first value of the IR that does ([`probe`]).
//!
//! | module | holds |
//! |---|---|
//! | [`case`] | a case as data |
//! | [`mod@read`] | the file format |
//! | [`number`] | typed numbers as text and as bytes |
//! | [`scene`] | modules and resources: what an executor runs |
//! | [`synthetic`] | the other stage of a draw, where a case gives only one |
//! | [`execute`] | executors, and what they give; the interpreter is one |
//! | [`mod@check`] | whether all agree, and what a difference looks like |
//! | [`probe`] | intermediate values, written to a buffer by a rewritten module |

pub mod case;
pub mod check;
pub mod execute;
pub mod number;
pub mod probe;
pub mod read;
pub mod scene;
pub mod synthetic;

pub use case::{Case, Tolerance};
pub use check::{Report, check};
pub use execute::{Executor, Failure, Interpreter, Results};
pub use read::read;
pub use scene::{Scene, StageCode};
