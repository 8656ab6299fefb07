//! Why a job gave no result.

use std::fmt;
use std::time::Duration;

/// Why a job gave no result. The runner can be used on after each of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The source does not compile: clang's messages.
    Compile(String),
    /// The job does not fit the functions: an argument is not given, an entry function is missing.
    Job(String),
    /// The shader crashed: the signal, and what the process said before.
    Crash {
        /// The signal's number.
        signal: i32,
        /// What it said.
        said: String,
    },
    /// The shader ran longer than it may.
    TimedOut(Duration),
    /// The job needs more memory than the limit.
    Memory,
    /// The child process cannot be started or answers nonsense.
    Process(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Compile(messages) => write!(f, "the Metal source does not compile:\n{messages}"),
            Error::Job(why) => f.write_str(why),
            Error::Crash { signal, said } => write!(f, "the shader crashed: signal {signal} ({})", said.trim()),
            Error::TimedOut(limit) => write!(f, "the shader ran longer than {limit:?}"),
            Error::Memory => f.write_str("the shader's process ran out of memory"),
            Error::Process(why) => write!(f, "the process that runs shaders: {why}"),
        }
    }
}

impl std::error::Error for Error {}
