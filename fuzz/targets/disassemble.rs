//! See [`aquatint_fuzz::bytecode::disassemble`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| aquatint_fuzz::bytecode::disassemble(bytes));
