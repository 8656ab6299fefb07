//! See [`aquatint_fuzz::bytecode::tokens`].

#![no_main]

use aquatint_fuzz::{bytecode, mutate};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| bytecode::tokens(bytes));

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::tokens(data, size, max_size, seed, libfuzzer_sys::fuzzer_mutate)
});
