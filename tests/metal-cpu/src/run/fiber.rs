//! Switching between stacks: a few lines of assembly, for x86-64 with the System V calling convention.
//!
//! A fiber begins in a C function with the frame pointer 0, so that the chain of frames of a shader ends in its entry.

#[cfg(target_arch = "x86_64")]
std::arch::global_asm!(
    ".text",
    ".globl aq_fiber_switch",
    ".type aq_fiber_switch, @function",
    // (from: *mut *mut u8 in rdi, to: *mut u8 in rsi)
    "aq_fiber_switch:",
    "push rbp",
    "push rbx",
    "push r12",
    "push r13",
    "push r14",
    "push r15",
    "mov [rdi], rsp",
    "mov rsp, rsi",
    "pop r15",
    "pop r14",
    "pop r13",
    "pop r12",
    "pop rbx",
    "pop rbp",
    "ret",
    // r12: argument, r13: entry, r14: what to call when it is done.
    ".type aq_fiber_start, @function",
    "aq_fiber_start:",
    "mov rdi, r12",
    "xor ebp, ebp",
    "call r13",
    "call r14",
    "ud2",
);

#[cfg(target_arch = "x86_64")]
unsafe extern "C" {
    fn aq_fiber_switch(from: *mut *mut u8, to: *mut u8);
    fn aq_fiber_start();
}

/// Whether this processor's fibers exist.
pub(super) const SUPPORTED: bool = cfg!(all(target_arch = "x86_64", target_os = "linux"));

/// Saves where we are in `from` and goes on at `to`.
///
/// # Safety
/// `to` is a stack that was saved by this function or made by [`prepare`].
pub(super) unsafe fn switch(from: *mut *mut u8, to: *mut u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the caller's promise.
    unsafe {
        aq_fiber_switch(from, to);
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        let _ = (from, to);
    }
}

/// Makes a stack on which `entry(argument)` will run, and then `done()`, which must not return.
///
/// # Safety
/// `top` is the end of a writable stack, aligned to 16 bytes.
pub(super) unsafe fn prepare(
    top: *mut u8,
    entry: unsafe extern "C" fn(*mut u8),
    argument: *mut u8,
    done: extern "C" fn() -> !,
) -> *mut u8 {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: all places lie just below the top. After `ret` the stack is aligned to 16 bytes, as before a call.
    unsafe {
        let words = top.cast::<usize>();
        let mut place = words.sub(3);
        place.write(aq_fiber_start as *const () as usize);
        for value in [0, 0, argument as usize, entry as usize, done as *const () as usize, 0] {
            place = place.sub(1);
            place.write(value); // rbp, rbx, r12, r13, r14, r15
        }
        place.cast()
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        let _ = (entry, argument, done);
        top
    }
}
