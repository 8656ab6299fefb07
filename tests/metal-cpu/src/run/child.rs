//! The child process: takes jobs from standard input, runs them, and answers on standard output.
//!
//! A message is its length (64 bits) and its bytes. The first message of the child is [`PROTOCOL`], so that a program that was
//! built from other sources is found out.

use super::bound::Function;
use super::job::{Compute, Draw, Picture, Target, Written};
use super::schedule::Threads;
use super::wire::{Wire, encode};
use super::{compute, draw, fiber, system};
use std::io::{Read, Write};

/// FNV-1a over the sources that decide what messages mean.
pub(super) const PROTOCOL: u64 = {
    let sources: [&[u8]; 9] = [
        include_bytes!("bound.rs"),
        include_bytes!("job.rs"),
        include_bytes!("wire.rs"),
        include_bytes!("child.rs"),
        include_bytes!("interface.rs"),
        include_bytes!("schedule.rs"),
        include_bytes!("plan.rs"),
        include_bytes!("draw.rs"),
        include_bytes!("compute.rs"),
    ];
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    let mut i = 0;
    while i < sources.len() {
        let mut k = 0;
        while k < sources[i].len() {
            hash = (hash ^ sources[i][k] as u64).wrapping_mul(0x0100_0000_01B3);
            k += 1;
        }
        i += 1;
    }
    hash
};

/// A job with its functions. The sources of its stages need not come along.
#[derive(Clone, Debug)]
pub(super) enum Request {
    /// The target, and each draw with its vertex and fragment function.
    Render(Target, Vec<Draw>, Vec<[Function; 2]>),
    /// A dispatch.
    Dispatch(Box<Compute>, Function),
}

/// What came of it.
#[derive(Clone, Debug)]
pub(super) enum Answer {
    Picture(Picture),
    Written(Written),
    Refused(String),
}

impl Wire for Request {
    fn put(&self, to: &mut Vec<u8>) {
        match self {
            Request::Render(target, draws, functions) => {
                0_u8.put(to);
                target.put(to);
                draws.put(to);
                functions.put(to);
            }
            Request::Dispatch(job, function) => {
                1_u8.put(to);
                job.put(to);
                function.put(to);
            }
        }
    }
    fn take(from: &mut &[u8]) -> Option<Self> {
        Some(match u8::take(from)? {
            0 => Request::Render(Wire::take(from)?, Wire::take(from)?, Wire::take(from)?),
            _ => Request::Dispatch(Box::new(Wire::take(from)?), Wire::take(from)?),
        })
    }
}

impl Wire for Answer {
    fn put(&self, to: &mut Vec<u8>) {
        match self {
            Answer::Picture(picture) => (0_u8.put(to), picture.put(to)).1,
            Answer::Written(written) => (1_u8.put(to), written.put(to)).1,
            Answer::Refused(why) => (2_u8.put(to), why.put(to)).1,
        }
    }
    fn take(from: &mut &[u8]) -> Option<Self> {
        Some(match u8::take(from)? {
            0 => Answer::Picture(Wire::take(from)?),
            1 => Answer::Written(Wire::take(from)?),
            _ => Answer::Refused(Wire::take(from)?),
        })
    }
}

/// Reads a message; `None` at the end.
pub(super) fn receive(from: &mut impl Read) -> Option<Vec<u8>> {
    let mut length = [0; 8];
    from.read_exact(&mut length).ok()?;
    let length = u64::from_le_bytes(length);
    // Where there is no memory for it, the process ends with a message that the other side knows.
    let mut bytes = Vec::with_capacity(usize::try_from(length).ok()?);
    from.take(length).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 == length).then_some(bytes)
}

/// Writes a message.
pub(super) fn send(to: &mut impl Write, bytes: &[u8]) -> std::io::Result<()> {
    to.write_all(&(bytes.len() as u64).to_le_bytes())?;
    to.write_all(bytes)?;
    to.flush()
}

/// The whole program: arguments are the limits of memory in bytes and of a job's time in seconds.
pub fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u64>().unwrap_or(0));
    let (memory, seconds) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    if memory == 0 || seconds == 0 {
        eprintln!("usage: aquatint-metal-run BYTES SECONDS (started by the tests, talks over its standard streams)");
        std::process::exit(2);
    }
    system::confine(memory);
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    if send(&mut output, &encode(&PROTOCOL)).is_err() {
        return;
    }
    let mut threads =
        if fiber::SUPPORTED { Threads::new() } else { Err("fibers exist on x86-64 Linux only".to_owned()) };
    while let Some(bytes) = receive(&mut input) {
        system::allow_seconds(seconds);
        let answer = match (&mut threads, Request::take(&mut bytes.as_slice())) {
            (Err(why), _) => Answer::Refused(why.clone()),
            (_, None) => Answer::Refused("the message is no job".to_owned()),
            (Ok(threads), Some(request)) => run(threads, &request).unwrap_or_else(Answer::Refused),
        };
        if send(&mut output, &encode(&answer)).is_err() {
            return;
        }
    }
}

fn run(threads: &mut Threads, request: &Request) -> Result<Answer, String> {
    match request {
        Request::Render(target, draws, functions) => {
            draw::render(threads, target, draws, functions).map(Answer::Picture)
        }
        Request::Dispatch(job, function) => compute::dispatch(threads, job, function).map(Answer::Written),
    }
}
