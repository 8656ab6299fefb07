//! See [`aquatint_fuzz::tables::effect`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| aquatint_fuzz::tables::effect(bytes));
