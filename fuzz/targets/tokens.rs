//! See [`aquatint_fuzz::bytecode::tokens`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| aquatint_fuzz::bytecode::tokens(bytes));
