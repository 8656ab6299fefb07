//! Running Metal functions on the CPU.
//!
//! ```text
//! source ─► Plan (signature, generated entry) ─► clang ─► shared object, cached          this process
//!                                                             │
//! Draw, Compute ─► Wire ─► aquatint-metal-run: threads as fibers, textures of aquatint_exec ─► Picture, Written
//! ```
//!
//! A [`Runner`] has one child process, which runs one job after another under limits of memory and time. Where a shader
//! crashes or does not end, the child dies, the job's [`Error`] says so, and the next job gets a new child.
//!
//! - **Vertex functions** run once a vertex, in SIMD groups of 32; **fragment functions** in 2×2 quads that
//!   `aquatint_exec::raster` makes, with helper threads (a quad is a SIMD group of 4 there); **kernel functions** in
//!   threadgroups, whose SIMD groups have the size that the job says.
//! - **What helpers write** to buffers is undone when they suspend or end; textures do not take it.
//! - **Collective operations** happen among the threads that wait at the same place; see `schedule`.

mod bound;
mod child;
mod compute;
mod divide;
mod draw;
mod error;
mod fiber;
mod interface;
mod job;
mod object;
mod plan;
mod process;
mod schedule;
pub mod signature;
mod system;
mod wire;

pub use child::main as child_main;
pub use error::Error;
pub use job::{Attribute, AttributeData, Compute, Draw, Image, Mark, Picture, Stage, Target, Texels, Written};
pub use process::Limits;

use child::{Answer, Request};
use process::Worker;
use std::cell::RefCell;

/// Runs jobs in a child process.
#[derive(Debug, Default)]
pub struct Runner {
    limits: Limits,
    worker: Option<Worker>,
}

impl Runner {
    /// A runner with the usual limits. The child starts with the first job.
    pub fn new() -> Runner {
        Runner::default()
    }

    /// A runner with other limits.
    pub fn with_limits(limits: Limits) -> Runner {
        Runner { limits, worker: None }
    }

    /// Draws one after another into a cleared target.
    ///
    /// # Errors
    /// [`Error`].
    pub fn render(&mut self, target: &Target, draws: &[Draw]) -> Result<Picture, Error> {
        let mut functions = Vec::new();
        let mut sent = draws.to_vec();
        for draw in &mut sent {
            functions.push([object::build(&draw.vertex)?, object::build(&draw.fragment)?]);
            (draw.vertex.source, draw.fragment.source) = (String::new(), String::new());
        }
        match self.run(&Request::Render(target.clone(), sent, functions))? {
            Answer::Picture(picture) => Ok(picture),
            _ => Err(Error::Process("its answer is no picture".to_owned())),
        }
    }

    /// Runs a kernel function.
    ///
    /// # Errors
    /// [`Error`].
    pub fn dispatch(&mut self, job: &Compute) -> Result<Written, Error> {
        let function = object::build(&job.kernel)?;
        let mut sent = Box::new(job.clone());
        sent.kernel.source = String::new();
        match self.run(&Request::Dispatch(sent, function))? {
            Answer::Written(written) => Ok(written),
            _ => Err(Error::Process("its answer is no dispatch's".to_owned())),
        }
    }

    fn run(&mut self, request: &Request) -> Result<Answer, Error> {
        let mut worker = match self.worker.take() {
            Some(worker) => worker,
            None => Worker::start(self.limits)?,
        };
        let answer = worker.run(request, self.limits.time);
        if matches!(answer, Ok(_) | Err(Error::Job(_))) {
            self.worker = Some(worker);
        }
        answer
    }
}

thread_local! {
    static OWN: RefCell<Runner> = RefCell::default();
}

/// [`Runner::render`] with a runner that this thread keeps.
///
/// # Errors
/// [`Error`].
pub fn draw(target: &Target, draws: &[Draw]) -> Result<Picture, Error> {
    OWN.with_borrow_mut(|runner| runner.render(target, draws))
}

/// [`Runner::dispatch`] with a runner that this thread keeps.
///
/// # Errors
/// [`Error`].
pub fn dispatch(job: &Compute) -> Result<Written, Error> {
    OWN.with_borrow_mut(|runner| runner.dispatch(job))
}
