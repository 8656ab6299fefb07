//! Integer division that the processor refuses, but no GPU does: by zero, and of the least number by −1.
//!
//! Metal leaves the result open. The interpreter's is all ones for quotient and remainder where the divisor is zero, and the
//! least number and 0 for the other case; the signal's handler puts that in place and goes on behind the instruction.

#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

/// The registers in the order of their numbers in instructions.
const REGISTERS: [i32; 16] = [
    libc::REG_RAX,
    libc::REG_RCX,
    libc::REG_RDX,
    libc::REG_RBX,
    libc::REG_RSP,
    libc::REG_RBP,
    libc::REG_RSI,
    libc::REG_RDI,
    libc::REG_R8,
    libc::REG_R9,
    libc::REG_R10,
    libc::REG_R11,
    libc::REG_R12,
    libc::REG_R13,
    libc::REG_R14,
    libc::REG_R15,
];

/// Gives a division its result. False if the instruction is none.
///
/// # Safety
/// The context is that of a SIGFPE; code and operand of the instruction can be read.
pub(super) unsafe fn finish(context: &mut libc::ucontext_t) -> bool {
    let registers = &mut context.uc_mcontext.gregs;
    let register = |all: &[i64; 23], number: u8| all[REGISTERS[usize::from(number & 15)] as usize];
    let start = registers[libc::REG_RIP as usize] as *const u8;
    let mut at = 0;
    let mut next = || {
        // SAFETY: the processor has just read the instruction; it is at most 15 bytes long.
        let byte = unsafe { start.add(at).read() };
        at += 1;
        byte
    };
    let mut byte = next();
    let narrow = byte == 0x66;
    if narrow {
        byte = next();
    }
    let rex = if byte & 0xF0 == 0x40 { std::mem::replace(&mut byte, next()) } else { 0 };
    let bytes: usize = match byte {
        0xF6 => 1,
        0xF7 if rex & 8 != 0 => 8,
        0xF7 if narrow => 2,
        0xF7 => 4,
        _ => return false,
    };
    let form = next();
    let (mode, operation, low) = (form >> 6, form >> 3 & 7, form & 7);
    if operation != 6 && operation != 7 {
        return false;
    }
    let number = low | (rex & 1) << 3;
    let divisor_bytes = if mode == 3 {
        // The high bytes AH to BH are no divisors of compiled code.
        register(registers, number).to_le_bytes()
    } else {
        let mut address = 0_i64;
        let mut displacement = [0, 1, 4][usize::from(mode)];
        let mut relative = false;
        if low == 4 {
            let scale = next();
            let (index, base) = ((scale >> 3 & 7) | (rex & 2) << 2, (scale & 7) | (rex & 1) << 3);
            if index != 4 {
                address += register(registers, index) << (scale >> 6);
            }
            if scale & 7 == 5 && mode == 0 {
                displacement = 4;
            } else {
                address += register(registers, base);
            }
        } else if low == 5 && mode == 0 {
            (displacement, relative) = (4, true);
        } else {
            address += register(registers, number);
        }
        address += match displacement {
            1 => i64::from(next() as i8),
            4 => i64::from(i32::from_le_bytes([next(), next(), next(), next()])),
            _ => 0,
        };
        if relative {
            address += start as i64 + at as i64;
        }
        let mut all = [0; 8];
        // SAFETY: the processor has just read the operand there.
        unsafe { std::ptr::copy_nonoverlapping(address as *const u8, all.as_mut_ptr(), bytes) };
        all
    };
    let is_zero = divisor_bytes[..bytes].iter().all(|&byte| byte == 0);
    let least = 1_u64 << (bytes * 8 - 1);
    let (quotient, remainder) = if is_zero { (u64::MAX, u64::MAX) } else { (least, 0) };
    let mask = u64::MAX >> (64 - bytes * 8);
    let [rax, rdx] = [libc::REG_RAX, libc::REG_RDX].map(|register| register as usize);
    let (old_rax, old_rdx) = (registers[rax] as u64, registers[rdx] as u64);
    match bytes {
        1 => registers[rax] = (old_rax & !0xFFFF | (remainder & 0xFF) << 8 | quotient & 0xFF) as i64,
        // Writing 32 bits clears the upper half, writing 16 keeps the rest.
        2 => {
            registers[rax] = (old_rax & !mask | quotient & mask) as i64;
            registers[rdx] = (old_rdx & !mask | remainder & mask) as i64;
        }
        _ => {
            registers[rax] = (quotient & mask) as i64;
            registers[rdx] = (remainder & mask) as i64;
        }
    }
    registers[libc::REG_RIP as usize] += at as i64;
    true
}
