//! See [`aquatint_fuzz::bytecode::assemble`].

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| aquatint_fuzz::bytecode::assemble(text));
