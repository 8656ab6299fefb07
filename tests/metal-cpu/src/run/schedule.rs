//! Threads as fibers: who runs, who waits, and who takes part in a collective operation.
//!
//! A thread runs until it comes to a collective operation or ends. When all threads of a SIMD group wait, the operation that
//! comes first in the source is carried out for all threads that wait there; "first" is the least chain of return
//! addresses, compared from the entry inwards, since clang lays code out in the order of the source. Threads that went
//! different ways so meet again behind them. Threadgroup barriers come last: they open when all threads of the group
//! wait at one.

use super::fiber;
use super::system::Stacks;
use std::cmp::Ordering;

/// The scopes of `runtime.h`; 1 is the SIMD group.
pub(super) const QUAD: u32 = 0;
pub(super) const THREADGROUP: u32 = 2;

/// Bytes of one thread's part of an exchange.
pub(super) const VALUE: usize = 16;
/// Lanes of a SIMD group, at most.
pub(super) const MAX_SIMD: usize = 64;
/// Threads of a threadgroup, at most.
pub(super) const MAX_THREADS: usize = 1024;
/// Calls inside one another that are told apart.
const DEPTH: usize = 32;

/// Return addresses, from the entry inwards.
#[derive(Clone, Copy, Debug)]
struct Chain {
    addresses: [usize; DEPTH],
    depth: usize,
}

impl Chain {
    const EMPTY: Chain = Chain { addresses: [0; DEPTH], depth: 0 };

    /// Walks the frames up from the runtime's function, whose own frame is `frame`.
    ///
    /// # Safety
    /// All frames up to the entry, whose caller's frame pointer is 0, keep frame pointers.
    unsafe fn of(frame: *const usize) -> Chain {
        let mut chain = Chain::EMPTY;
        let mut frame = frame;
        while !frame.is_null() && chain.depth < DEPTH {
            // SAFETY: the caller's promise.
            unsafe {
                chain.addresses[chain.depth] = *frame.add(1);
                frame = *frame as *const usize;
            }
            chain.depth += 1;
        }
        chain.addresses[..chain.depth].reverse();
        chain
    }

    fn order(&self, other: &Chain) -> Ordering {
        self.addresses[..self.depth].cmp(&other.addresses[..other.depth])
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    Ready,
    /// At an operation of that scope.
    Waiting(u32),
    Done,
}

/// A thread.
#[derive(Debug)]
struct Lane {
    sp: *mut u8,
    status: Status,
    helper: bool,
    chain: Chain,
    value: [u8; VALUE],
    active: u64,
}

/// Why threads could not go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stuck {
    /// Threads wait at different threadgroup barriers.
    Barriers,
}

impl std::fmt::Display for Stuck {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("threads of a threadgroup wait at different barriers")
    }
}

/// All threads of a threadgroup, quad or batch of vertices.
#[derive(Debug)]
pub(super) struct Threads {
    stacks: Stacks,
    lanes: Vec<Lane>,
    count: usize,
    simd: usize,
    current: usize,
    main: *mut u8,
    /// What an exchange shows, a SIMD group at a time.
    shown: Vec<[u8; VALUE]>,
    /// Memory that helpers must not change, and what it was before a helper ran.
    pub(super) guarded: Vec<(*mut u8, usize)>,
    saved: Vec<u8>,
    is_saved: bool,
}

impl Threads {
    /// Threads to come.
    pub(super) fn new() -> Result<Threads, String> {
        Ok(Threads {
            stacks: Stacks::new(MAX_THREADS)?,
            lanes: Vec::new(),
            count: 0,
            simd: 4,
            current: 0,
            main: std::ptr::null_mut(),
            shown: vec![[0; VALUE]; MAX_THREADS],
            guarded: Vec::new(),
            saved: Vec::new(),
            is_saved: false,
        })
    }

    /// Whether the running thread is a helper.
    pub(super) fn is_helper(&self) -> bool {
        self.lanes[self.current].helper
    }

    /// Whether a thread ended as a helper.
    pub(super) fn ended_as_helper(&self, lane: usize) -> bool {
        self.lanes[lane].helper
    }

    /// The number of the running thread in its group.
    pub(super) fn lane(&self, scope: u32) -> u32 {
        (self.current % if scope == QUAD { 4 } else { self.simd }) as u32
    }

    /// Lanes of a SIMD group.
    pub(super) fn simd(&self) -> u32 {
        self.simd as u32
    }

    /// Makes the running thread a helper.
    pub(super) fn discard(&mut self) {
        if !self.lanes[self.current].helper {
            self.lanes[self.current].helper = true;
            self.save();
        }
    }

    fn save(&mut self) {
        self.saved.clear();
        for &(start, length) in &self.guarded {
            // SAFETY: buffers of the job, which outlive the run; nothing else runs.
            self.saved.extend_from_slice(unsafe { std::slice::from_raw_parts(start, length) });
        }
        self.is_saved = true;
    }

    fn restore(&mut self) {
        let mut from = self.saved.as_slice();
        for &(start, length) in &self.guarded {
            let (now, rest) = from.split_at(length);
            // SAFETY: as above.
            unsafe { std::slice::from_raw_parts_mut(start, length) }.copy_from_slice(now);
            from = rest;
        }
        self.is_saved = false;
    }

