//! Levels whose handlers do anything, and saved levels that were changed.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| acedia_fuzz::saves(bytes));
