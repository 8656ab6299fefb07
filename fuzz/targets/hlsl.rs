//! See [`aquatint_fuzz::hlsl::translate`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| aquatint_fuzz::hlsl::translate(bytes));
