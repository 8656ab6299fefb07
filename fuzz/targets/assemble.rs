//! See [`aquatint_fuzz::bytecode::assemble`].

#![no_main]

use aquatint_fuzz::{bytecode, mutate};

libfuzzer_sys::fuzz_target!(|text: &str| bytecode::assemble(text));

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::text(data, size, max_size, seed, libfuzzer_sys::fuzzer_mutate, mutate::ASSEMBLY)
});
