//! See [`aquatint_fuzz::ir_text::ir_text`].

#![no_main]

use aquatint_fuzz::{ir_text, mutate};

libfuzzer_sys::fuzz_target!(|text: &str| ir_text::ir_text(text));

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::ir(data, size, max_size, seed, libfuzzer_sys::fuzzer_mutate)
});
