//! See [`aquatint_fuzz::meaning::meaning`].

#![no_main]

use aquatint_fuzz::{meaning, mutate};

libfuzzer_sys::fuzz_target!(|text: &str| meaning::meaning(text));

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::ir(data, size, max_size, seed, libfuzzer_sys::fuzzer_mutate)
});