    /// Runs `entry` once for each argument. Bits of `helpers` are threads that are helpers from the start (of the first 64).
    ///
    /// # Safety
    /// `this` stays where it is, and is reached by [`exchange`] and [`barrier`] through the same pointer.
    pub(super) unsafe fn run(
        this: *mut Threads,
        entry: unsafe extern "C" fn(*mut u8),
        arguments: impl Iterator<Item = *mut u8>,
        simd: usize,
        helpers: u64,
    ) -> Result<(), Stuck> {
        // SAFETY: nobody else holds a reference while no fiber runs; `resume` uses the pointer.
        unsafe {
            {
                let all = &mut *this;
                all.count = 0;
                all.simd = simd;
                for argument in arguments {
                    let place = all.count;
                    let sp = fiber::prepare(all.stacks.top(place), entry, argument, done);
                    let helper = place < 64 && helpers >> place & 1 != 0;
                    let status = Status::Ready;
                    match all.lanes.get_mut(place) {
                        Some(lane) => (lane.sp, lane.status, lane.helper) = (sp, status, helper),
                        None => {
                            let (chain, value) = (Chain::EMPTY, [0; VALUE]);
                            all.lanes.push(Lane { sp, status, helper, chain, value, active: 0 });
                        }
                    }
                    all.count += 1;
                }
            }
            let count = (*this).count;
            loop {
                for first in (0..count).step_by(simd) {
                    let end = (first + simd).min(count);
                    loop {
                        for lane in first..end {
                            if (&(*this).lanes)[lane].status == Status::Ready {
                                Self::resume(this, lane);
                            }
                        }
                        if !(*this).collect(first, end) {
                            break;
                        }
                    }
                }
                if !(*this).open_barrier()? {
                    return Ok(());
                }
            }
        }
    }

    unsafe fn resume(this: *mut Threads, lane: usize) {
        // SAFETY: the caller's promise; no reference lives across the switch.
        unsafe {
            let (from, to) = {
                let all = &mut *this;
                all.current = lane;
                if all.lanes[lane].helper && !all.guarded.is_empty() {
                    all.save();
                }
                (&raw mut all.main, all.lanes[lane].sp)
            };
            fiber::switch(from, to);
            if (*this).is_saved {
                (*this).restore();
            }
        }
    }

    /// Carries out the first operation that a SIMD group waits at. False if there is none.
    fn collect(&mut self, first: usize, end: usize) -> bool {
        let waits = |lane: &Lane| matches!(lane.status, Status::Waiting(scope) if scope != THREADGROUP);
        let lanes = &self.lanes[first..end];
        let Some(chain) = lanes.iter().filter(|lane| waits(lane)).map(|lane| &lane.chain).min_by(|a, b| a.order(b))
        else {
            return false;
        };
        let chain = *chain;
        let (mut quads, mut simd) = (0_u64, 0_u64);
        for (k, lane) in lanes.iter().enumerate() {
            let here = waits(lane) && lane.chain.order(&chain).is_eq();
            self.shown[first + k] = if here { lane.value } else { [0; VALUE] };
            quads |= u64::from(here) << k;
            simd |= u64::from(here && !lane.helper) << k;
        }
        for (k, lane) in self.lanes[first..end].iter_mut().enumerate() {
            if quads >> k & 1 != 0 {
                let quad = lane.status == Status::Waiting(QUAD);
                lane.active = if quad { quads >> (k & !3) & 15 } else { simd };
                lane.status = Status::Ready;
            }
        }
        true
    }

    /// Opens the threadgroup barrier that all live threads wait at. False if none are left.
    fn open_barrier(&mut self) -> Result<bool, Stuck> {
        let mut chain: Option<Chain> = None;
        for lane in &mut self.lanes[..self.count] {
            if lane.status == Status::Done {
                continue;
            }
            match &chain {
                Some(chain) if chain.order(&lane.chain).is_ne() => return Err(Stuck::Barriers),
                Some(_) => {}
                None => chain = Some(lane.chain),
            }
            lane.status = Status::Ready;
        }
        Ok(chain.is_some())
    }
}

/// The threads that run, for [`done`].
pub(super) static mut RUNNING: *mut Threads = std::ptr::null_mut();

extern "C" fn done() -> ! {
    // SAFETY: only called by a fiber of the running threads, after its entry returned.
    unsafe {
        let this = RUNNING;
        let all = &mut *this;
        let lane = &mut all.lanes[all.current];
        lane.status = Status::Done;
        fiber::switch(&raw mut lane.sp, all.main);
    }
    unreachable!("a thread that is done was resumed")
}

/// Suspends the running thread until its group is there: what `aq_exchange` and `aq_barrier` do. The lanes' values, which stay
/// until the thread's next operation, and the set of lanes that took part.
///
/// # Safety
/// Called on a fiber of `this`, with the frame of the runtime's function.
pub(super) unsafe fn wait(
    this: *mut Threads,
    scope: u32,
    value: &[u8],
    frame: *const usize,
) -> (*const [u8; VALUE], u64) {
    // SAFETY: only this fiber runs; no reference lives across the switch.
    unsafe {
        let (from, to, at) = {
            let all = &mut *this;
            let at = all.current;
            let main = all.main;
            let lane = &mut all.lanes[at];
            lane.status = Status::Waiting(scope);
            lane.chain = Chain::of(frame);
            lane.value = [0; VALUE];
            let length = value.len().min(VALUE);
            lane.value[..length].copy_from_slice(&value[..length]);
            (&raw mut lane.sp, main, at)
        };
        fiber::switch(from, to);
        let all = &*this;
        let first = if scope == QUAD { at & !3 } else { at / all.simd * all.simd };
        (all.shown.as_ptr().add(first), all.lanes[at].active)
    }
}
