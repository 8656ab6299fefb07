//! What the child process asks of the system: limits, stacks with guard pages, and a word before it dies.

use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Where the stacks of fibers lie, and how far apart: for telling an overflow from other faults.
static STACKS: [AtomicUsize; 3] = [const { AtomicUsize::new(0) }; 3];

/// Stacks of fibers: one mapping, each stack with a page below it that faults.
#[derive(Debug)]
pub(super) struct Stacks {
    base: *mut u8,
    count: usize,
}

/// Bytes of a stack and its guard page.
const STRIDE: usize = 256 * 1024;
const PAGE: usize = 4096;

impl Stacks {
    /// Room for that many fibers; pages are only used once they are touched.
    pub(super) fn new(count: usize) -> Result<Stacks, String> {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a new mapping, whose address the system chooses.
        let base = unsafe {
            libc::mmap(std::ptr::null_mut(), count * STRIDE, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0)
        };
        if base == libc::MAP_FAILED {
            return Err("there is no memory for the threads' stacks".to_owned());
        }
        let base = base.cast::<u8>();
        for i in 0..count {
            // SAFETY: the page lies in the mapping.
            unsafe { libc::mprotect(base.add(i * STRIDE).cast(), PAGE, libc::PROT_NONE) };
        }
        for (place, value) in STACKS.iter().zip([base as usize, STRIDE, count]) {
            place.store(value, Ordering::Relaxed);
        }
        Ok(Stacks { base, count })
    }

    /// One past the highest byte of a stack.
    pub(super) fn top(&self, i: usize) -> *mut u8 {
        assert!(i < self.count);
        // SAFETY: within the mapping, or its end.
        unsafe { self.base.add((i + 1) * STRIDE) }
    }
}

impl Drop for Stacks {
    fn drop(&mut self) {
        // SAFETY: the mapping of `new`.
        unsafe { libc::munmap(self.base.cast(), self.count * STRIDE) };
    }
}

/// Finishes divisions that GPUs do not refuse; of other faults, says on stderr what happened and lets the signal kill.
extern "C" fn on_signal(signal: i32, info: *mut libc::siginfo_t, context: *mut c_void) {
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    if signal == libc::SIGFPE {
        // SAFETY: the system gives the context of the signal.
        let finished = unsafe { super::divide::finish(&mut *context.cast::<libc::ucontext_t>()) };
        if finished {
            return;
        }
    }
    // SAFETY: the system gives the information.
    let address = unsafe { (*info).si_addr() } as usize;
    let [base, stride, count] = [0, 1, 2].map(|i| STACKS[i].load(Ordering::Relaxed));
    let inside = address.wrapping_sub(base);
    let overflow = base != 0 && inside < stride * count && inside % stride < PAGE;
    let text: &[u8] = if overflow { b"stack overflow\n" } else { b"fault\n" };
    // SAFETY: both may be called from a handler.
    unsafe {
        libc::write(2, text.as_ptr().cast(), text.len());
        libc::signal(signal, libc::SIG_DFL);
    }
}

/// Limits memory, forbids core files, and reports faults. Called once in the child.
pub(super) fn confine(memory: u64) {
    let set = |resource, value: u64| {
        let limit = libc::rlimit { rlim_cur: value, rlim_max: value };
        // SAFETY: plain data.
        unsafe { libc::setrlimit(resource, &raw const limit) };
    };
    set(libc::RLIMIT_AS, memory);
    set(libc::RLIMIT_CORE, 0);
    const SIZE: usize = 64 * 1024;
    let stack = Box::leak(vec![0_u8; SIZE].into_boxed_slice());
    // SAFETY: the stack lives for ever, and the handler only does what handlers may.
    unsafe {
        let alternative = libc::stack_t { ss_sp: stack.as_mut_ptr().cast(), ss_flags: 0, ss_size: SIZE };
        libc::sigaltstack(&raw const alternative, std::ptr::null_mut());
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = on_signal as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        for signal in [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL] {
            libc::sigaction(signal, &raw const action, std::ptr::null_mut());
        }
    }
}

/// Lets the process use that many more seconds of processor time, should nobody be left to stop it.
pub(super) fn allow_seconds(seconds: u64) {
    // SAFETY: plain data.
    unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &raw mut usage);
        let used = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec;
        let mut limit: libc::rlimit = std::mem::zeroed();
        libc::getrlimit(libc::RLIMIT_CPU, &raw mut limit);
        limit.rlim_cur = used.cast_unsigned() + seconds + 1;
        libc::setrlimit(libc::RLIMIT_CPU, &raw const limit);
    }
}
