//! See [`aquatint_fuzz::ir_text::ir_text`].

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| aquatint_fuzz::ir_text::ir_text(text));
