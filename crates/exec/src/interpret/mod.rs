//! The interpreter: what a module *means*.
//!
//! It is plain and total, and the other executors and writers are compared with it. An entry point is translated once to a
//! [`Program`]; a [`Machine`] runs a program over a group of lanes in lockstep: the quads of a fragment shader, the
//! vertices of a batch, or a workgroup. Lanes that went another way are masked, so that barriers, derivatives and wave
//! operations need nothing special.
//!
//! ```
//! use aquatint_exec::interpret::{Machine, Program, Resources};
//! use aquatint_ir::{Builder, EntryPoint, Function, GlobalKind, Io, Module, Op, Space, Stage, types};
//!
//! // out = in + in
//! let mut module = Module::new();
//! let name = module.names.intern("main");
//! let function = module.functions.push(Function::new(name, types::VOID));
//! let input = module.add_global("a", types::VEC4F, Space::Input, GlobalKind::Input(Io::at(0)));
//! let output = module.add_global("b", types::VEC4F, Space::Output, GlobalKind::Output(Io::at(0)));
//! Builder::edit(&mut module, function, |b| {
//!     let a = b.load(aquatint_ir::Value::global(input));
//!     let sum = b.op(Op::FAdd, &[a, a]);
//!     b.store(aquatint_ir::Value::global(output), sum);
//!     b.terminate(Op::Return, &[]);
//! });
//! module.entry_points.push(EntryPoint {
//!     name,
//!     stage: Stage::Vertex,
//!     function,
//!     workgroup_size: [1; 3],
//!     depth: Default::default(),
//!     early_tests: false,
//! });
//!
//! let program = Program::new(&module, "main")?;
//! let mut machine = Machine::new(&program, 2)?;
//! let (a, b) = (program.input_at(0).unwrap(), program.output_at(0).unwrap());
//! machine.set_f32(a, 1, &[1.0, 2.0, 3.0, 4.0]);
//! machine.run(&mut Resources::new(), 2)?;
//! assert_eq!(machine.get_f32(b, 1), [2.0, 4.0, 6.0, 8.0]);
//! # Ok::<(), aquatint_exec::interpret::Error>(())
//! ```
//!
//! What the op table leaves to the executor is here:
//!
//! - A value that a lane never computed, and any place that was never written, is zero. A run starts from zeros: nothing of
//!   the run before it is seen, except that resources keep what was stored.
//! - Pure operations are computed in all lanes, also in masked ones; only derivatives, implicit levels of detail and `quad`
//!   can see that, where they stand in divergent control flow.
//! - `ddx` and `ddy` without a wish are coarse, from the upper left lane of the quad. Outside fragment and compute stages
//!   they are 0.
//! - Wave operations see the active lanes that are not helpers; an empty set gives the identity, and reading a lane that is
//!   not active gives 0. Sums run in the order of the lanes.
//! - `quad` reads any lane of the quad, active or not; `any` and `all` count the active ones.
//! - Gathering with four offsets takes the (0,0) texel of each.
//! - A read from a buffer that is partly out of range gives the scalars that are in range. A runtime array has as many
//!   elements as fit whole.
//! - Atomics run in the order of the lanes.

mod atomic;
pub mod draw;
mod group;
mod machine;
mod mask;
mod memory;
mod program;
mod resources;
mod sample;
mod translate;

pub use draw::{DrawCall, VertexSource};
pub use machine::Machine;
pub use program::{Interface, Program, ResourceUse};
pub use resources::{Buffer, Image, Resources};

use aquatint_base::{Limits, Span};
use std::fmt;

/// Most lanes of a machine.
pub const MAX_LANES: usize = 4096;

/// What a host chooses about a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Lanes of a wave, a power of two up to 128; `None` is 4 for fragments and 32 elsewhere.
    pub wave_size: Option<u32>,
    /// Values of specialisation constants: the constant's number and the bits of its scalar.
    pub spec: Vec<(u32, u64)>,
    /// Bounds; `steps` counts instructions times lanes in one run.
    pub limits: Limits,
}

/// Why a program cannot be made or run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The module has no entry point of that name.
    NoEntry(String),
    /// The module breaks a rule that the verifier checks.
    Malformed(&'static str),
    /// Something is larger than the interpreter allows.
    TooLarge(&'static str),
    /// The step budget is used up: an infinite loop, or a very long run.
    Steps,
    /// An `unreachable` was reached, here.
    Unreachable(Span),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NoEntry(name) => write!(f, "no entry point is named '{name}'"),
            Error::Malformed(what) => write!(f, "the module is malformed: {what}"),
            Error::TooLarge(what) => write!(f, "too large to interpret: {what}"),
            Error::Steps => f.write_str("the step budget is used up"),
            Error::Unreachable(_) => f.write_str("an 'unreachable' was reached"),
        }
    }
}

impl std::error::Error for Error {}
