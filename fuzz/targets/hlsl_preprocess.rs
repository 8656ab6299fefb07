//! See [`aquatint_fuzz::hlsl::preprocess_text`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| aquatint_fuzz::hlsl::preprocess_text(bytes));
